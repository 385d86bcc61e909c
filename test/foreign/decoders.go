package foreign

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// decoders are what makes values of JSON and YAML, by package; "*" is all of it.
var decoders = map[string][]string{
	"encoding/json":                                     {"Unmarshal", "NewDecoder"},
	"encoding/xml":                                      {"*"},
	"encoding/gob":                                      {"*"},
	"sigs.k8s.io/yaml":                                  {"Unmarshal", "UnmarshalStrict", "YAMLToJSON", "YAMLToJSONStrict"},
	"sigs.k8s.io/json":                                  {"*"},
	"k8s.io/apimachinery/pkg/util/json":                 {"Unmarshal"},
	"k8s.io/apimachinery/pkg/util/yaml":                 {"*"},
	"k8s.io/apimachinery/pkg/runtime/serializer":        {"*"},
	"k8s.io/apimachinery/pkg/runtime/serializer/json":   {"*"},
	"k8s.io/apimachinery/pkg/runtime/serializer/yaml":   {"*"},
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured": {"UnstructuredJSONScheme"},
	"google.golang.org/protobuf/encoding/protojson":     {"*"},
}

// isYAML recognises the other libraries for YAML and TOML, in whatever version.
func isYAML(pkg string) bool {
	return !strings.HasPrefix(pkg, "sigs.k8s.io/yaml") && (strings.Contains(pkg, "yaml") || strings.Contains(pkg, "toml")) && strings.Contains(pkg, ".") ||
		strings.HasPrefix(pkg, "sigs.k8s.io/yaml/")
}

// writers make text of values.
var writers = map[string]bool{"Marshal": true, "NewEncoder": true, "MarshalWithOptions": true}

// Decoders are the places in a Go file that decode JSON or YAML by themselves, "12: json.Unmarshal".
func Decoders(name string, source []byte) ([]string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, 0)
	if err != nil {
		return nil, err
	}
	imported := map[string]string{}
	var found []string
	note := func(at token.Pos, what string) {
		found = append(found, fmt.Sprintf("%d: %s", set.Position(at).Line, what))
	}
	for _, spec := range file.Imports {
		pkg, _ := strconv.Unquote(spec.Path.Value) // it parsed
		if decoders[pkg] == nil && !isYAML(pkg) {
			continue
		}
		local := localName(pkg)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if local == "." || local == "_" {
			note(spec.Pos(), "imports "+pkg+" as "+local)
		}
		imported[local] = pkg
	}
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := s.X.(*ast.Ident)
		if pkg := ""; ok {
			if pkg = imported[x.Name]; pkg != "" && decodes(pkg, s.Sel.Name) {
				note(s.Pos(), x.Name+"."+s.Sel.Name)
			}
		}
		return true
	})
	return found, nil
}

func decodes(pkg, name string) bool {
	if isYAML(pkg) {
		return !writers[name]
	}
	for _, d := range decoders[pkg] {
		if d == "*" || d == name {
			return true
		}
	}
	return false
}

// localName is what a file calls a package that it does not rename.
func localName(pkg string) string {
	base := path.Base(pkg)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" { // a major version
		base = path.Base(path.Dir(pkg))
	}
	name, _, _ := strings.Cut(base, ".v")
	return name
}
