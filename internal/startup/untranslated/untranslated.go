// Package untranslated keeps kubectl's packages, which Argo CD's client imports, from loading translations of their help. cmd/bot imports it
// for that effect: nobody sees that help here, and packing and unpacking the translations took 10 ms and 4 MB of every start.
//
// It must be initialised before the first of them, which SetLoadTranslationsFunc asks for. It is, because it imports nothing else and Go
// initialises packages in the order of their paths, each as soon as those that it imports are ready.
package untranslated

import "k8s.io/kubectl/pkg/util/i18n"

// An error says that it came too late, which the tests of cmd/bot notice.
var _ = i18n.SetLoadTranslationsFunc(func() error { return nil })
