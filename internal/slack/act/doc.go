// Package act does what people click: the buttons that act, the menu that mutes, and the modals that show beforehand what would
// happen.
//
//	read (believe nothing) → believable? → open a modal → admitted? → plan, ask or decide → show
//
// A click is admitted if the button is one of ours, the person is in the channel where it stands, and may look at the application.
// Whether it may be done, and whether somebody else has to agree, is decided by whoever is behind Actions.
package act
