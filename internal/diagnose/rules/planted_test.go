package rules_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestNoRuleSeesASecret plants a secret into every text of every fact of every recorded case and diagnoses it. The report is
// that of the engine itself: no later net has looked at it. A secret must be gone before any rule can take a text apart.
func TestNoRuleSeesASecret(t *testing.T) {
	e := engine(t)
	for _, where := range []string{"every text", "sentences"} {
		t.Run(where, func(t *testing.T) {
			leaks, planted := 0, 0
			for i, r := range recordedCases(t) {
				p := newPlanter(uint64(i), where == "sentences", i%2 == 0)
				p.plant(reflect.ValueOf(r.c).Elem())
				planted += p.planted
				rep, err := e.Diagnose(t.Context(), r.c.Source(), r.c.Now.Time)
				if err != nil {
					t.Fatalf("%s: %v", r.name, err)
				}
				for _, leak := range p.leaks(rep) {
					if leaks++; leaks < 20 {
						t.Errorf("%s: %s", r.name, leak)
					}
				}
			}
			if leaks > 0 || planted < 2000 {
				t.Errorf("%d reports show parts of a secret, of which %d were planted", leaks, planted)
			}
		})
	}
}

// TestNoLimitHidesWhatASecretIs moves the secret away from the text letter by letter, over every limit at which a rule cuts, so that
// each time something else of it is cut off.
func TestNoLimitHidesWhatASecretIs(t *testing.T) {
	e := engine(t)
	groups := map[string]int{}
	for i, r := range recordedCases(t) {
		if groups[r.group]++; groups[r.group] > 2 {
			continue
		}
		for filler := 0; filler < 400; filler += 9 {
			p := newPlanter(uint64(i*1000+filler), true, false)
			p.filler = filler
			c := copyOf(t, r.c)
			p.plant(reflect.ValueOf(c).Elem())
			rep, err := e.Diagnose(t.Context(), c.Source(), c.Now.Time)
			if err != nil {
				t.Fatalf("%s: %v", r.name, err)
			}
			for _, leak := range p.leaks(rep) {
				t.Fatalf("%s, %d letters away: %s", r.name, filler, leak)
			}
		}
	}
}

func copyOf(t *testing.T, c *evidence.Case) *evidence.Case {
	t.Helper()
	cases, err := evidence.DecodeCases(c.Document, c.Now.Time)
	if err != nil {
		t.Fatal(err)
	}
	return cases[0]
}

// planter puts one secret into many texts.
type planter struct {
	secret string
	// sentences: only into texts with a space, so that rules still recognise the rest. first: in front of the text, not behind it.
	sentences, first bool
	// filler is how many letters there are between the text and the secret.
	filler  int
	planted int
}

const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"

func newPlanter(seed uint64, sentences, first bool) *planter {
	random := rand.New(rand.NewPCG(seed, 16))
	secret := make([]byte, 24)
	for i := range secret {
		secret[i] = letters[random.IntN(len(letters))]
	}
	return &planter{secret: string(secret), sentences: sentences, first: first}
}

// namesOfObjects are fields by which objects are looked up and told apart. The API server takes no free text there.
var namesOfObjects = map[string]bool{
	"APIVersion": true, "Group": true, "Version": true, "Kind": true, "Namespace": true, "Name": true, "UID": true, "Pod": true, "Container": true,
	"Project": true, "ControllerNamespace": true, "Revision": true, "Revisions": true, "DrySHA": true, "HydratedSHA": true,
	"Status": true, "Phase": true, "HookType": true, "HookPhase": true, "SyncPhase": true, "SourceType": true, "SourceTypes": true, "Type": true,
	"Origin": true, "Missing": true, "AutoscalersOf": true, "Rendered": true, "Document": true, // of the case file, not of a fact
}

var namesInObjects = map[string]bool{
	"apiVersion": true, "group": true, "version": true, "kind": true, "name": true, "namespace": true, "uid": true, "resourceVersion": true, "type": true, "status": true, "phase": true,
	"time": true, "manager": true, "operation": true, "fieldsType": true, "managedFields": true, "creationTimestamp": true, "key": true,
}

// into plants the secret as the password of a URL, whose host is what tells it from a word.
func (p *planter) into(s string) string {
	if p.sentences && !strings.Contains(s, " ") || s == "" {
		return s
	}
	p.planted++
	url := "https://deploy:" + p.secret + "@git.example.com/" + "shop/infrastructure.git"
	filler := strings.Repeat("while it waited ", p.filler/16+1)[:p.filler]
	if p.first {
		return url + " " + filler + s
	}
	return s + " " + filler + url
}

func (p *planter) plant(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // the rest has no texts
	case reflect.String:
		v.SetString(p.into(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			p.plant(v.Elem())
		}
	case reflect.Slice:
		if raw, ok := v.Interface().(json.RawMessage); ok {
			v.SetBytes([]byte(p.inJSON(string(raw))))
			return
		}
		for i := range v.Len() {
			p.plant(v.Index(i))
		}
	case reflect.Map:
		if o, ok := v.Interface().(evidence.Object); ok {
			p.inTree(map[string]any(o)) // in place
			return
		}
		for _, key := range v.MapKeys() {
			v.SetMapIndex(key, reflect.ValueOf(p.into(v.MapIndex(key).String())))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			switch {
			case !f.IsExported() || f.Type == reflect.TypeFor[evidence.Time]():
			case namesOfObjects[f.Name] && f.Type.Kind() != reflect.Struct && f.Type.Kind() != reflect.Pointer: // of the case file, or a name
			case strings.HasSuffix(f.Name, "State") && f.Type.Kind() == reflect.String:
				v.Field(i).SetString(p.inJSON(v.Field(i).String()))
			default:
				p.plant(v.Field(i))
			}
		}
	}
}

func (p *planter) inJSON(s string) string {
	var v any
	if json.Unmarshal([]byte(s), &v) != nil || v == nil {
		return s
	}
	out, _ := json.Marshal(p.inTree(v))
	return string(out)
}

func (p *planter) inTree(v any) any {
	switch v := v.(type) {
	case string:
		return p.into(v)
	case []any:
		for i := range v {
			v[i] = p.inTree(v[i])
		}
	case map[string]any:
		for key := range v {
			if !namesInObjects[key] {
				v[key] = p.inTree(v[key])
			} else if _, isText := v[key].(string); !isText && key != "managedFields" {
				v[key] = p.inTree(v[key])
			}
		}
	}
	return v
}

// leaks are the texts of a report that have five characters of the secret in a row.
func (p *planter) leaks(rep *diagnose.Report) []string {
	raw, err := json.Marshal(rep)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	text := string(raw)
	for i := range len(p.secret) - 4 {
		if at := strings.Index(text, p.secret[i:i+5]); at >= 0 {
			out = append(out, fmt.Sprintf("%q in …%s…", p.secret[i:i+5], text[max(0, at-150):min(len(text), at+60)]))
			break
		}
	}
	return out
}
