package change

import "slices"

// What a command can request of the application controller.
const (
	Refresh     = "refresh"
	HardRefresh = "hard-refresh"
)

// waits are the verbs of argocd app that are done only when the application controller has done something.
var waits = []string{"sync", "rollback", "terminate-op", "delete", "wait"}

// Requests are what a command line requests of the application controller, which does it later: [Refresh], [HardRefresh], or a verb of argocd
// app. What the API server of Argo CD or Kubernetes does itself is none of them.
func Requests(line string) []string {
	var out []string
	all, _ := commands(line)
	for _, words := range all {
		if len(words) < 3 || words[0] != "argocd" || words[1] != "app" {
			continue
		}
		switch {
		case slices.Contains(waits, words[2]):
			out = append(out, words[2])
		case slices.Contains(words, "--hard-refresh"):
			out = append(out, HardRefresh)
		case slices.Contains(words, "--refresh"):
			out = append(out, Refresh)
		}
	}
	return out
}
