package evidence

// Index finds items by what they refer to, in a time that does not grow with their number.
type Index[T interface{ Ref() Ref }] struct {
	items []T
	// places are those of the items with one kind and name, in the order of the list; nil while the list is short.
	places map[objectName][]int32
}

// objectName is the part of a reference that is always known.
type objectName struct{ kind, name string }

// short is a list that is faster to search than to index.
const short = 24

// IndexOf reads the list once for many questions. It must not change afterwards.
func IndexOf[T interface{ Ref() Ref }](items []T) *Index[T] {
	x := &Index[T]{items: items}
	if len(items) <= short {
		return x
	}
	x.places = make(map[objectName][]int32, len(items))
	for i := range items {
		ref := items[i].Ref()
		key := objectName{ref.Kind, ref.Name}
		x.places[key] = append(x.places[key], int32(i))
	}
	return x
}

// Find returns the first item that refers to the same object, as [Ref.Same] compares; nil when there is none.
func (x *Index[T]) Find(ref Ref) *T {
	switch {
	case x == nil:
	case x.places == nil:
		for i := range x.items {
			if x.items[i].Ref().Same(ref) {
				return &x.items[i]
			}
		}
	default:
		for _, i := range x.places[objectName{ref.Kind, ref.Name}] {
			if x.items[i].Ref().Same(ref) {
				return &x.items[i]
			}
		}
	}
	return nil
}
