package render

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
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
		if !f.Has("yaml:", "converting yaml", "unmarshal", "is missing in", "invalid character", "cannot unmarshal", "failed to parse", "error parsing", "invalid yaml", "decoding json", "did not find expected", "mapping values", "duplicate key", "already set in map", "'kind' is missing", "unexpected end of json", "found multiple objects in", "single objects are allowed", "control characters", "accessor error") || f.Has("generated json") {
			return diagnose.Finding{}, false
		}
		r := renderedOf(in, s)
		if out, ok := firstOf(objectFaults, r, f.Flat()); ok {
			return out, true
		}
		path := sourcePath(r.src)
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
				{Text: "Correct " + file + "; in a clone of the repository, kubectl reports what it cannot read", Command: readsManifests(r, file)},
				exclude(r, "If it is not a Kubernetes manifest, exclude it", file),
			},
		}
		if file == "the file" && strings.Contains(f.Text, "ailed to unmarshal manifest") {
			out = withRendered(r, out)
		}
		if m := severalObjects.FindStringSubmatch(f.Text); m != nil {
			out.Title, out.Says = m[1]+" contains more than one object", diagnose.Said{}
			out.Why = inSource(s) + "Argo CD reads one object from a JSON file."
			out.Fix = []diagnose.Fix{
				{Text: "Split the file, wrap the objects in a List, or write it as YAML with --- between them"},
				exclude(r, "If it is not a Kubernetes manifest, exclude it", m[1]),
			}
		}
		out.Says.Text = parsing.ReplaceAllString(out.Says.Text, "")
		if strings.HasSuffix(out.Says.Text, "<nil>") { // some versions of Argo CD print no reason
			out.Says = diagnose.Said{}
			out.Why = inSource(s) + "Its first document cannot be parsed or is empty (null), and Argo CD loses the parser's reason. One unreadable file stops the rendering of the whole application."
			out.Fix[0].Text = "Correct " + file + ", or remove the empty document; in a clone of the repository, kubectl says what it reads"
		}
		if used, at := usedAsValues(in, s, file); used != "" {
			out = readsValues(in, s, out, used, at)
		}
		return out, true
	}),
}

// readsManifests is the command that reads a file as Argo CD does. Argo CD names a file without its directory, so where it descends into
// directories the file has to be found.
func readsManifests(r rendered, file string) string {
	path, recursive := sourcePath(r.src), r.src.Directory != nil && r.src.Directory.Recurse
	switch {
	case !r.known():
		return ""
	case file == "the file" && recursive:
		return diagnose.Shell("kubectl apply --dry-run=client -o name -R -f %s", path)
	case file == "the file":
		return diagnose.Shell("kubectl apply --dry-run=client -o name -f %s", path)
	case recursive:
		return diagnose.Shell("find %s -name %s -exec kubectl apply --dry-run=client -o name -f {} ';'", path, file)
	}
	return diagnose.Shell("kubectl apply --dry-run=client -o name -f %s", strings.TrimPrefix(path+"/", "./")+file)
}

// exclude is the step that keeps Argo CD from reading a file as a manifest. Patterns are matched with paths relative to the source's.
func exclude(r rendered, text, file string) diagnose.Fix {
	if file == "the file" {
		return diagnose.Fix{Text: text + " with " + r.edited("directory.exclude")}
	}
	patterns := []string{file}
	if d := r.src.Directory; d != nil {
		if d.Recurse {
			patterns = append(patterns, "*/"+file)
		}
		if d.Exclude != "" {
			patterns = append([]string{strings.Trim(d.Exclude, "{}")}, patterns...)
		}
	}
	exclude := patterns[0]
	if len(patterns) > 1 {
		exclude = "'{" + strings.Join(patterns, ",") + "}'"
	}
	return diagnose.Fix{Text: text + ", in " + r.place(), Patch: "directory:\n  exclude: " + exclude + "\n"}
}

// atLine is the line at which the YAML parser stops.
var atLine = pattern.MustCompile(`yaml: (?:unmarshal errors:\s+)?line (\d+): `)

// severalObjects is a JSON file that Argo CD does not split.
var severalObjects = pattern.MustCompile(`Found multiple objects in "([^"]+)"`)

// parsing is the wrapping of a parser's error, and the line number, which the title has.
var parsing = pattern.MustCompile(`^(?:(?:[Ff]ailed to unmarshal (?:"[^"]*"|manifest)|error (?:converting YAML to|unmarshaling) JSON|while decoding JSON|yaml: (?:unmarshal errors:\s+)?line \d+): )+`)

// unreadable is the file that could not be read, where it is named.
var unreadable = pattern.MustCompile(`[Ff]ailed to unmarshal "([^"]+)"`)
