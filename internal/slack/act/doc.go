// Package act handles clicks: on the buttons that act, the mute menu, and the modals that show in advance what would happen.
//
//	read (trust nothing) → genuine? → open a modal → admitted? → plan, request or decide → show
//
// A click is admitted if the button is one of ours, and the person is in its channel and allowed to see the application. Whether
// the action is allowed, and whether someone else has to approve it, is up to the implementation of Actions.
package act
