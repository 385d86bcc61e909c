package audience

// Sight is whether somebody may see an application.
type Sight struct {
	May bool
	// Personal: they may, and those who read the channel need not.
	Personal bool
	// Published: they may, and so may everybody who reads the channel, people from other organizations as well.
	Published bool
}

// And is the sight of what is shown together.
func (s Sight) And(other Sight) Sight {
	return Sight{May: s.May && other.May, Personal: s.Personal || other.Personal, Published: s.Published && other.Published}
}

// Aloud reports whether all who read the channel may see it. others says whether people of other organizations read it, and is asked only
// where that matters.
func (s Sight) Aloud(others func() bool) bool {
	return s.May && (s.Published || !s.Personal && !others())
}
