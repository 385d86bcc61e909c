package foreign

// CheckYAML is what is known of a text before the library sees it.
func CheckYAML(l Limits, text []byte) error { return l.checkYAML(text) }
