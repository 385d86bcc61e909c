// Package chart tests the Helm chart in deploy/charts/argo-why, and what is rendered from it: with every set of values in testdata/values it is
// linted and rendered by Helm's own library, and every object is read strictly into the type that the API server has for it. It is a module of its
// own, so that Helm's and Prometheus' dependencies never take part in choosing those of the bot.
//
//	go -C test/chart test -count=1 .
//
// runs them: without -count=1 the go tool repeats an old result, because it does not see changes of files outside of the module.
//
//	go -C test/chart test . -update
//
// rewrites what is rendered: testdata/rendered, deploy/install.yaml, deploy/crd, and two files of deploy/rbac.
package chart
