package render

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/foreign"
)

// dependencyOf are the charts below the source's own that a template is rendered for, outermost first: "web/charts/redis/templates/x.yaml"
// is one of redis. A template that others include sees the values of the one that includes it, so the outermost counts.
func dependencyOf(template string) []string {
	chart, _, _ := strings.Cut(template, "/templates/")
	return strings.Split(chart, "/charts/")[1:]
}

// valueKey is a path that a template reads, .Values.image.tag, as the values of the source have it: those of a dependency are below its
// name, but for the global ones.
func valueKey(said, read string) string {
	key := strings.TrimPrefix(read, ".Values.")
	if first := place.FindStringSubmatch(said); first != nil && !strings.HasPrefix(key, "global.") {
		key = strings.Join(append(dependencyOf(first[1]), key), ".")
	}
	return key
}

// ownTemplate reports whether a template is the application's own: neither the chart nor the dependency that it is part of comes from
// somebody else, as far as one can tell.
func ownTemplate(r rendered, at string) bool {
	return ownRepository(r) && len(dependencyOf(at)) == 0
}

// ownRepository reports whether the chart is a directory in Git.
func ownRepository(r rendered) bool {
	return r.src.Chart == "" && !strings.HasPrefix(r.src.RepoURL, "oci://")
}

// otherVersion is the step for a template that cannot be edited.
func otherVersion(r rendered, at string) diagnose.Fix {
	if charts := dependencyOf(at); len(charts) > 0 && r.src.Chart == "" {
		return diagnose.Fix{Text: "Use another version of the dependency " + charts[len(charts)-1] + " (Chart.yaml, Chart.lock)"}
	}
	if r.src.Chart == "" {
		return diagnose.Fix{Text: "Use another version of the chart (targetRevision)"}
	}
	return diagnose.Fix{Text: "Use another version of chart " + r.src.Chart + " (targetRevision)"}
}

// valuesOf is where the values of the source are set. Of several places the last one that Argo CD reads counts.
func valuesOf(r rendered) string {
	helm := r.src.Helm
	switch {
	case r.s.Failure.Plugin:
		return "the values that the plugin gives to Helm"
	case !r.known():
		return "the values of the source that fails"
	case helm == nil && valuesPassed(r) != "":
		return valuesPassed(r)
	case helm == nil || len(helm.ValuesObject) == 0 && strings.TrimSpace(helm.Values) == "" && len(helm.ValueFiles) == 0:
		if ownRepository(r) {
			return path.Join(r.src.Path, "values.yaml")
		}
		return r.edited("helm.valuesObject")
	case len(helm.ValuesObject) > 0:
		return r.edited("helm.valuesObject")
	case strings.TrimSpace(helm.Values) != "":
		return r.edited("helm.values")
	}
	return cmp.Or(plainFile(r, helm.ValueFiles), "a values file of the application ("+r.field("helm.valueFiles")+")")
}

// passed is a values file on Helm's command line, in the repository.
var passed = pattern.MustCompile(`--values <path to cached source>/(\S+)`)

// valuesPassed is the last values file of the repository that Argo CD gave to Helm; empty where it gave none, or other values after it.
func valuesPassed(r rendered) string {
	c := r.s.Failure.Command
	if c == nil {
		return ""
	}
	files := passed.FindAllStringSubmatchIndex(c.Line, -1)
	if len(files) == 0 || strings.Contains(c.Line[files[len(files)-1][1]:], "--values ") {
		return ""
	}
	at := files[len(files)-1]
	return c.Line[at[2]:at[3]]
}

// plainFile is the last values file, as its repository has it; empty where none is a plain path.
func plainFile(r rendered, files []string) string {
	for i := len(files) - 1; i >= 0; i-- {
		file := files[i]
		switch ref, inRef, named := strings.Cut(file, "/"); {
		case strings.Contains(file, "://") || strings.ContainsAny(file, "*?{[") || strings.Contains(file, "secret"):
			continue
		case named && strings.HasPrefix(ref, "$"):
			for _, s := range r.in.App().Spec.Sources {
				if s.Ref == ref[1:] {
					return inRef + " of " + shortRepository(s.RepoURL)
				}
			}
			return inRef
		case r.src.Chart != "" || strings.Contains(file, "$"): // the publisher's own file, or a variable
			continue
		case strings.HasPrefix(file, "/"):
			return strings.TrimPrefix(file, "/")
		default:
			return path.Join(r.src.Path, file)
		}
	}
	return ""
}

