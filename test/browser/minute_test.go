//go:build browser

package browser

import "testing"

// The first minute, as three people: alice reads why and asks, bob approves, carol syncs, and it turns green.
func TestTheFirstMinute(t *testing.T) {
	base := startDemo(t)
	b := open(t, base, "/?as=alice", desktop)
	b.see("#messages article", "payments-api: PreSync hook db-migrate")
	b.see("#hints", "1 of 3")
	b.look("minute-1-why")

	b.click("#hints button", "Open the thread")
	b.see("#thread article", "connection refused")
	b.see("#hints", "2 of 3")
	b.await("the top of a thread that was never opened", `document.querySelector("#thread-log").scrollTop === 0`)
	b.await("the button that the hint names", `(r => r.bottom <= document.querySelector("#thread-log").getBoundingClientRect().bottom)([...document.querySelectorAll("#thread button")].find(e => e.innerText.includes("Delete failed Job")).getBoundingClientRect())`)
	b.look("minute-2-thread")
	b.click("#thread button", "Delete failed Job")
	b.see("dialog[open]", "Someone else has to approve this")
	b.look("minute-2-dialog")
	b.await("a focus on no more than a field, a button or the title", `document.activeElement.closest("dialog") && !document.activeElement.matches(".inside")`)
	b.click("dialog[open] [data-submit]", "Request approval")
	b.see("dialog[open]", "Waiting for approval")
	b.click("dialog[open] footer button", "Close")
	b.see("#thread article", "alice requests approval")
	b.look("minute-2-asked")

	b.click("#hints a", "switch to bob")
	b.see("#people [aria-current]", "bob")
	b.see("#thread article", "alice requests approval")
	b.click("#thread button", "Approve deleting Job/db-migrate")
	b.see("dialog[open]", "The plan has not changed since.")
	b.look("minute-2-approve")
	b.click("dialog[open] [data-submit]", "Approve deletion")
	b.see("dialog[open]", "Approved.")
	b.click("dialog[open] footer button", "Close")
	b.see("#thread article", "Job db-migrate deleted")
	b.see("#hints", "3 of 3")
	b.look("minute-2-deleted")

	b.as("carol")
	b.click("#thread button", "Sync…")
	b.see("dialog[open]", "What will happen")
	b.click("dialog[open] [data-submit]", "Sync")
	b.see("dialog[open] .input .error", "Please complete this required field.")
	b.await("the focus on the box", `document.activeElement.type === "checkbox" && !document.querySelector(".toast")`)
	b.look("minute-3-missing")
	b.click("dialog[open] label", "I confirm that the cause is")
	b.await("the end of what was said of it", `!document.querySelector("dialog[open] .error")`)
	b.look("minute-3-dialog")
	b.click("dialog[open] [data-submit]", "Sync")
	b.see("dialog[open]", "Started.")
	b.click("dialog[open] footer button", "Close")
	b.await("the end of the dialog", `!document.querySelector("dialog[open]")`)
	b.see("#thread article", "payments-api: recovered")
	b.see("#hints", "healthy again")
	b.look("minute-3-green")
	b.click("#hints button", "Close")
	b.await("the end of the hints", `!document.querySelector("#hints")?.innerText.trim()`)
}
