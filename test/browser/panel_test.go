//go:build browser

package browser

import "testing"

// All that the panel folds away can be read and used, by day, by night and on a phone.
func TestThePanelUnfolded(t *testing.T) {
	base := startDemo(t)
	for name, s := range map[string]screen{"desktop": desktop, "night": night, "tablet": tablet, "phone": phone} {
		b := open(t, base, "/?as=alice", s)
		b.see("#messages article", "payments-api")
		if s != desktop && s != night {
			b.click(".opener", "")
		}
		b.see("#panel", "Break something")
		b.choose("#failure", "whose volume cannot be mounted")
		b.look("panel-" + name)
		for _, fold := range []string{"#apps-failing summary", "#apps-fleet > summary", "#apps-healthy > summary"} {
			b.click(fold, "")
		}
		b.click("#apps-healthy li summary", "rating-api")
		b.see("#panel button", "Change manually (kubectl)")
		b.look("panel-unfolded-" + name)
	}
}

// An application is fixed from the panel alone, as somebody would in Argo CD, and the panel stays as it was unfolded.
func TestAnApplicationIsRepairedFromThePanel(t *testing.T) {
	base := startDemo(t)
	b := open(t, base, "/?as=alice", desktop)
	b.see("#messages article", "payments-api")
	b.click("#app-payments-api summary", "")
	b.click("#app-payments-api button", "Start the database again")
	b.see("#app-payments-api .unseen", "The cause is fixed")
	b.click("#app-payments-api button", "Delete Job db-migrate")
	b.gone("#app-payments-api button", "Delete Job")
	b.click("#app-payments-api button", "Sync")
	b.see("#app-payments-api", "Syncing")
	b.see("#apps-failing", "Nothing is failing.")
	b.see("#messages article", "payments-api: recovered")
	b.see("#hints", "payments-api is healthy again")
	b.look("panel-fixed")
}

// What links to Argo CD lead to can be read by day, by night and on a phone.
func TestThePagesOfArgoCD(t *testing.T) {
	base := startDemo(t)
	for name, s := range map[string]screen{"desktop": desktop, "night": night, "phone": phone} {
		b := open(t, base, "/argocd/applications/argocd/payments-api", s)
		b.see("main", "one or more synchronization tasks completed unsuccessfully")
		b.look("argocd-" + name)
	}
	b := open(t, base, "/argocd/", desktop)
	b.see("main li", "payments-api")
	b.look("argocd-list")
}
