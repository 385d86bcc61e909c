package program

import "testing"

// TestCommandsAreNamedAsPeopleRunThem: a printed command runs as it is.
func TestCommandsAreNamedAsPeopleRunThem(t *testing.T) {
	for file, want := range map[string]string{
		"argo-why":                              "argo-why",
		"/usr/local/bin/argo-why":               "argo-why",
		"./bot":                                 "bot",
		"argo-why.exe":                          "argo-why",
		"/root/.krew/bin/kubectl-argo_why":      "kubectl argo-why",
		"kubectl-argo_why.exe":                  "kubectl argo-why",
		"":                                      "argo-why",
		"/tmp/go-build1/b001/exe/bot":           "bot",
		"/home/dana/my tools/the bot":           "argo-why",
		"/proc/self/fd/3%s'":                    "argo-why",
		"/home/dana/.local/bin/argo-why-v0.1.0": "argo-why-v0.1.0",
	} {
		if got := nameOf(file); got != want {
			t.Errorf("run as %q it is called %q, want %q", file, got, want)
		}
	}
}
