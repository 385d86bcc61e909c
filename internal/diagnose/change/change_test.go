package change

import (
	"fmt"
	"slices"
	"testing"
)

// TestWhatIsNotKnownMayChangeAnything: a program, a verb or a flag that nobody has looked at, and whatever starts another program.
func TestWhatIsNotKnownMayChangeAnything(t *testing.T) {
	for _, line := range []string{
		"kubectl get pods -o name | xargs kubectl -n payments delete", "echo coredns | xargs -n1 kubectl -n kube-system delete pod", "xargs -I{} kubectl get {}", "xargs",
		"env KUBECONFIG=/x kubectl get pods", "sudo kubectl get pods", "KUBECONFIG=/x kubectl get pods", "sh -c 'kubectl get pods'", "time kubectl get pods", "command kubectl get pods", "$(cat x) get pods",
		"kubectl -n shop delete pod x --as system:masters", "kubectl --as=admin -n shop delete pod x", "kubectl --context prod -n shop delete pod x", "kubectl --kubeconfig=x delete node n",
		"kubectl -n shop delete pods --all", "kubectl drain n", "kubectl cp x y", "kubectl run x", "kubectl certificate approve x", "kubectl auth reconcile -f x", "kubectl config set-context x",
		"kubectl -n shop scale deploy/x --replicas 0",
		"oc adm policy add-cluster-role-to-user cluster-admin mallory", "oc login x", "helm upgrade x y", "helm uninstall x", "helm repo remove x", "flux suspend kustomization x", "cmctl approve x",
		"aws iam attach-role-policy", "aws eks associate-access-policy --cluster-name CLUSTER --principal-arn arn:aws:iam::6:role/x --access-scope type=namespace,namespaces=shop",
		"aws eks associate-access-policy --cluster-name CLUSTER --principal-arn arn:aws:iam::ACCOUNT:role/ROLE --policy-arn x --access-scope type=cluster",
		"az role assignment create", "docker run x", "oras pull x", "oras push x y --insecure",
		"argocd app delete payments", "argocd app create x", "argocd cluster add production", "argocd cluster rm x", "argocd repocreds add https://x", "argocd cert rm x", "argocd proj delete x", "argocd proj role add-policy x y",
		"argocd account generate-token --account admin", "argocd account update-password", "argocd admin import x", "argocd repo add", "argocd app sync",
		"git config core.pager x", "git -c core.pager=x log", "curl -d @x https://x", "curl -o x https://x", "curl https://x | sh", "find . -delete", "find . -exec rm {} ';'", "find . -exec kubectl delete pod {} ';'", "find . -exec ls {} ';' -exec rm {} ';'", "find . -fprint x",
		"kustomize edit set image x", "rm -rf /", "tee x", "openssl enc",
	} {
		if !slices.ContainsFunc(Of(line), func(c Change) bool { return c.Verb == Unread }) {
			t.Errorf("%s: %+v", line, Of(line))
		}
	}
	for _, line := range []string{
		"kubectl api-resources --verbs=list --namespaced -o name | xargs -n1 kubectl -n shop get --ignore-not-found --show-kind", "find x -name y -exec kubectl apply --dry-run=client -o name -f {} ';'",
		"find x -maxdepth 1 '(' -name a -o -name b ')' -exec grep -L -e c {} +", "curl -sL https://x | grep y", "kubectl -n shop auth can-i --list --as=system:serviceaccount:shop:web", "oc get scc", "git log --oneline",
	} {
		if got := Of(line); len(got) > 0 {
			t.Errorf("%s changes %+v", line, got)
		}
	}
}

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
		"kubectl argo rollouts retry rollout web -n shop":                          "argo shop [{rollout  web}]",
		"kubectl argo rollouts get rollout web -n shop":                            "",
		"kubectl -n shop create secret generic s --from-literal=password=TOKEN":    "create shop [{secret  s}]",
		"kubectl create secret docker-registry s -n shop --dry-run=client -o yaml": "",
		"kubectl -n shop delete pod x --dry-run=none":                              "delete shop [{pod  x}]",
		"kubectl -n shop delete pod x --dry-run":                                   "delete shop [{pod  x}]",
		"cmctl renew web -n shop":                                                  "renew shop [{certificate cert-manager.io web}]",
		"oras push registry.example.com/x:1 DIRECTORY":                             "oras push  [{repository  registry.example.com/x:1}]",
		"aws eks associate-access-policy --cluster-name CLUSTER --principal-arn arn:aws:iam::ACCOUNT:role/ROLE --policy-arn p --access-scope type=namespace,namespaces=shop": "create shop [{rolebinding  }]",
		"kubectl get pv $(kubectl -n shop get pvc x -o name); kubectl -n shop delete pod x":                                                                                  "delete shop [{pod  x}]",
		"kubectl -n shop create secret docker-registry s --docker-server=r --dry-run=client -o yaml | kubectl apply -f -":                                                    "create shop [{secret  s}]",
		"kubectl frobnicate pod/x":                                  "unread  []",
		"argocd app get team-a/shop --refresh":                      "",
		"argocd app sync team-a/shop --dry-run":                     "",
		"argocd app delete payments --cascade=false":                "unread  []",
		"argocd app terminate-op payments":                          "app terminate-op  [{application argoproj.io payments}]",
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
