package foreign

import (
	"bytes"
	"fmt"
	"strings"

	nodes "go.yaml.in/yaml/v4"
	"sigs.k8s.io/yaml"
)

// YAML is yaml.Unmarshal, through the JSON tags, of a text that keeps within the limits.
func (l Limits) YAML(text []byte, into any) error {
	raw, err := l.FromYAML(text)
	if err != nil {
		return err
	}
	return l.JSON(raw, into)
}

// FromYAML is the first document of a YAML text as JSON.
func (l Limits) FromYAML(text []byte) ([]byte, error) {
	if err := l.checkYAML(text); err != nil {
		return nil, err
	}
	raw, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, depthOf(err)
	}
	return raw, l.Check(raw)
}

// depthOf is [errDepth] where the library gave up for that: it goes ten times as deep.
func depthOf(err error) error {
	if strings.Contains(err.Error(), "exceeded max depth") {
		return errDepth
	}
	return err
}

// directives is how many lines may begin like a directive (%TAG), of which no object has any: the library compares each with all before it.
const directives = 100

// checkYAML reports whether YAML text keeps within the limits, also when every alias is replaced by what it stands for.
func (l Limits) checkYAML(text []byte) error {
	switch {
	case len(text) > l.Bytes:
		return l.errBytes()
	case atMost(text) > l.Nodes:
		return l.errNodes()
	case bytes.Count(text, []byte("\n%")) > directives:
		return errDirectives
	case bytes.IndexByte(text, '&') < 0 || bytes.IndexByte(text, '*') < 0: // no alias
		return nil
	}
	var document nodes.Node
	if err := nodes.NewDecoder(bytes.NewReader(text)).Decode(&document); err != nil {
		return depthOf(err)
	}
	m := &measure{max: weight{l.Bytes, l.Nodes}, known: map[*nodes.Node]weight{}}
	switch w, err := m.of(&document); {
	case err != nil:
		return err
	case w.bytes >= l.Bytes, w.nodes >= l.Nodes:
		return l.errExpanded()
	}
	return nil
}

// atMost is the number of values that a YAML text cannot have more of: each but the first follows one of these marks, or is the key in
// front of one. Texts have such marks as well.
func atMost(text []byte) int {
	marks := 1
	for i, c := range text {
		switch c {
		case ',', '[', '{':
			marks++
		case ':', '-', '?':
			if i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n' || text[i+1] == '\r' || text[i+1] == '\t' {
				marks++
			}
		}
	}
	return 2 * marks
}

// weight is what a part of a document becomes.
type weight struct{ bytes, nodes int }

// measure finds the weight of YAML with its aliases replaced. Each anchored part is measured once, so it takes as long as the text is.
type measure struct {
	max   weight
	known map[*nodes.Node]weight
}

// unfinished is the weight of a part that is being measured: an alias of it is within itself.
var unfinished = weight{-1, -1}

func (m *measure) of(n *nodes.Node) (weight, error) {
	if n.Kind == nodes.AliasNode {
		n = n.Alias
		switch w, ok := m.known[n]; {
		case w == unfinished:
			return weight{}, fmt.Errorf("yaml: anchor '%s' value contains itself", n.Anchor)
		case ok:
			return w, nil
		}
	}
	if n.Anchor != "" {
		m.known[n] = unfinished
	}
	w := weight{len(n.Value) + 2, 1}
	for _, c := range n.Content {
		part, err := m.of(c)
		if err != nil {
			return weight{}, err
		}
		w.bytes = min(w.bytes+part.bytes+1, m.max.bytes)
		w.nodes = min(w.nodes+part.nodes, m.max.nodes)
	}
	if n.Anchor != "" {
		m.known[n] = w
	}
	return w, nil
}
