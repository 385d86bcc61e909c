package diagnose

// Recognition is how a rule that shares one picture of the evidence with others tells what of it is its own. A package of such
// rules has a type for it, which says so with this method.
type Recognition interface{ Recognition() }

// Recogniser is a rule with its way to recognise, of the type that its package uses.
type Recogniser[T Recognition] struct {
	Rule       *Rule
	Recognises T
}

// madeOf is the key of what was made of the rules that recognise with a T.
type madeOf[T Recognition, V any] struct{ key string }

// FromRules makes something of the rules that recognise with a T, in the order of the list: so what such rules share is made
// of the list, and a rule is in it by being listed. It is made once per engine and key, and must not be changed.
func FromRules[T Recognition, V any](in *In, key string, compute func([]Recogniser[T]) V) V {
	e := in.run.engine
	if v, ok := e.fromRules.Load(madeOf[T, V]{key}); ok {
		if v, ok := v.(V); ok {
			return v
		}
	}
	var all []Recogniser[T]
	for _, c := range e.checks {
		if t, ok := c.rule.Recognises.(T); ok {
			all = append(all, Recogniser[T]{c.rule, t})
		}
	}
	v := compute(all)
	e.fromRules.Store(madeOf[T, V]{key}, v)
	return v
}
