package statement

import "testing"

// TestASlipIsALetter: a number, a short part and a first letter are chosen.
func TestASlipIsALetter(t *testing.T) {
	for _, s := range []struct {
		a, b string
		want bool
	}{
		{"shop-namespaces", "shop-namespace", true}, {"paymnets", "payments", true}, {"shop-prd", "shop-prod", false}, {"shop-prood", "shop-prod", true}, {"billng", "billing", true},
		{"team-a", "teama", true}, {"teama", "team-a", true}, {"ledger", "ledgers", true}, {"ledgers", "ledgers", false},
		{"shop-1", "shop-2", false}, {"payments-a", "payments-b", false}, {"payments", "payments-db", false}, {"payments-dev", "payments-prod", false}, {"shop-qa", "shop-ga", false},
		{"hook-image-awaiter", "hook-image-waiter", true}, {"billing-db", "billing-bd", true}, {"db", "bd", false}, {"operator", "operator-sa", false},
		{"best-shop", "test-shop", false}, {"shop-a", "shop", false}, {"", "a", false}, {"a", "", false},
	} {
		if got := IsSlip(s.a, s.b); got != s.want {
			t.Errorf("%s and %s: %v", s.a, s.b, got)
		}
	}
}
