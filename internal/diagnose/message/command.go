package message

import (
	"strings"
)

// Command is a command that Argo CD's repo-server (or its kubectl) ran and that failed.
type Command struct {
	// Tool is git, helm, kustomize, jsonnet, kubectl, or the first word of the command line.
	Tool string
	// Verb is the tool's subcommand, e.g. "template", "dependency", "fetch"; empty when there is none.
	Verb string
	Line string
	// Result is "exit status 1", "timeout after 1m30s", "signal: killed", or empty.
	Result string
	// Output is what the command printed.
	Output string
}

// parseCommand reads "`COMMAND` failed RESULT: OUTPUT".
func parseCommand(s string) *Command {
	line, rest, ok := cutCommand(s)
	if !ok || line == "" || len(line) > 8000 {
		return nil
	}
	c := &Command{Line: line}
	c.Tool, c.Verb = tool(line)
	rest = strings.TrimSpace(rest)
	for _, result := range []string{"exit status ", "timeout after ", "signal: "} {
		if strings.HasPrefix(rest, result) {
			c.Result, rest, _ = strings.Cut(rest, ":")
			if result == "signal: " { // its own colon
				var word string
				word, rest, _ = strings.Cut(strings.TrimSpace(rest), ":")
				c.Result = "signal: " + word
			}
		}
	}
	c.Output = strings.TrimSpace(strings.TrimPrefix(rest, ":"))
	return c
}

// cutCommand finds the command line and what follows " failed". Some versions leave the quotes out; then it ends in how
// the command ended, and begins with one of Argo CD's own tools.
func cutCommand(s string) (line, rest string, ok bool) {
	if _, quoted, found := strings.Cut(s, "`"); found {
		if line, rest, ok = strings.Cut(quoted, "` failed"); ok {
			return line, rest, true
		}
	}
	for _, ended := range []string{" failed timeout after ", " failed exit status ", " failed signal: "} {
		head, tail, found := strings.Cut(s, ended)
		if !found {
			continue
		}
		for _, name := range []string{"git ", "helm ", "kustomize ", "jsonnet "} {
			if i := strings.Index(head, name); i >= 0 && (i == 0 || head[i-1] == ' ') {
				return head[i:], strings.TrimPrefix(ended, " failed ") + tail, true
			}
		}
	}
	return "", "", false
}

// tool finds the tool and its verb; a shell that runs one command is looked through.
func tool(line string) (name, verb string) {
	line = line[strings.LastIndexByte(line, '|')+1:] // a shell reports how the last of a pipe ended
	words := strings.Fields(line)
	for len(words) > 1 && (words[0] == `\` || isShell(words[0]) || strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
		words = words[1:]
	}
	if len(words) == 0 {
		return "", ""
	}
	name = strings.Trim(words[0][strings.LastIndexByte(words[0], '/')+1:], `"'`)
	if name == "helm2" || name == "helm3" || name == "helmv3" {
		name = "helm"
	}
	if strings.HasPrefix(name, "kustomize_") || strings.HasPrefix(name, "kustomize-") { // further versions, as argocd-cm registers them
		name = "kustomize"
	}
	for _, w := range words[1:] {
		if w = strings.Trim(w, `"'`); isVerb(w) {
			return name, w
		}
	}
	return name, ""
}

// isVerb reports whether a word may be a subcommand, and is no flag, path, variable or number.
func isVerb(word string) bool {
	return word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") == "" && word[0] != '-'
}

func isShell(word string) bool {
	switch word[strings.LastIndexByte(word, '/')+1:] {
	case "sh", "bash", "ash", "env", "timeout":
		return true
	}
	return false
}

// TimedOut reports whether the command was stopped because it took too long.
func (c *Command) TimedOut() bool { return strings.HasPrefix(c.Result, "timeout after ") }

// Killed reports whether a signal ended the command, which is most often the kernel for lack of memory.
func (c *Command) Killed() bool { return strings.HasPrefix(c.Result, "signal: killed") }

// core is the tool's own error: behind its last "Error: " at the start of a clause, without usage and warnings.
func (c *Command) core() string {
	out := stripNoise(c.Output)
	for _, mark := range []string{"Error: ", "error: ", "fatal: ", "RUNTIME ERROR: "} {
		if i := firstClause(out, mark); i >= 0 {
			return out[i+len(mark):]
		}
	}
	return out
}

// firstClause finds mark at the start of the text or behind a space, so that "UPGRADE Error: " counts and "MyError: " does not.
func firstClause(s, mark string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], mark)
		if i < 0 {
			return -1
		}
		i += from
		if i == 0 || s[i-1] == ' ' || s[i-1] == '\n' {
			return i
		}
		from = i + len(mark)
	}
}
