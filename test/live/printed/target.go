package printed

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// Place is where a person puts a step's YAML.
type Place int

// The places.
const (
	// InGit: into the manifest of a resource, or onto the live object of one that Git does not have.
	InGit Place = iota
	// InApplication: into the Application.
	InApplication
	// InSettings: into the ConfigMap argocd-cm.
	InSettings
	// InProject: into the AppProject.
	InProject
	// InFile: into a file of the repository, which is no manifest: the values of a chart.
	InFile
)

// Piece is one document of a step's YAML, and where it goes.
type Piece struct {
	Place Place
	// On is the resource whose manifest it is merged into.
	On Resource
	// File is the path in the repository, for InFile.
	File  string
	Value map[string]any
}

// configuresApplication reports whether only the spec of an Application has such a field.
func configuresApplication(o map[string]any) bool {
	spec, _ := o["spec"].(map[string]any)
	for _, field := range []string{"syncPolicy", "ignoreDifferences", "source", "sources"} {
		if spec[field] != nil {
			return true
		}
	}
	return false
}

// nested is a value under a path of fields.
func nested(path []string, value map[string]any) map[string]any {
	for _, field := range slices.Backward(path) {
		value = map[string]any{field: value}
	}
	return value
}

var (
	inFile    = regexp.MustCompile(`\bin (\S+\.ya?ml)\b`)
	inField   = regexp.MustCompile(`in (spec(?:\.\w+)+) of the Application`)
	on        = regexp.MustCompile(`(?m)^# on (\S+)/([^\s,]+).*$`)
	separator = regexp.MustCompile(`(?m)^---.*\n`)
)

// Pieces are the documents of the step's YAML. What a document says about its place comes before what the text says.
func (s Step) Pieces(f Finding) ([]Piece, error) {
	var all []Piece
	for _, text := range separator.Split(s.Patch, -1) {
		if strings.TrimSpace(text) == "" {
			continue
		}
		p := Piece{On: f.Resource}
		if err := yaml.Unmarshal([]byte(text), &p.Value); err != nil {
			return nil, fmt.Errorf("parse the YAML of %q: %w", s.Text, err)
		}
		m := on.FindStringSubmatch(text)
		switch {
		case m != nil && m[1] == "Application" && f.Resource.Kind != "Application":
			p.Place = InApplication
		case m != nil:
			p.On = Resource{Kind: m[1], Name: m[2]}
			if f.Resource.Name == p.On.Name && (f.Resource.Kind == p.On.Kind || p.On.Kind == strings.ToUpper(p.On.Kind)) {
				p.On = f.Resource
			}
		case strings.Contains(s.Text+text, "argocd-cm"):
			p.Place = InSettings
			if _, ok := p.Value["data"]; !ok {
				p.Value = map[string]any{"data": p.Value}
			}
		case strings.Contains(s.Text, "AppProject"):
			p.Place = InProject
		case strings.Contains(s.Text, "the Application"), configuresApplication(p.Value):
			p.Place = InApplication
			if m := inField.FindStringSubmatch(s.Text); m != nil {
				p.Value = nested(strings.Split(m[1], "."), p.Value)
			}
		case f.Resource.Kind == "" && inFile.MatchString(s.Text):
			p.Place, p.File = InFile, inFile.FindStringSubmatch(s.Text)[1]
		}
		all = append(all, p)
		if m == nil && p.Place == InGit && strings.Contains(s.Text, " more") {
			for _, o := range f.Others {
				all = append(all, Piece{On: o, Value: p.Value})
			}
		}
	}
	return all, nil
}
