package render

import (
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/text"
)

var InvalidYAML = &diagnose.Rule{
	ID: "render/invalid-yaml",
	Doc: diagnose.Doc{
		Title:    "Manifest is not valid",
		What:     "A file in the application's directory is not valid YAML or JSON, or has no kind, apiVersion or name.",
		Decisive: "A YAML or JSON parse error, or \"Object 'Kind' is missing\", outside Helm and Kustomize.",
		Example:  "failed to unmarshal manifest: error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context",
		Fix:      "Correct the file, or exclude files that are not manifests with directory.exclude.",
	},
	Sync: nothingRenders,
	Check: during().rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("yaml:", "converting yaml", "unmarshal", "is missing in", "invalid character", "cannot unmarshal", "failed to parse", "error parsing", "invalid yaml", "decoding json", "did not find expected", "mapping values", "duplicate key", "already set in map", "'kind' is missing", "unexpected end of json", "found multiple objects in", "single objects are allowed", "control characters") {
			return diagnose.Finding{}, false
		}
		path := sourcePath(in.App().Source(f.Source))
		title, file := "A manifest"+inPath("in", path)+" is not valid", "the file"
		if m := unreadable.FindStringSubmatch(f.Text); m != nil {
			title, file = "Manifest "+m[1]+" is not valid", m[1]
		}
		if m := atLine.FindStringSubmatch(f.Text); m != nil {
			title += " (line " + m[1] + ")"
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      title,
			Why:        inSource(s) + "One unreadable file stops the rendering of the whole application.",
			Says:       said(s),
			Fix: []diagnose.Fix{
				{Text: "Correct " + file + "; in a clone of the repository, kubectl reports what it cannot read", Command: diagnose.Shell("kubectl apply --dry-run=client -R -f %s", path)},
				{Text: "If it is not a Kubernetes manifest, exclude it with " + field(s, "directory.exclude")},
			},
		}
		if file == "the file" && strings.Contains(f.Text, "ailed to unmarshal manifest") {
			out = withRendered(renderedOf(in, s), out)
		}
		if f.Has("'kind' is missing", "object 'kind' is missing") || strings.Contains(f.Text, "Object 'Kind' is missing") {
			out.Title = text.UpperFirst(file) + " is not a Kubernetes manifest"
			out.Why = inSource(s) + "It has no kind, and Argo CD reads every YAML and JSON file in the directory as manifests."
			out.Says = diagnose.Said{}
			out.Fix = []diagnose.Fix{{Text: "If it is meant to be one, add apiVersion and kind. Otherwise exclude it, in " + field(s, "directory") + " of the Application", Patch: "directory:\n  exclude: " + excluded(file) + "\n"}}
		}
		if m := severalObjects.FindStringSubmatch(f.Text); m != nil {
			out.Title, out.Says = m[1]+" contains more than one object", diagnose.Said{}
			out.Why = inSource(s) + "Argo CD reads one object from a JSON file."
			out.Fix[0].Text, out.Fix[0].Command = "Split the file, wrap the objects in a List, or write it as YAML with --- between them", ""
		}
		out.Says.Text = parsing.ReplaceAllString(out.Says.Text, "")
		if strings.HasSuffix(out.Says.Text, "<nil>") { // some versions of Argo CD print no reason
			out.Says = diagnose.Said{}
			out.Why = inSource(s) + "Its first document cannot be parsed or is empty (null), and Argo CD loses the parser's reason. One unreadable file stops the rendering of the whole application."
			out.Fix[0] = diagnose.Fix{Text: "Correct " + file + ", or remove the empty document; in a clone of the repository, kubectl says what it reads", Command: diagnose.Shell("kubectl apply --dry-run=client -o name -f %s", strings.TrimPrefix(path+"/", "./")+fileOr(file))}
		}
		if used, at := usedAsValues(in, s, file); used != "" {
			out = readsValues(in, s, out, used, at)
		}
		return out, true
	}),
}

// atLine is the line at which the YAML parser stops.
var atLine = regexp.MustCompile(`yaml: line (\d+): `)

// excluded is the pattern that excludes a file.
func excluded(file string) string {
	if file == "the file" {
		return "PATTERN"
	}
	return file
}

// fileOr is a file's name for a command.
func fileOr(file string) string {
	if file == "the file" {
		return ""
	}
	return file
}

// severalObjects is a JSON file that Argo CD does not split.
var severalObjects = regexp.MustCompile(`Found multiple objects in "([^"]+)"`)

// parsing is the wrapping of a parser's error, and the line number, which the title has.
var parsing = regexp.MustCompile(`^(?:(?:[Ff]ailed to unmarshal (?:"[^"]*"|manifest)|error (?:converting YAML to|unmarshaling) JSON|while decoding JSON|yaml: line \d+): )+`)

// unreadable is the file that could not be read, where it is named.
var unreadable = regexp.MustCompile(`[Ff]ailed to unmarshal "([^"]+)"`)
