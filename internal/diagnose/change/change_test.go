package change

import (
	"fmt"
	"testing"
)

// TestWhatACommandChanges: the namespace, the verb and the objects of each command that changes something.
func TestWhatACommandChanges(t *testing.T) {
	for line, want := range map[string]string{
		"kubectl -n shop get deployment.apps/web -o yaml":                                          "",
		"kubectl get plotters.app.fybrik.io -A -o json | kubectl replace -f -":                     "replace  []",
		"kubectl -n shop delete deployment.apps/web statefulset.apps/db --cascade=orphan":          "delete shop [{deployment apps web} {statefulset apps db}]",
		"kubectl -n shop delete pvc/data-0 pod/db-0 --wait=false":                                  "delete shop [{persistentvolumeclaim  data-0} {pod  db-0}]",
		"kubectl delete node 'node 7'":                                                             "delete  [{node  node 7}]",
		`kubectl -n shop patch job.batch/x --type merge -p '{"metadata":{"finalizers":null}}'`:     "patch shop [{job batch x}]",
		"kubectl -n shop annotate --overwrite configmap/a configmap/b k=v":                         "annotate shop [{configmap  a} {configmap  b}]",
		"kubectl -n shop label configmap/a app.kubernetes.io/instance-":                            "label shop [{configmap  a}]",
		"kubectl -n argocd set env deploy/argocd-repo-server A=1":                                  "set argocd [{deployment  argocd-repo-server}]",
		"kubectl -n argocd set env deploy/argocd-repo-server --list":                               "",
		"kubectl -n argocd rollout restart deploy,statefulset -l app.kubernetes.io/part-of=argocd": "rollout argocd [{deployment  } {statefulset  }]",
		"kubectl -n argocd rollout status deploy/x":                                                "",
		"kubectl -n argocd exec deploy/argocd-repo-server -- kubectl delete pod x":                 "exec argocd [{deployment  argocd-repo-server}]",
		"kubectl taint nodes n node.kubernetes.io/out-of-service=nodeshutdown:NoExecute":           "taint  [{node  n}]",
		"kubectl cordon n": "cordon  [{node  n}]",
		"kubectl argo rollouts retry rollout web -n shop":                                                                 "argo shop [{rollout  web}]",
		"kubectl argo rollouts get rollout web -n shop":                                                                   "",
		"kubectl -n shop create secret generic s --from-literal=password=TOKEN":                                           "create shop [{secret  s}]",
		"kubectl create secret docker-registry s -n shop --dry-run=client -o yaml":                                        "",
		"kubectl get pv $(kubectl -n shop get pvc x -o name); kubectl -n shop delete pod x":                               "delete shop [{pod  x}]",
		"kubectl -n shop create secret docker-registry s --docker-server=r --dry-run=client -o yaml | kubectl apply -f -": "create shop [{secret  s}]",
		"kubectl frobnicate pod/x":                                  "frobnicate  [{pod  x}]",
		"argocd app get team-a/shop --refresh":                      "",
		"argocd app sync team-a/shop --dry-run":                     "",
		"argocd app delete payments --cascade=false":                "app delete  [{application argoproj.io payments}]",
		"argocd repo add https://git.example.com/x":                 "repo add  [{repository  https://git.example.com/x}]",
		"argocd proj get shop":                                      "",
		"argocd proj windows list shop":                             "",
		"argocd proj windows enable-manual-sync shop 0":             "proj enable-manual-sync  [{appproject argoproj.io shop}]",
		"argocd proj add-source shop https://git.example.com/x":     "proj add-source  [{appproject argoproj.io shop}]",
		`kubectl -n shop get pod "$(kubectl -n shop delete pod x)"`: "delete shop [{pod  x}]",
		"kubectl -n shop get pod x &&":                              "unread  []",
		"flux reconcile helmrelease web -n shop --reset":            "reconcile shop [{helmrelease  web}]",
		"kubectl argo rollouts promote web -n shop":                 "argo shop [{rollout argoproj.io web}]",
		"git log --oneline":                                         "",
		`kubectl -n shop delete pod 'it'\''s; rm -rf'`:              "delete shop [{pod  it's; rm -rf}]",
	} {
		got := ""
		for _, c := range Of(line) {
			got += fmt.Sprintf("%s %s %v", c.Verb, c.Namespace, c.Targets)
		}
		if got != want {
			t.Errorf("%s\nchanges %q, want %q", line, got, want)
		}
	}
	if c := Of(`argocd repo add https://x.example --password "$(cat 'KEY FILE')" --upsert`); fmt.Sprintf("%q", c[0].Words[4:]) != `["--password" "$()" "--upsert"]` {
		t.Errorf("the words are %q", c[0].Words)
	}
	if c := Of("kubectl create clusterrolebinding x --clusterrole=x --serviceaccount=argocd:x --user=mallory"); fmt.Sprint(c[0].Subjects) != "[system:serviceaccount:argocd:x mallory]" {
		t.Errorf("the subjects are %v", c[0].Subjects)
	}
}
