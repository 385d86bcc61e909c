package message

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// advice is where a tool has said what is wrong and continues with usage, hints, flags or a stack trace. Nothing after it matters.
var advice = pattern.MustCompile(`(?:^|\s)(?:` + strings.Join([]string{
	`Use --debug flag to render out invalid YAML`,
	`-Additional Info: This error usually means`,
	`Please make sure you have the correct access rights`,
	`Please add the missing repos via 'helm repo add'`,
	`[Uu]sage: \S+`,
	`(?:Global )?Flags: +-`,
	`Run '[^']+ --help'`,
	`See '[^']+ --help'`,
	`hint: `,
	`stack traceback: `,
	`goroutine \d+ \[`,
	// Jsonnet's frames: place, then what was evaluated there.
	`(?:<[^>]*>)?[^\s<]+:(?:\d+:\d+(?:-\d+)?|\(\d+:\d+\)-\(\d+:\d+\)) +(?:thunk|function|object|builtin|\$)`,
}, "|") + `)`)

// consequence is what git says last whatever went wrong before. It counts only where nothing else was said.
const consequence = "fatal: Could not read from remote repository."

// progress is what tools print while nothing is wrong, and warnings that change nothing.
var progress = pattern.MustCompile(strings.Join([]string{
	`^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d `,
	`Cloning into '[^']*(?:'\.\.\.|…)`,
	`Submodule '[^']*' \([^)]*\) registered for path '[^']*'`,
	`remote: (?:Enumerating|Counting|Compressing|Total) [^:]*?(?:, done\.|\d\))`,
	`# Warning: '\w+' is deprecated\. .*?(?:automatically|instead)\.(?: Run 'kustomize edit fix'[^.]*\.)?`,
	`Hang tight while we grab the latest from your chart repositories\.\.\.`,
	`\.\.\.Successfully got an update from the "[^"]*" chart repository`,
	`Getting updates for unmanaged Helm repositories\.\.\.`,
	`Update Complete\. ?⎈ ?Happy Helming!⎈`,
	`Saving \d+ charts?`,
	`Downloading \S+ from repo \S+`,
	`Deleting outdated charts`,
	`Pulled: \S+ Digest: \S+`,
	`walk\.go:\d+: found symbolic link in path: .*? resolves to \S+(?: Contents of linked file included and used)?\.?`,
	`(?:time="[^"]*" )?level=(?:info|warning|debug) msg="[^"]*"`,
}, "|"))

// transport is how gRPC wraps a connection that it could not make.
var transport = pattern.MustCompile(`(?:^|: )connection error: desc = "(.+?)"?$`)

// call is the system call that Go puts before a network error; rpc what is left of gRPC in the middle of a text.
var (
	call = pattern.MustCompile(`: (?:connect|read|write): `)
	rpc  = pattern.MustCompile(`rpc error: code = \w+ desc = |^transport: `)
)

// What advice and progress cannot match without. Most texts have none of it, and looking for words is much cheaper.
var (
	adviceWords = []string{
		"Use --debug flag", "-Additional Info", "Please make sure", "Please add the missing", "sage: ", "Flags: ", " --help'", "hint: ",
		"stack traceback: ", "goroutine ", " thunk", " function", " object", " builtin", " $",
	}
	progressWords = []string{
		"Cloning into '", "Submodule '", "remote: ", "# Warning: '", "Hang tight", "...Successfully got", "Getting updates for", "Update Complete",
		"Saving ", "Downloading ", "Deleting outdated", "Pulled: ", "walk.go:", "level=",
	}
)

// beginsWithDate reports whether a text may begin as Go's logger does, with "2006/".
func beginsWithDate(s string) bool { return len(s) > 4 && s[4] == '/' && '0' <= s[0] && s[0] <= '9' }

// stripNoise leaves what says something about the failure. A text that is noise all through stays as it is.
func stripNoise(s string) string {
	out := s
	if strings.Contains(out, "connection error: desc") {
		if m := transport.FindStringSubmatch(out); m != nil {
			out = strings.TrimPrefix(m[1], "transport: ")
		}
	}
	if HasAny(out, ": connect: ", ": read: ", ": write: ") {
		out = call.ReplaceAllString(out, ": ")
	}
	if HasAny(out, "rpc error: code = ", "transport: ") {
		out = rpc.ReplaceAllString(out, "")
	}
	if HasAny(out, adviceWords...) {
		if at := advice.FindStringIndex(out); at != nil {
			out = out[:at[0]]
		}
	}
	if HasAny(out, progressWords...) || beginsWithDate(out) {
		out = progress.ReplaceAllString(out, "")
	}
	if head, _, ok := strings.Cut(out, consequence); ok && strings.TrimSpace(head) != "" {
		out = head
	}
	if out = strings.TrimSpace(out); out == "" {
		return strings.TrimSpace(s)
	}
	return out
}
