// Package commands reads the commands that the documentation shows, and says where each one is run: its own tests run those that need
// nothing, test/install those that need a cluster, Helm or Argo CD, as they are on the page.
package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Command is one that a page shows after a prompt.
type Command struct {
	Page string // from the root of the repository
	Line int
	// Text is what somebody copies, with the comment behind it; Name is the same without the comment.
	Text, Name string
	// Output is what the page shows below it, up to the next command; mostly nothing.
	Output string
}

func (c Command) String() string { return fmt.Sprintf("%s:%d: %s", c.Page, c.Line, c.Name) }

// pages are those for people who use the program.
var pages = []string{"README.md", "SECURITY.md", "CONTRIBUTING.md", "docs/*.md", "deploy/*/*/README.md"}

var (
	fence   = regexp.MustCompile("^( *)```(.*)$")
	prompt  = regexp.MustCompile(`^ *\$ (.*)$`)
	comment = regexp.MustCompile(`\s+# .*$`)
	shells  = regexp.MustCompile(`^(sh|shell|bash|zsh)\b`)
)

// All are the commands of all pages, in the order of the pages.
func All(root string) (out []Command, err error) {
	for _, pattern := range pages {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			return nil, fmt.Errorf("find the pages %s: %d, %w", pattern, len(files), err)
		}
		for _, file := range files {
			name, err := filepath.Rel(root, file)
			if err != nil {
				return nil, err
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			out = append(out, of(filepath.ToSlash(name), string(raw))...)
		}
	}
	return out, nil
}

// of are the commands of a page: the lines with a prompt of every block, and every line of a block of a shell.
func of(page, text string) (out []Command) {
	block, indent := "", ""
	inside, after := false, false // after a command of this block
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if m := fence.FindStringSubmatch(line); m != nil {
			inside, after, block, indent = !inside, false, m[2], m[1]
			continue
		}
		if !inside {
			continue
		}
		line = strings.TrimPrefix(line, indent)
		switch m := prompt.FindStringSubmatch(line); {
		case m != nil:
			after = true
			out = append(out, Command{Page: page, Line: n, Text: m[1], Name: comment.ReplaceAllString(m[1], "")})
		case shells.MatchString(block):
			if line != "" && !strings.HasPrefix(line, "#") {
				out = append(out, Command{Page: page, Line: n, Text: line, Name: comment.ReplaceAllString(line, "")})
			}
		case after:
			last := &out[len(out)-1]
			last.Output += line + "\n"
		}
	}
	return out
}
