// Package answer answers what people ask in words: why, list, diff, history, access, audit, help.
//
//	read (pure) → find the application → may the person look at it? → answer, each kind in a file of its own
//
// What an answer says about applications comes from Backend, what was done and may be done from Actions, who may look at what from
// apps.Viewer. Answers stand where they were asked for, for all to see, but for what names people or is about one person's rights.
package answer
