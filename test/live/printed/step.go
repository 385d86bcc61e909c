// Package printed is what a person does with the steps of a report: it tells commands that only look from those that change
// something, writes values where the text has a placeholder, and merges YAML into a manifest. It does not run anything; the
// live tests do.
package printed

import (
	"regexp"
	"slices"
	"strings"
)

// Report is what is read of `bot why -o json`.
type Report struct {
	Headline string    `json:"headline"`
	Verdict  string    `json:"verdict"`
	Findings []Finding `json:"findings"`
	Sync     struct {
		Verdict string `json:"verdict"`
		Why     string `json:"why"`
	} `json:"sync"`
}

// Finding is one of its findings, with the steps that help.
type Finding struct {
	Rule     string     `json:"rule"`
	Role     string     `json:"role"`
	Title    string     `json:"title"`
	Resource Resource   `json:"resource"`
	Others   []Resource `json:"others"`
	Fix      []Step     `json:"fix"`
}

// Resource names an object.
type Resource struct {
	Group     string `json:"group"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Step is one step of a fix.
type Step struct {
	Text    string `json:"text"`
	Command string `json:"command"`
	Patch   string `json:"patch"`
}

// Printed are the findings whose steps a report shows: the first one, and all other causes.
func (r *Report) Printed() []Finding {
	var out []Finding
	for i, f := range r.Findings {
		if i == 0 || f.Role == "cause" {
			out = append(out, f)
		}
	}
	return out
}

// First is the rule of the first finding, or the verdict where nothing was found.
func (r *Report) First() string {
	if len(r.Findings) == 0 {
		return r.Verdict
	}
	return r.Findings[0].Rule
}

// Blames reports whether a rule is a cause.
func (r *Report) Blames(rule string) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Rule == rule && f.Role == "cause" })
}

// How a command begins that changes nothing, whatever follows. Flags are left out before the comparison.
var looking = regexp.MustCompile(`^(` + strings.Join([]string{
	`kubectl (get|describe|logs|events|explain|api-resources|top|auth can-i|version|config|rollout (status|history)|exec)`,
	`kubectl argo rollouts (get|list|status)`, `cmctl status`,
	`argocd app (get|diff|history|manifests|resources|list|logs)`,
	`argocd (proj|repo|cluster|cert|account|gpg|repocreds) (get|list|can-i|windows list|role list)`, `argocd admin settings`, `argocd (version|context)`,
	`git (fetch|ls-remote|ls-tree|log|show|diff|status|ls-files|grep|cat-file|rev-parse|-C)`, `git --version`,
	`helm (dependency list|template|show|search|lint|list|status|get|version|history)`, `kustomize build`, `jsonnet`, `bot (why|list)`,
	`(openssl|curl|dig|nslookup|getent|ssh-keyscan|nc|crane|skopeo|docker manifest)`, `(grep|head|tail|wc|sort|uniq|jq|base64|cat|cut|awk|sed|tr)`, `gpg --(list|verify)`,
}, "|") + `)( |$)`)

// Such a flag makes a look of what would change something; `kubectl apply --dry-run=client` only parses.
var dry = regexp.MustCompile(` --dry-run\b`)

// Where one program of a command ends and the next begins. What xargs and sudo start is a program of its own.
var joints = regexp.MustCompile(`\s*(?:\|\||&&|\||;)\s*(?:xargs (?:-\S+ ?\d* )*)?`)

// What stands between a program and its verb: kubectl -n shop get.
var flags = regexp.MustCompile(`^(kubectl|argocd|helm|git)((?: +(?:-n|--namespace|--context|--kubeconfig|-C)[ =]\S+| +-A)+)`)

// Looks reports whether a command only looks.
func Looks(command string) bool {
	if command == "" {
		return false
	}
	for _, part := range joints.Split(quoted.ReplaceAllString(command, "Q"), -1) {
		part = flags.ReplaceAllString(strings.TrimSpace(part), "$1")
		if !looking.MatchString(part) && !dry.MatchString(part) {
			return false
		}
	}
	return !sends.MatchString(command)
}

var (
	quoted = regexp.MustCompile(`'[^']*'|"[^"]*"`)
	// ssh-keyscan HOST | argocd cert add-ssh ends in a change; the split sees that. A redirection into a file does, too.
	sends = regexp.MustCompile(`\d?>\s*[^&/\s]`)
)

// Such a command shows the failure itself: it ends as the failure makes it end.
var reproducing = regexp.MustCompile(`^(helm (dependency list|template|lint)|kustomize build|jsonnet|kubectl apply|git ls-remote|argocd app (diff|sync|manifests)|openssl|curl|kubectl( -n \S+)? (exec|auth can-i))\b`)

// Reproduces reports whether a command that only looks may fail because it shows the failure.
func Reproduces(command string) bool { return reproducing.MatchString(command) }

// Fill writes values where the text of a step has a placeholder: the longest names first, each as a whole word.
func (s Step) Fill(values map[string]string) Step {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, name := range names {
		begin := `\b`
		if strings.HasPrefix(name, "/") {
			begin = "" // a path
		}
		word := regexp.MustCompile(begin + regexp.QuoteMeta(name) + `\b`)
		s.Command = word.ReplaceAllLiteralString(s.Command, values[name])
		s.Patch = word.ReplaceAllLiteralString(s.Patch, values[name])
	}
	return s
}
