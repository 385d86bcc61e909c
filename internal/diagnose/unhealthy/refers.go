package unhealthy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// RefersTo is what a resource gets what it makes from, as its object names it: see the function of that name. Zero where the object was not
// read.
func (s *Resource) RefersTo() evidence.Ref {
	if !s.Object.Ref().Same(s.Ref) {
		return evidence.Ref{}
	}
	return RefersTo(s.Ref, s.Object)
}

// RefersTo is what a resource gets what it makes from, as an object of it says: the store of an ExternalSecret, the issuer of a Certificate.
// Zero for other kinds, and where the object names nothing.
func RefersTo(of evidence.Ref, o evidence.Object) evidence.Ref {
	var field, group, kind string
	switch of.Kind {
	case "ExternalSecret":
		field, group, kind = "secretStoreRef", "external-secrets.io", "SecretStore"
	case "Certificate":
		field, group, kind = "issuerRef", "cert-manager.io", "Issuer"
	default:
		return evidence.Ref{}
	}
	name := o.Text("spec", field, "name")
	if name == "" {
		return evidence.Ref{}
	}
	ref := evidence.Ref{
		Group: cmp.Or(o.Text("spec", field, "group"), group), Kind: cmp.Or(o.Text("spec", field, "kind"), kind),
		Namespace: of.Namespace, Name: name,
	}
	if strings.Contains(ref.Kind, "Cluster") {
		ref.Namespace = ""
	}
	return ref
}

// examineReferred reads what a resource refers to, with its events: it knows why the resource gets nothing from it.
func (p *Picture) examineReferred(r *reader, s *Resource) {
	ref := s.RefersTo()
	if ref.IsZero() {
		return
	}
	s.Refers = &Resource{Ref: ref}
	if i := slices.IndexFunc(p.Resources, func(o *Resource) bool { return o.Ref.Same(ref) }); i >= 0 {
		s.Refers = p.Resources[i]
	}
	if s.Refers.Object != nil || s.Refers.Examined {
		return
	}
	r = &reader{in: r.in, free: r.free, asked: true}
	q := s.Refers.query()
	s.Refers.Object, s.Refers.Events = readFact(r, evidence.FactObject(q)), readFact(r, evidence.FactEvents(q))
}
