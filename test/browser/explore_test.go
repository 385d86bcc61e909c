//go:build browser

package browser

import "testing"

func TestExplore(t *testing.T) {
	base := startDemo(t, "--log", "/tmp/demo/bot.log")
	b := open(t, base, "/?as=alice", desktop)
	b.see("#messages article", "payments-api")
	b.click("#messages button", "Delete failed Job")
	b.see("dialog[open]", "Delete")
	b.look("x-delete")
	t.Log(eval[string](b, `document.querySelector("dialog[open]").innerText`))
	b.click("dialog[open] [data-submit]", "")
	b.see("dialog[open]", "waits for approval")
	b.press("Escape")
	b.gone("dialog[open]", "Delete")
	b.click("a.replies", "")
	b.see("#thread", "approv")
	b.look("x-asked")
	b.as("bob")
	b.see("#thread article", "approv")
	b.look("x-bob")
	t.Log(eval[string](b, `document.querySelector("#thread").innerText`))
	b.click("#thread button", "Approve")
	b.see("#thread", "deleted")
	b.look("x-deleted")
	t.Log(eval[string](b, `document.querySelector("#thread").innerText`))
	b.click("#thread button", "Sync")
	b.see("dialog[open]", "Sync")
	b.look("x-sync")
	t.Log(eval[string](b, `document.querySelector("dialog[open]").innerText`))
}
