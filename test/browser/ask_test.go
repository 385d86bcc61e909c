//go:build browser

package browser

import "testing"

// Somebody without a mouse asks with the command, gets offers while typing, opens the thread, and asks for a deletion.
func TestWithTheKeyboardAlone(t *testing.T) {
	b := open(t, startDemo(t), "/?as=alice", desktop)
	b.see("#messages article", "payments-api")
	b.tabTo("textarea[data-composer]", "")
	b.typeText("/argo w")
	b.see("[role=option]", "why")
	b.press("Enter")
	b.typeText("pric")
	b.see("[role=option]", "pricing")
	b.look("keyboard-offers")
	b.press("Enter", "Enter")
	b.see("#messages article", "pricing")
	b.look("keyboard-answer")

	b.tabTo("a.replies", "repl")
	b.press("Enter")
	b.see("#thread article", "Evidence")
	b.tabTo("#thread textarea", "")
	b.typeText("@arg")
	b.see("[role=option]", "argo")
	b.press("Enter")
	b.typeText("why")
	b.press("Enter")
	b.see("#thread article", "why")
	b.press("Escape")
	b.await("the closed thread", `!document.querySelector("#thread").checkVisibility()`)

	b.tabTo("button[data-action-id]", "Delete failed Job")
	b.press("Enter")
	b.see("dialog[open]", "Request approval")
	b.look("keyboard-dialog")
	b.tabTo("dialog[open] [data-submit]", "Request approval")
	b.press("Enter")
	b.see("dialog[open]", "Waiting for approval")
	b.press("Escape")
	b.await("the closed dialog", `!document.querySelector("dialog[open]")`)
	b.see("#messages article", "requested by alice")
}
