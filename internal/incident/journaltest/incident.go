package journaltest

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
)

// Small is an incident as it begins: of one application, told to nobody.
func Small(id string) *incident.Incident {
	seen := time.Date(2026, 11, 21, 9, 0, 7, 123456789, time.UTC)
	return &incident.Incident{
		ID: id, Phase: incident.Pending, Channel: "#deployments", Since: seen.Add(-time.Minute), Seen: seen,
		Cause:   incident.Cause{Rule: "hook/job-failed", Key: "hook/job-failed Job/db-migrate", Fingerprint: "dial tcp: connection refused"},
		Members: []incident.Member{{App: incident.App{Namespace: "argocd", Name: "web"}, Since: seen.Add(-time.Minute)}},
	}
}

// Full is an incident of which everything that is stored is set, each to something of its own: the fields of today and,
// because they are found by reflection, those of tomorrow. It panics at a type that it has no value for.
func Full(id string) *incident.Incident {
	i := &incident.Incident{}
	var f filler
	f.fill(reflect.ValueOf(i).Elem(), "incident")
	i.ID, i.Version = id, ""
	for n, r := range i.Actions {
		i.Actions[n] = incident.Snapshot(r) // what an incident holds of a record
	}
	for n, r := range i.Outbox {
		i.Outbox[n].Action = incident.Snapshot(r.Action)
	}
	return i
}

// filler counts what it has set.
type filler struct{ n int }

// wild is what texts are made of: what JSON, YAML and HTML escape, and what is more than one byte.
const wild = "\"quoted\"\n\ttab <!channel> & 100% \\ \u2028 größer 🔴: {{.}} '~' # -"

func (f *filler) fill(v reflect.Value, name string) {
	f.n++
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		*x = time.Date(2026, 11, 21, 9, 0, f.n, 123456789, time.FixedZone("", f.n%2*3600))
		return
	case *incident.Phase:
		*x = incident.Open
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%s %d %s", name, f.n, wild))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1<<53 + int64(f.n)) // more than a number of JavaScript holds
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), name)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			f.fill(v.Index(i), name)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !field.IsExported() || tag == "-" {
				continue
			}
			f.fill(v.Field(i), field.Name)
		}
	default:
		panic(fmt.Sprintf("%s is a %s: say here what to set it to", name, v.Type()))
	}
}
