package invisible

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	softHyphen = '\u00ad'
	nonJoiner  = '\u200c'
	joiner     = '\u200d'
	asText     = '\ufe0e' // asks for the form of a letter that is black and white
	asPicture  = '\ufe0f' // asks for the colored one
	blank      = '\u2800' // of Braille: looks like a space, and no line is broken at it
	keycap     = '\u20e3' // puts a key around the digit before it
)

// Is reports whether a character is not seen where it stands. Control characters of ASCII are another matter: a terminal obeys them.
func Is(r rune) bool {
	switch {
	case r < 0x300: // nearly every character of a text
		return r == softHyphen
	case r == blank:
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r): // they format, and are seen
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Map is s with each character that is not seen replaced by what by returns for it, "" to leave it out. One whose neighbors need it
// stays: it joins pictures to one, or chooses the form of a letter.
func Map(s string, by func(rune) string) string {
	var out strings.Builder
	done, before := 0, rune(-1) // before is the character that stays in front of this one
	for i, r := range s {
		if !Is(r) {
			before = r
			continue
		}
		end := i + utf8.RuneLen(r)
		if needed(before, r, s[end:]) {
			before = r
			continue
		}
		instead := by(r)
		out.WriteString(s[done:i])
		out.WriteString(instead)
		done = end
		if instead != "" {
			before = utf8.RuneError
		}
	}
	if done == 0 {
		return s
	}
	return out.String() + s[done:]
}

// needed reports whether a character that is not seen changes how what stands around it looks.
func needed(before, r rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	switch r {
	case asText, asPicture:
		return pictured(before) || strings.ContainsRune("0123456789#*", before) && next == keycap
	case joiner:
		inPicture := pictured(before) || before == asPicture || unicode.Is(unicode.Sk, before) // Sk has the colors of skin
		return inPicture && pictured(next) || unicode.In(before, joined...)
	case nonJoiner:
		return unicode.In(before, joined...) && unicode.In(next, joined...)
	}
	return false
}

// pictured reports whether a character is one that has a form as a picture.
func pictured(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sm) && r > unicode.MaxASCII && r != utf8.RuneError || strings.ContainsRune("‼⁉〰ℹ", r)
}

// joined are the scripts whose letters change their form with their neighbors.
var joined = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
}
