// Package answer answers what people ask in words: why, list, diff, history, access, audit, help.
//
//	read (pure) → find the application → can the person see it? → answer, each kind in a separate file
//
// What an answer says about applications comes from Backend, what was done and can be done from Actions, who can see what from
// apps.Viewer. Answers are posted publicly where they were requested, except those that name people, concern one
// person's rights, or that not everyone who reads there has access to.
package answer
