package render

import (
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var Jsonnet = &diagnose.Rule{
	ID: "render/jsonnet",
	Doc: diagnose.Doc{
		Title:    "Jsonnet evaluation fails",
		What:     "The application's Jsonnet has an error, or imports a file that is neither next to it nor in the library path.",
		Decisive: "The message comes from Jsonnet.",
		Example:  "Failed to evaluate jsonnet \"main.jsonnet\": RUNTIME ERROR: couldn't open import \"grafana.libsonnet\"",
		Fix:      "Correct the Jsonnet, vendor the library, or add its directory to spec.source.directory.jsonnet.libs.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/jsonnet/"},
	},
	Sync: nothingRenders,
	Check: during(message.CallJsonnet).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Failure.Has("jsonnet") && !(s.Failure.Mentions("libsonnet", ".jsonnet") && s.Failure.Has("runtime error", "static error", "import")) {
			return diagnose.Finding{}, false
		}
		path := sourcePath(in.App().Source(s.Failure.Source))
		file := "main.jsonnet"
		if m := jsonnetFile.FindStringSubmatch(s.Failure.Text); m != nil {
			file = m[1]
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "Jsonnet" + inPath("in", path) + " cannot be evaluated",
			Why:        inSource(s) + "Argo CD evaluates " + file + " to render the application.",
			Says:       said(s),
			Fix:        []diagnose.Fix{{Text: "Reproduce it in a clone of the repository, with the application's library path (-J)", Command: diagnose.Shell("jsonnet -J vendor %s", path+"/"+file)}},
		}
		out.Says.Who = "Jsonnet says"
		if at := jsonnetFile.FindStringIndex(out.Says.Text); at != nil {
			out.Says.Text = strings.TrimPrefix(strings.TrimLeft(out.Says.Text[at[1]:], `": `), "RUNTIME ERROR: ")
		}
		switch m := jsonnetLacks.FindStringSubmatch(s.Failure.Flat()); {
		case m == nil:
		case m[1] != "":
			out.Title = "Jsonnet cannot import " + m[1]
			out.Why = inSource(s) + file + " needs it, and it is neither next to the importing file nor in the library path."
			out.Says = diagnose.Said{}
			out.Fix = append([]diagnose.Fix{{Text: "Commit the library (such as vendor/ of jsonnet-bundler), and list its directory in spec.source.directory of the Application", Patch: "jsonnet:\n  libs:\n  - vendor\n"}}, out.Fix...)
		case m[2] != "":
			out.Title = "Jsonnet variable " + m[2] + " is not set"
			out.Why = inSource(s) + file + " reads it with std.extVar."
			out.Says = diagnose.Said{}
			out.Fix = append([]diagnose.Fix{{Text: "Set it in spec.source.directory of the Application", Patch: "jsonnet:\n  extVars:\n  - name: " + m[2] + "\n    value: VALUE\n"}}, out.Fix...)
		}
		if m := jsonnetPlace.FindString(s.Failure.Text); m != "" && !strings.Contains(out.Says.Text, m) {
			out.Why = inSource(s) + "The error is at " + m + "."
			if out.Says.Text != "" {
				out.Fix = append(advice.Steps("Correct the Jsonnet at this place in Git, then push"), out.Fix...)
			}
		}
		return out, true
	}),
}

// jsonnetFile is the file that Argo CD evaluated.
var jsonnetFile = regexp.MustCompile(`(?:evaluate jsonnet|unmarshal) "([^"]+sonnet)"`)

// jsonnetLacks is an import or an external variable that is missing.
var jsonnetLacks = regexp.MustCompile(`couldn't open import \\?"([^"\\]+)|[Uu]ndefined external variable: (\w+)`)

// jsonnetPlace is the first place that an error names.
var jsonnetPlace = regexp.MustCompile(`[^\s"'():<>/][^\s"'():<>]*sonnet:\d+:\d+(?:-\d+)?`)
