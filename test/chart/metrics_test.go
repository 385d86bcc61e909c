package chart_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// registered are the metrics of the bot as Prometheus has them, each with its labels.
type registered map[string][]string

// byPrometheus are the labels that every metric gets when it is read.
var byPrometheus = []string{"namespace", "job", "pod"}

// perShard are the directories whose metrics have a label for the Argo CD, where each has a leader of its own: internal/app wraps their registry.
var perShard = []string{"../../internal/app", "../../internal/incident", "../../internal/remedy"}

// metrics are those that the bot's code makes with the client library: the only way that it has any.
func metrics(t *testing.T) registered {
	t.Helper()
	out := registered{"up": byPrometheus, "process_resident_memory_bytes": byPrometheus}
	err := filepath.WalkDir("../../internal", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return err
		}
		var further []string
		if slices.Contains(perShard, filepath.Dir(file)) {
			further = append(further, "shard")
		}
		out.add(parsed, further...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 20 {
		t.Fatalf("found %d metrics only: the test looks for the wrong thing", len(out))
	}
	return out
}

// add adds the metrics of a file, which have further labels.
func (m registered) add(file *ast.File, further ...string) {
	constant := slices.Clone(further) // labels that all metrics of the file may have
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.CompositeLit); ok && of(l.Type) == "Labels" {
			for _, e := range l.Elts {
				if label, ok := e.(*ast.KeyValueExpr); ok {
					constant = append(constant, literal(label.Key))
				}
			}
		}
		return true
	})
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		made := ""
		if ok {
			made, ok = strings.CutPrefix(of(call.Fun), "New")
		}
		if !ok || len(call.Args) == 0 {
			return true
		}
		options, ok := call.Args[0].(*ast.CompositeLit)
		if !ok || !strings.HasSuffix(of(options.Type), "Opts") {
			return true
		}
		for _, e := range options.Elts {
			if field, ok := e.(*ast.KeyValueExpr); ok && types.ExprString(field.Key) == "Name" {
				m.register(literal(field.Value), made, slices.Concat(constant, vector(call.Args)))
			}
		}
		return true
	})
}

func (m registered) register(name, made string, own []string) {
	names := slices.Concat(own, byPrometheus)
	for _, taken := range []string{"instance", "job"} { // Prometheus' own are the address of the replica and the job that reads it
		if slices.Contains(own, taken) {
			names = append(names, "exported_"+taken)
		}
	}
	if !strings.HasPrefix(made, "Histogram") {
		m[name] = names
		return
	}
	m[name+"_count"], m[name+"_sum"], m[name+"_bucket"] = names, names, append(names, "le")
}

// vector are the labels of a vector: the last argument of the call that makes it.
func vector(args []ast.Expr) (names []string) {
	list, ok := args[len(args)-1].(*ast.CompositeLit)
	if !ok || len(args) == 1 {
		return nil
	}
	for _, e := range list.Elts {
		names = append(names, literal(e))
	}
	return names
}

// of is the name of something in package prometheus.
func of(e ast.Expr) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if x, ok := s.X.(*ast.Ident); !ok || x.Name != "prometheus" {
		return ""
	}
	return s.Sel.Name
}

func literal(e ast.Expr) string {
	l, ok := e.(*ast.BasicLit)
	if !ok {
		return ""
	}
	text, err := strconv.Unquote(l.Value)
	if err != nil {
		return ""
	}
	return text
}