// setValue is the step that sets a value which a template reads, with the YAML for it.
func setValue(r rendered, read string) diagnose.Fix {
	key := valueKey(r.s.Failure.Text, read)
	return diagnose.Fix{Text: "Set " + key + " in " + valuesOf(r), Patch: nested(key, "VALUE")}
}

// nested is a dotted path as YAML.
func nested(key, value string) string {
	var out strings.Builder
	names := strings.Split(key, ".")
	for i, name := range names {
		out.WriteString(strings.Repeat("  ", i) + name + ":")
		if i == len(names)-1 {
			out.WriteString(" " + value)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// secretsOf is a values file of the repository that helm-secrets decrypts, with the key that the reader has.
const secretsOf = "secrets://"

// valueFlags are the flags of helm template for the values files that are in the repository of the chart, or that Helm fetches itself;
// whole reports whether these are all values files.
func valueFlags(r rendered) (flags diagnose.Raw, whole bool) {
	if r.src.Helm == nil || !ownRepository(r) {
		return "", r.src.Helm == nil
	}
	out := ""
	whole = true
	for _, file := range r.src.Helm.ValueFiles {
		scheme, file := schemeOf(file)
		switch {
		case strings.ContainsAny(file, "$*?{[") || scheme != "" && scheme != secretsOf && !strings.HasPrefix(scheme, "http"):
			whole = false
			continue
		case strings.HasPrefix(scheme, "http"): // as it is
		case scheme == "" && strings.HasPrefix(file, "/"):
			file = strings.TrimPrefix(file, "/")
		case !strings.HasPrefix(file, "/"):
			file = path.Join(r.src.Path, file)
		default: // a path of the repo-server
			whole = false
			continue
		}
		if r.src.Helm.IgnoreMissingValueFiles && !passedFile(r, file) { // Argo CD leaves out those that do not exist, Helm would not
			whole = false
			continue
		}
		out += diagnose.Shell(" -f %s", scheme+file)
	}
	return diagnose.Raw(out), whole
}

// schemeOf cuts a values file into the scheme of its URL, and the rest.
func schemeOf(file string) (scheme, rest string) {
	if at := strings.Index(file, "://"); at >= 0 {
		return file[:at+len("://")], file[at+len("://"):]
	}
	return "", file
}

// passedFile reports whether Argo CD gave a file to Helm.
func passedFile(r rendered, file string) bool {
	c := r.s.Failure.Command
	return c != nil && strings.Contains(c.Line+" ", "/"+file+" ")
}

// refused is the first element of the path of a value that a schema refuses, as Helm 3 prints it and as later releases do.
var refused = pattern.MustCompile(`- (?:at '/([^/']+)[^']*'|([\w-]+)[\w.-]*): `)

// ofChart begins what the schema of one chart refuses.
var ofChart = pattern.MustCompile(`(?:^|\s)([\w-]+): - `)

// defaultsAtFault are the values that a schema refuses and that a published chart has by itself; empty where the Application's values are
// not all known.
func defaultsAtFault(r rendered, said string) string {
	helm := r.src.Helm
	if r.src.Chart == "" || helm == nil || len(helm.ValueFiles)+len(helm.Parameters) > 0 || len(helm.ValuesObject)+len(helm.Values) == 0 {
		return ""
	}
	if charts := ofChart.FindAllStringSubmatch(said, -1); len(charts) != 1 || charts[0][1] != r.src.Chart { // those of a dependency are below its name
		return ""
	}
	own, _, err := ownValues(r)
	if err != nil {
		return ""
	}
	var out []string
	for _, m := range refused.FindAllStringSubmatch(said, -1) {
		name := cmp.Or(m[1], m[2])
		if _, set := own[name]; !set && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return strings.Join(out, " and ")
}

// ownValues are the values that the Application sets itself, and the field that has them; none without any.
func ownValues(r rendered) (values map[string]any, where string, err error) {
	helm := r.src.Helm
	switch {
	case helm == nil:
		return nil, "", nil
	case len(helm.ValuesObject) > 0:
		err = foreign.Field.JSON(helm.ValuesObject, &values)
		return values, "helm.valuesObject", err
	}
	err = foreign.Field.YAML([]byte(helm.Values), &values)
	return values, "helm.values", err
}

// valuesTooLarge says that the Application's own values are not known because of their size; empty where they are known.
func valuesTooLarge(r rendered) string {
	_, where, err := ownValues(r)
	if !foreign.IsTooLarge(err) {
		return ""
	}
	return fmt.Sprintf(" What the Application sets itself is not known: %s is %s.", r.field(where), err)
}
