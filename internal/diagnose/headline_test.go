package diagnose

import "testing"

// TestComposed: the clause that decides is shown once, its end first of all in the headline.
func TestComposed(t *testing.T) {
	const before = "shop: "
	long := "StatefulSet/ledger-projection-of-the-general-accounts: container ledger exits 1"
	for name, c := range map[string]struct {
		f          Finding
		title, why string
	}{
		"all of it fits": {
			Finding{Title: "PreSync hook migrate failed", Why: "It ran twice.", Says: Said{"Its log says", "connection refused."}},
			"PreSync hook migrate failed: connection refused", "It ran twice.",
		},
		"its end fits": {
			Finding{Title: "StatefulSet/ledger exits 1", Why: "Restarted 9 times.", Says: Said{"Its log says", `connection to server at "db:5432" failed: FATAL: password is wrong`}},
			"StatefulSet/ledger exits 1: FATAL: password is wrong", `Restarted 9 times. Its log says: connection to server at "db:5432" failed: …`,
		},
		"the name of an exception leads to nothing": {
			Finding{Title: "StatefulSet/ledger exits 1", Says: Said{"Its log says", "org.postgresql.util.PSQLException: the password of ledger is wrong"}},
			"StatefulSet/ledger exits 1: the password of ledger is wrong", "",
		},
		"nothing fits": {
			Finding{Title: "StatefulSet/ledger exits 1", Why: "Restarted 9 times.", Says: Said{"Its log says", "the password of user ledger on db-1.example.com expired yesterday"}},
			"StatefulSet/ledger exits 1", "Restarted 9 times. Its log says: the password of user ledger on db-1.example.com expired yesterday.",
		},
		"the names are too long": {
			Finding{Title: long, Why: "Restarted 9 times.", Says: Said{"Its log says", "connection refused"}, short: "Container keeps crashing"},
			"Container keeps crashing: connection refused", long + ". Restarted 9 times.",
		},
		"it fits without the remark at its end": {
			Finding{Title: "PreSync hook seed failed", Says: Said{"Its log says", `migrate: relation "orders" does not exist (SQLSTATE 42P01)`}},
			`PreSync hook seed failed: relation "orders" does not exist`, "",
		},
		"it fits behind a shorter title": {
			Finding{Title: "PreSync hook load-all-the-reference-data exited 3", Brief: "PreSync hook", Why: "It ran twice.", Says: Said{"Its log says", "connection to the database refused"}},
			"PreSync hook: connection to the database refused", "PreSync hook load-all-the-reference-data exited 3. It ran twice.",
		},
		"nothing was said": {Finding{Title: "no plugin matches", Why: "None runs."}, "no plugin matches", "None runs."},
	} {
		for range 2 { // a report is composed again when its instance is known
			if c.f.compose(before); c.f.Title != c.title || c.f.Why != c.why {
				t.Errorf("%s:\n%s\n%s\nwant\n%s\n%s", name, c.f.Title, c.f.Why, c.title, c.why)
			}
		}
	}
}

// TestTheHeadlineBeginsWithTheEnvironment: that of the Argo CD where there are several, else that of the cluster.
func TestTheHeadlineBeginsWithTheEnvironment(t *testing.T) {
	r := Report{App: AppName{Name: "web"}, Findings: []Finding{{Title: "Deployment/web is missing"}}}
	for _, c := range []struct{ cluster, instance, want string }{
		{"", "", "web: Deployment/web is missing"},
		{"in-cluster", "", "web: Deployment/web is missing"},
		{"prod-eu-1", "", "web@prod-eu-1: Deployment/web is missing"},
		{"prod-eu-1", "eu", "eu/web: Deployment/web is missing"},
	} {
		r.Context.Destination.Name = c.cluster
		if r.SetInstance(c.instance); r.Headline != c.want || r.Title() != "Deployment/web is missing" {
			t.Errorf("%s (%s), want %s", r.Headline, r.Title(), c.want)
		}
	}
}
