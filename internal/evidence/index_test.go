package evidence_test

import (
	"fmt"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestIndexFindsWhatAListFinds: a short and a long list answer alike, also to a reference without group or namespace.
func TestIndexFindsWhatAListFinds(t *testing.T) {
	for _, n := range []int{3, 300} {
		t.Run(fmt.Sprint(n, " items"), func(t *testing.T) {
			var list []evidence.ResourceStatus
			for i := range n {
				for _, namespace := range []string{"a", "b"} {
					list = append(list, evidence.ResourceStatus{Group: "apps", Kind: "Deployment", Namespace: namespace, Name: fmt.Sprint("web-", i)})
				}
			}
			x := evidence.IndexOf(list)
			for _, ref := range []evidence.Ref{
				{Group: "apps", Kind: "Deployment", Namespace: "b", Name: "web-1"},
				{Kind: "Deployment", Name: "web-2"},
				{Kind: "Deployment", Namespace: "b", Name: "web-0"},
				{Group: "batch", Kind: "Deployment", Name: "web-1"},
				{Kind: "Deployment", Name: "other"},
			} {
				var want *evidence.ResourceStatus
				for i := range list {
					if list[i].Ref().Same(ref) {
						want = &list[i]
						break
					}
				}
				if got := x.Find(ref); got != want {
					t.Errorf("%v: got %v, want %v", ref, got, want)
				}
			}
		})
	}
	if got := evidence.IndexOf[evidence.ResourceStatus](nil).Find(evidence.Ref{Kind: "Pod", Name: "a"}); got != nil {
		t.Errorf("found %v in an empty list", got)
	}
}
