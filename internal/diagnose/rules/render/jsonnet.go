package render

import (
	"fmt"
	"path"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

var Jsonnet = &diagnose.Rule{
	ID: "render/jsonnet",
	Doc: diagnose.Doc{
		Title:    "Jsonnet evaluation fails",
		What:     "The application's Jsonnet has an error, imports a file that is neither next to it nor in the library path, or evaluates to something other than Kubernetes objects.",
		Decisive: "The message comes from Jsonnet.",
		Example:  "Failed to evaluate jsonnet \"main.jsonnet\": RUNTIME ERROR: couldn't open import \"grafana.libsonnet\"",
		Fix:      "Correct the Jsonnet, vendor the library, or add its directory to spec.source.directory.jsonnet.libs.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/jsonnet/"},
	},
	Sync: nothingRenders,
	Check: during(message.CallJsonnet).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("jsonnet", "generated json") && !(f.Mentions("libsonnet", ".jsonnet") && f.Has("runtime error", "static error", "import")) {
			return diagnose.Finding{}, false
		}
		r := renderedOf(in, s)
		out, ok := firstOf(jsonnetFaults, r, f.Flat())
		if !ok {
			out = evaluationFails(r)
		}
		if !r.known() {
			return out, true
		}
		out.Fix = append(out.Fix, diagnose.Fix{Text: "Reproduce it in a clone of the repository" + morePaths(r), Command: diagnose.Shell("jsonnet%s %s", libraryFlags(r), jsonnetPath(r))})
		return out, true
	}),
}

// jsonnetFaults are how an evaluation fails for which more is known than the place: https://github.com/google/go-jsonnet.
var jsonnetFaults = []fault{
	{pattern.MustCompile(`couldn't open import \\?"([^"\\]+)`), noImport},
	{pattern.MustCompile(`[Uu]ndefined external variable: (\w+)`), noExternal},
	{pattern.MustCompile(`Missing argument: (\w+)`), noArgument},
	{pattern.MustCompile(`Object 'Kind' is missing in '(.*)|cannot unmarshal (\w+) into Go value`), notObjects},
}

// evaluationFails is the finding about an error in the Jsonnet itself.
func evaluationFails(r rendered) diagnose.Finding {
	s := r.s
	out := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      "Jsonnet" + inPath("in", sourcePath(r.src)) + " cannot be evaluated",
		Brief:      "Jsonnet cannot be evaluated",
		Why:        inSource(s) + "Argo CD evaluates " + evaluated(r) + " to render the application.",
		Says:       said(s),
	}
	out.Says.Who = "Jsonnet says"
	if at := jsonnetFile.FindStringIndex(out.Says.Text); at != nil {
		out.Says.Text = strings.TrimPrefix(strings.TrimLeft(out.Says.Text[at[1]:], `": `), "RUNTIME ERROR: ")
	}
	if at := errorAt(r); at != "" {
		out.Why = inSource(s) + "The error is at " + at + "."
		out.Says.Text = strings.TrimSpace(frame.ReplaceAllString(out.Says.Text, ""))
		out.Fix = advice.Steps("Correct the Jsonnet at this place in Git, then push")
	}
	return out
}

func noImport(r rendered, m []string) diagnose.Finding {
	libs := "no directory is listed in " + r.field("directory.jsonnet.libs")
	if list := libraries(r); len(list) > 0 {
		libs = r.field("directory.jsonnet.libs") + " has " + strings.Join(list, ", ")
	}
	vendor := path.Join(r.src.Path, "vendor")
	out := diagnose.Finding{
		Title: "Jsonnet cannot import " + m[1],
		Why:   fmt.Sprintf("It is neither next to the file that imports it nor in the library path (%s).", libs),
		Fix: []diagnose.Fix{{
			Text:  "Commit the library (such as vendor/ of jsonnet-bundler), and list its directory in " + r.place() + ", relative to the root of the repository",
			Patch: "directory:\n  jsonnet:\n    libs:\n    - " + vendor + "\n",
		}},
	}
	if list := libraries(r); len(list) > 0 {
		out.Fix = advice.Steps("Commit the library below " + strings.Join(list, " or ") + " (paths in libs are relative to the root of the repository), or correct the import")
		if beside := besideSource(r, list); beside != "" {
			out.Fix = append([]diagnose.Fix{{
				Text:  "If the library is in " + beside + ", list that in " + r.place() + ": paths in libs are relative to the root of the repository, not to the application's",
				Patch: "directory:\n  jsonnet:\n    libs:\n    - " + beside + "\n",
			}}, out.Fix...)
			out.Fix[1].Text = "Otherwise commit the library below " + strings.Join(list, " or ") + ", or correct the import"
		}
	}
	if at := errorAt(r); at != "" {
		out.Why = "The import is at " + at + ". " + out.Why
	}
	return out
}

