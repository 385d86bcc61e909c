package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// guardedStep is a step of a rule as it is printed.
func guardedStep(t *testing.T, c *evidence.Case, command string) diagnose.Fix {
	t.Helper()
	r := rule("apply/guarded", finds(diagnose.Finding{Title: "x", Why: "x", Fix: []diagnose.Fix{{Text: "Do it", Command: command}}}))
	rep, err := engineOf(t, r).Diagnose(t.Context(), c.Source(), time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return rep.Root().Fix[0]
}

// TestACommandThatCannotBeJudgedIsNotPrinted: whichever rule makes it.
func TestACommandThatCannotBeJudgedIsNotPrinted(t *testing.T) {
	c := &evidence.Case{Application: &evidence.Application{}}
	c.Application.Metadata.Name = "shop"
	for _, command := range []string{
		"kubectl get pods -o name | xargs kubectl delete", "sudo kubectl get pods", "helm uninstall web", "oc adm policy add-cluster-role-to-user cluster-admin mallory",
		"kubectl -n argocd annotate application shop a=b --as admin", "argocd cluster add production", "aws iam attach-role-policy x",
	} {
		step := guardedStep(t, c, command)
		if step.Command != "" || step.Text != "Do it (no command is printed: what it would change cannot be checked)" {
			t.Errorf("%s: %+v", command, step)
		}
	}
	for _, command := range []string{"argocd app get shop", "argocd app sync shop", "kubectl get pods | grep web", "helm template x"} {
		if step := guardedStep(t, c, command); step.Command != command {
			t.Errorf("%s: %+v", command, step)
		}
	}
}

// TestANodeIsCordonedWhereArgoCDSeesAPodOfTheApplication: a text may name any node.
func TestANodeIsCordonedWhereArgoCDSeesAPodOfTheApplication(t *testing.T) {
	c := &evidence.Case{Application: &evidence.Application{}, Tree: &evidence.Tree{Nodes: []evidence.Node{
		{Kind: "Pod", Name: "web", UID: "1", Info: []evidence.InfoItem{{Name: "Node", Value: "worker-1"}}},
		{Kind: "Pod", Name: "gone", Info: []evidence.InfoItem{{Name: "Node", Value: "worker-2"}}},
	}}}
	needs := rule("apply/guarded", func(in *diagnose.In) diagnose.Outcome {
		if _, ok := diagnose.Get(in, evidence.FactTree); !ok {
			return diagnose.Unknown
		}
		return diagnose.Found(diagnose.Finding{Title: "x", Why: "x", Fix: []diagnose.Fix{
			{Text: "a", Command: "kubectl cordon worker-1"}, {Text: "b", Command: "kubectl cordon worker-2"}, {Text: "c", Command: "kubectl cordon worker-3"},
		}})
	}, evidence.KindTree)
	rep, err := engineOf(t, needs).Diagnose(t.Context(), c.Source(), time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, step := range rep.Root().Fix {
		got = append(got, step.Command)
	}
	if want := "kubectl cordon worker-1\nkubectl get node/worker-2 -o yaml\nkubectl get node/worker-3 -o yaml"; strings.Join(got, "\n") != want {
		t.Errorf("prints %q", got)
	}
}

// TestANodeIsRemovedWhereItIsDown: others run on it, too.
func TestANodeIsRemovedWhereItIsDown(t *testing.T) {
	node := func(name, ready string) evidence.Object {
		return evidence.Object{"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": name},
			"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": ready}}}}
	}
	c := &evidence.Case{Application: &evidence.Application{}, Resources: []evidence.Object{node("down", "Unknown"), node("ready", "True")}, AllOf: []string{"nodes"}}
	needs := rule("apply/guarded", func(*diagnose.In) diagnose.Outcome {
		f := diagnose.Finding{Title: "x", Why: "x"}
		for _, name := range []string{"down", "ready", "unread"} {
			f.Fix = append(f.Fix, diagnose.Fix{Text: "a", Command: "kubectl delete node " + name}, diagnose.Fix{Text: "b", Command: "kubectl taint nodes " + name + " node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"})
		}
		return diagnose.Found(f)
	})
	rep, err := engineOf(t, needs).Diagnose(t.Context(), c.Source(), time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range rep.Root().Fix {
		changes := strings.HasPrefix(step.Command, "kubectl delete") || strings.HasPrefix(step.Command, "kubectl taint")
		if down := strings.HasSuffix(step.Command, "down") || strings.Contains(step.Command, "nodes down"); changes != down {
			t.Errorf("prints %q: %s", step.Command, step.Text)
		}
	}
}
