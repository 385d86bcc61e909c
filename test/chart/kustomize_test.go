package chart_test

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// TestTheOverlayOfThePage gives the bot another configuration.
func TestTheOverlayOfThePage(t *testing.T) {
	_, block, _ := strings.Cut(read(t, "../../docs/install.md"), "```yaml\n# kustomization.yaml\n")
	overlay, _, ok := strings.Cut(block, "```")
	const published = "https://github.com/argo-why/argo-why//deploy?ref=main"
	if !ok || !strings.Contains(overlay, published) {
		t.Fatal("docs/install.md has no overlay")
	}
	disk := filesys.MakeFsInMemory()
	for name, text := range map[string]string{
		"/base/kustomization.yaml": read(t, deploy+"/kustomization.yaml"), "/base/install.yaml": read(t, deploy+"/install.yaml"),
		"/mine/kustomization.yaml": strings.Replace(overlay, published, "../base", 1), "/mine/config.yaml": "mine",
	} {
		if err := disk.WriteFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(disk, "/mine")
	if err != nil {
		t.Fatal(err)
	}
	text, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	all := decode(t, strings.Split(string(text), "\n---\n"))
	mounts := one[*appsv1.Deployment](t, all, "argo-why").Spec.Template.Spec.Volumes[0].ConfigMap.Name
	if data := one[*corev1.ConfigMap](t, all, mounts).Data; data["config.yaml"] != "mine" || len(data) != 1 {
		t.Errorf("the pod mounts ConfigMap %s: %v", mounts, data)
	}
}