// besideSource is the directory that an entry of libs would be if it were relative to the source's path, as it is for the jsonnet command
// that people run there; empty where the source is the root or all entries are below its path.
func besideSource(r rendered, libs []string) string {
	dir := path.Clean(sourcePath(r.src))
	for _, lib := range libs {
		if lib = path.Clean(lib); dir != "." && lib != dir && !strings.HasPrefix(lib, dir+"/") && !strings.HasPrefix(lib, "..") {
			return path.Join(dir, lib)
		}
	}
	return ""
}

func noExternal(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		Title: "Jsonnet variable " + m[1] + " is not set",
		Why:   evaluated(r) + " reads it with std.extVar.",
		Fix:   []diagnose.Fix{{Text: "Set it in " + r.place(), Patch: "directory:\n  jsonnet:\n    extVars:\n    - name: " + m[1] + "\n      value: VALUE\n"}},
	}
	if at := errorAt(r); at != "" {
		out.Why = "std.extVar reads it at " + at + "."
	}
	return out
}

func noArgument(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		Title: "A Jsonnet function gets no argument " + m[1],
		Why:   "Argo CD evaluates " + evaluated(r) + ".",
		Fix: []diagnose.Fix{
			{Text: "If that file evaluates to a function of " + m[1] + ", set the argument in " + r.place(), Patch: "directory:\n  jsonnet:\n    tlas:\n    - name: " + m[1] + "\n      value: VALUE\n"},
			{Text: "If the function is called within the Jsonnet, correct the call"},
		},
	}
	if at := errorAt(r); at != "" {
		out.Why = "The error is at " + at + "."
	}
	return out
}

// notObjects is about a file that evaluates to something else than an object of Kubernetes or a list of them.
func notObjects(r rendered, m []string) diagnose.Finding {
	file := evaluated(r)
	out := diagnose.Finding{
		Title: file + " does not evaluate to Kubernetes objects",
		Short: "Jsonnet does not evaluate to Kubernetes objects",
		Whole: true,
		Why:   "Argo CD evaluates every .jsonnet file in the directory, and takes an object with a kind, or a list of such objects.",
		Fix: []diagnose.Fix{
			{Text: "If the file is only imported by others, name it .libsonnet, or exclude it"},
			{Text: "Otherwise have it return a list of the objects (std.objectValues of a map of them)"},
		},
	}
	if strings.TrimSpace(m[1]) != "" {
		out.Why += " This one has no kind: " + strings.Trim(strings.TrimSpace(m[1]), "'") + "."
	}
	out.Fix[0] = exclude(r, "If the file is only imported by others, name it .libsonnet, or exclude it", file)
	return out
}

// evaluated is the name of the file that Argo CD evaluated, which has no directory in messages.
func evaluated(r rendered) string {
	if m := jsonnetFile.FindStringSubmatch(r.s.Failure.Text); m != nil {
		return m[1]
	}
	return "the .jsonnet file"
}

// errorAt is the first place that an error names; empty where it names none.
func errorAt(r rendered) string {
	return inRepository(r, jsonnetPlace.FindString(relative(r.s.Failure.Text)))
}

// jsonnetPath is the file that Argo CD evaluated, as the repository has it: a place in it says in which directory it is.
func jsonnetPath(r rendered) string {
	file := evaluated(r)
	if !strings.HasSuffix(file, "sonnet") {
		return path.Join(r.src.Path, "FILE")
	}
	for _, at := range jsonnetPlace.FindAllString(relative(r.s.Failure.Text), -1) {
		if name, _, _ := strings.Cut(inRepository(r, at), ":"); path.Base(name) == file && strings.Contains(name, "/") {
			return name
		}
	}
	return path.Join(r.src.Path, file)
}

// libraries are the directories in which imports are looked up, as the Application lists them.
func libraries(r rendered) []string {
	if r.src.Directory == nil {
		return nil
	}
	return r.src.Directory.Jsonnet.Libs
}

func libraryFlags(r rendered) diagnose.Raw {
	out := ""
	for _, dir := range libraries(r) {
		out += diagnose.Shell(" -J %s", dir)
	}
	return diagnose.Raw(out)
}

// morePaths says what the command needs in addition.
func morePaths(r rendered) string {
	if len(libraries(r)) == 0 {
		return ""
	}
	return ", with the application's library path"
}

// jsonnetFile is the file that Argo CD evaluated.
var jsonnetFile = pattern.MustCompile(`(?:evaluate jsonnet|unmarshal|generated json) "([^"]+sonnet)"`)

// jsonnetPlace is a place in a file, frame such a place and what follows it.
var (
	jsonnetPlace = pattern.MustCompile(`[^\s"'():<>/][^\s"'():<>]*sonnet:(?:\d+:\d+(?:-\d+)?|\(\d+:\d+\)-\(\d+:\d+\))`)
	frame        = pattern.MustCompile(`^\S*sonnet:(?:\d+:\d+(?:-\d+)?|\(\d+:\d+\)-\(\d+:\d+\))\s*|\s+\S*sonnet:(?:\d+:\d+(?:-\d+)?|\(\d+:\d+\)-\(\d+:\d+\)).*$`)
)
