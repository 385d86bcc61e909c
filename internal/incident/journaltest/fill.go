package journaltest

import "reflect"

// Fill sets everything that is stored of what v points to, each to something of its own, as Full does. It panics at a type
// that it has no value for.
func Fill(v any, name string) { (&filler{}).fill(reflect.ValueOf(v).Elem(), name) }
