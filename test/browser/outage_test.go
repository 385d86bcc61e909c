//go:build browser

package browser

import "testing"

// Forty applications fail with one cause: one thread, also when the bot is killed while it posts, Slack answers 429, and Argo CD's
// notifications are lost.
func TestAnOutageOfForty(t *testing.T) {
	base := startDemo(t)
	b := open(t, base, "/?as=bob", desktop)
	b.see("#messages article", "payments-api")
	b.click("#panel button", "Kill it while it posts")
	b.click("#panel button", "Slack: too many requests")
	b.click("#panel button", "Break forty together")
	b.see("#messages article", "40 applications")
	b.see("#seen", "started 2 times")
	b.look("outage-failing")
	if n := eval[int](b, `document.querySelectorAll("#messages > article").length`); n != 2 {
		t.Errorf("there are %d messages in the channel, not one for the migration and one for the outage", n)
	}
	b.see("#seen", "Posted twice 0")
	b.click("#panel button", "The Git host is back")
	b.see("#messages article", "recovered")
	b.see("#seen", "Posted twice 0")
	b.look("outage-over")
}

// The bot finds by itself what no notification reported.
func TestALostNotification(t *testing.T) {
	base := startDemo(t)
	b := open(t, base, "/?as=alice", desktop)
	b.see("#messages article", "payments-api")
	b.click("#delivery-lost", "")
	b.await("notifications that are lost", `document.querySelector("#delivery-lost").ariaPressed === "true"`)
	b.choose("#failure", "An image tag is misspelled")
	b.click("#panel button", "Break it")
	b.see("#apps-failing", "pricing")
	b.see("#messages article", "pricing")
	b.look("lost")
}

// On a phone the panel and the thread are layers of their own, and everything can still be done.
func TestOnAPhone(t *testing.T) {
	base := startDemo(t)
	b := open(t, base, "/?as=alice", phone)
	b.see("#messages article", "payments-api")
	b.await("the headline of the message", `(r => r.top >= document.querySelector("#messages").getBoundingClientRect().top && r.bottom < innerHeight)(document.querySelector("#messages article .who").getBoundingClientRect())`)
	if high := eval[float64](b, `document.querySelector("#hints").getBoundingClientRect().height`); high > 120 {
		t.Errorf("the hint is %v px high", high)
	}
	b.look("phone-channel")
	b.click("#hints .unfold", "More")
	b.see("#hints", "Argo CD keeps applications")
	b.look("phone-hint")
	b.click("#hints .unfold", "Less")
	b.await("the end of the hint", `!document.querySelector("#hints .rest").checkVisibility()`)
	b.click(".opener", "")
	b.see("#panel", "Break something")
	b.look("phone-panel")
	b.click("#panel .closer", "")
	b.await("the end of the drawer", `!document.querySelector("#panel").checkVisibility({visibilityProperty: true})`)
	b.click("a.replies", "")
	b.see("#thread article", "Evidence")
	b.look("phone-thread")
	b.reads()
	b.click("#thread button", "Delete failed Job")
	b.see("dialog[open]", "Request approval")
	b.look("phone-dialog")
	b.reads()
	b.press("Escape")
	b.await("the end of the dialog", `!document.querySelector("dialog[open]")`)
	b.click("#thread a.back", "")
	b.await("the channel again", `!document.querySelector("#thread").checkVisibility()`)
	b.reads()
	b.click("#channel-head [data-drawer=sidebar]", "")
	b.see("#people", "carol")
	b.look("phone-people")
}

// reads fails if the focus is where it opens the keyboard.
func (b *tab) reads() {
	b.t.Helper()
	if !eval[bool](b, `matchMedia("(pointer: coarse)").matches`) {
		b.t.Fatal("it is no phone")
	}
	if in := eval[string](b, `document.activeElement.matches("textarea, input:not([type=checkbox], [type=radio])") ? document.activeElement.outerHTML : ""`); in != "" {
		b.t.Errorf("the keyboard opens for %s", in)
	}
}
