package change

import (
	"io"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// commands are the words of each simple command of a line, in its order, with those of what it substitutes: $(…). ok is false where a shell
// would not take the line.
func commands(line string) (out [][]string, ok bool) {
	parsed, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, false
	}
	ok = true
	syntax.Walk(parsed, func(node syntax.Node) bool {
		call, simple := node.(*syntax.CallExpr)
		if !simple || len(call.Args) == 0 {
			return true
		}
		if len(call.Assigns) > 0 { // which the program reads, such as KUBECONFIG
			ok = false
			return true
		}
		words, err := expand.Fields(&expand.Config{CmdSubst: substituted}, call.Args...)
		if err != nil || len(words) == 0 {
			ok = false
			return true
		}
		out = append(out, words)
		return true
	})
	return out, ok
}

// substituted is what a word has where only running the line would tell.
func substituted(w io.Writer, _ *syntax.CmdSubst) error {
	_, err := io.WriteString(w, "$()")
	return err
}
