package redact

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

// Some values are secrets for their looks alone: no name, no place and no form says so.
func TestWhatSomebodyMadeUpIsFoundWhereverItStands(t *testing.T) {
	mixed := func(n int) string { return fake("", alnum, n) }
	for _, secret := range []string{
		mixed(14), mixed(20), mixed(43), mixed(30) + "/" + mixed(12) + "=", mixed(20) + "%2F" + mixed(20), fake("", digits+uppers, 48), fake("", digits+lowers, 40), "Kettle" + "river36#", "Kettle" + "river2024!",
	} {
		for _, around := range []string{"should be app with % now", "shopctl root:%@shop-0 status", "f('a', '%')", "exec -w %\nnext", `{"a":"%"}`, "1. admin / %", "x=%&y=1", "a\\n%, b"} {
			text := strings.Replace(around, "%", secret, 1)
			if got := String(text); strings.Contains(got, secret[len(secret)/2:]) {
				t.Errorf("%q comes out of %q", secret, got)
			}
		}
	}
}

// What is drawn and everybody may know, and what only looks so.
func TestWhatEverybodyMayKnowIsNotTakenForMadeUp(t *testing.T) {
	value := fake("", alnum, 43)
	for _, s := range []string{
		"SHA256:" + value, "knownhosts: key mismatch (SHA256:" + value + ")", "sha512-" + value + "==", "golang.org/x/net v0.40.0 h1:" + value + "=", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5" + value + " a@b",
		"request id: " + value, `"etag":"` + value + `"`, "x-amz-id-2: " + value + "=", "Peer public key: " + value + "=", "google-site-verification=" + value, "pin-sha256=\"" + value + "=\"",
		"cannot open /helm-working-dir/repository/" + value + "=-index.yaml", "/nix/store/" + fake("", digits+lowers, 32) + "-glibc-2.40/lib", "ocid1.instance.oc1.eu-frankfurt-1." + fake("", digits+lowers, 60),
		"-----BEGIN PUBLIC KEY-----\n" + value + "\n" + value + "\n-----END PUBLIC KEY-----", "-----BEGIN CERTIFICATE-----\n" + value, "sub: CglndWNodW5odWkSBGxkYXA, iat: 2024-04-18", "The request came from CglndWNodW5odWkSBGxkYXA.", "aGVsbG8gd29ybGQ= decodes to hello world",
		"json: cannot unmarshal string into v1alpha1.OAuth2TokenV1Alpha1", "HTTPRouteV1Beta1ParentReference2", "x509ExtKeyUsageServerAuth509V3", "0x" + fake("", hexa, 64), "wonder if Kubernetes 12? or Ubuntu22? is meant",
	} {
		if got := String(s); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}

// Each run of what stays had the whole word read once more.
func TestALongWordThatEverybodyMayKnowCostsAsMuchAsItIsLong(t *testing.T) {
	for _, part := range []string{"aB3dE5gH7jK9_", "aB3dE5gH7jK9/", "aB3dE5gH7jK9/abc/", "aB3dE5gH7jK9%2F", "aB3dE5gH7jK9="} {
		steps := func(n int) int {
			m := effort.New(t.Context(), 1<<60)
			text := "commit=" + strings.Repeat(part, n/len(part))
			within(m, text)
			return m.Spent() / len(text)
		}
		if once, twice := steps(64<<10), steps(128<<10); float64(twice) > 1.25*float64(once) {
			t.Errorf("%s: %d steps a byte, in twice as much %d", part, once, twice)
		}
	}
	secret := strings.Repeat("aB3dE5gH7jK9_", 1000) + "end"
	if got := String("x " + secret + " y"); strings.Contains(got, "end") || !strings.HasPrefix(got, "x ") || !strings.HasSuffix(got, " y") {
		t.Errorf("it becomes %q", got)
	}
}
