package redact

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

func TestAPlantedSecretIsReplacedAndTheRestRemains(t *testing.T) {
	all := plantedSecrets()
	if len(all) < 50 {
		t.Fatalf("only %d secrets", len(all))
	}
	for _, p := range all {
		t.Run(p.story, func(t *testing.T) {
			in := strings.ReplaceAll(p.text, "§", p.secret)
			want := strings.ReplaceAll(p.text, "§", Replacement)
			if !strings.Contains(p.text, "§") {
				t.Fatal("no secret planted")
			}
			expect(t, in, want, p.secret)
			// The same between other lines.
			around := "time=2026-11-20T18:32:00Z level=info msg=started\n"
			expect(t, around+in+"\n"+around, around+want+"\n"+around, p.secret)
		})
	}
}

func expect(t *testing.T, in, want, secret string) {
	t.Helper()
	got := String(in)
	if strings.Contains(got, secret) {
		t.Errorf("the secret is still there:\n%s", got)
	}
	if got != want {
		t.Errorf("the rest changed:\n got %q\nwant %q", got, want)
	}
	if again := String(got); again != got {
		t.Errorf("a second time changes it:\n got %q\nwant %q", again, got)
	}
}

func TestSeveralSecretsInOneTextAllGo(t *testing.T) {
	var in, want strings.Builder
	for _, p := range plantedSecrets() {
		// Those that show a Secret, or end in the middle of one, rightly change what is near them.
		if strings.Contains(p.text, "Secret") || strings.Contains(p.text, "BEGIN") {
			continue
		}
		in.WriteString(strings.ReplaceAll(p.text, "§", p.secret) + "\n\n")
		want.WriteString(strings.ReplaceAll(p.text, "§", Replacement) + "\n\n")
	}
	if got := String(in.String()); got != want.String() {
		t.Errorf("got\n%s\nwant\n%s", got, want.String())
	}
}

func TestAPasswordThatGoRepeatsAsAPortGoesToo(t *testing.T) {
	in := `parse "postgres://app:` + "hunt" + `/er@db:5432/x": invalid port ":hunt" after host`
	want := `parse "postgres://app:[redacted]@db:5432/x": invalid port ":[redacted]" after host`
	if got := String(in); got != want {
		t.Errorf("got %s", got)
	}
}

func TestALongSecretInALongLineGoesWhole(t *testing.T) {
	secret := webToken(`{"groups":"` + strings.Repeat("team-", 4000) + `"}`)
	filler := strings.Repeat("x ", 20000)
	if got, want := String(filler+"auth "+secret+" "+filler), filler+"auth "+Replacement+" "+filler; got != want {
		t.Errorf("%d bytes are left of the secret", len(got)-len(want)+len(Replacement))
	}
}

func TestManyCallersAtOnceGetTheSame(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for _, p := range plantedSecrets()[i:] {
				if got := String(strings.ReplaceAll(p.text, "§", p.secret)); got != strings.ReplaceAll(p.text, "§", Replacement) {
					t.Errorf("%s: %s", p.story, got)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzString(f *testing.F) {
	for _, p := range plantedSecrets() {
		f.Add(strings.ReplaceAll(p.text, "§", p.secret))
	}
	for _, s := range harmless {
		f.Add(s)
	}
	f.Add("password=[redacted")
	f.Add("pass\x1b[1mword=abc\x1b[redacted] \\u001b[1mtoken=\x1b]0;x\x07")
	f.Add("+  password: |-\n+    -a\n+   b\n-----END RSA PRIVATE " + "KEY-----\n-----BEGIN PRIVATE " + "KEY-----\nabc1")
	f.Add("machine h login u password p\n<password>x</password>\"token\":\n\"x\"")
	f.Add("password=[redacted]]x token=[reda[redacted]cted]")
	f.Add("kind: Secret\ndata:\n  a: |\n\u00e9\xff")
	f.Fuzz(func(t *testing.T, s string) {
		once := String(s)
		if twice := String(once); twice != once {
			t.Errorf("not idempotent: %q becomes %q, then %q", s, once, twice)
		}
		if utf8.ValidString(s) && !utf8.ValidString(once) {
			t.Errorf("invalid UTF-8: %q becomes %q", s, once)
		}
	})
}

func typicalReport() []string {
	var texts []string
	for i := range 40 {
		texts = append(texts, strings.ReplaceAll(harmless[i%len(harmless)], "x", fmt.Sprint("x", i)))
	}
	return texts
}

func BenchmarkTypicalReport(b *testing.B) {
	texts := typicalReport()
	for b.Loop() {
		for _, s := range texts {
			String(s)
		}
	}
}

// BenchmarkMessage measures what Argo CD says of resources: the first diagnosis of an application searches thousands of these.
func BenchmarkMessage(b *testing.B) {
	for name, s := range map[string]string{
		"forbidden": `deployments.apps "web" is forbidden: User "system:serviceaccount:argocd:argocd-application-controller" cannot patch resource "deployments" in API group "apps" in the namespace "shop"`,
		"invalid":   `Deployment.apps "web" is invalid: spec.selector: Invalid value: field is immutable`,
		"image":     `Back-off pulling image "registry.example.com/shop/web:1.27.3": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "registry.example.com/shop/web:1.27.3": not found`,
		"helm":      "Manifest generation error (cached): `helm template . --name-template shop --namespace shop --kube-version 1.31 --include-crds` failed exit status 1: Error: template: shop/templates/deployment.yaml:14:21: executing \"shop/templates/deployment.yaml\" at <.Values.image.repository>: nil pointer evaluating interface {}.repository",
		"log":       `time="2026-11-20T18:32:00Z" level=info msg="Reconciliation completed" app=argocd/shop dedup_ms=0 dest-server="https://kubernetes.default.svc" git_ms=12`,
		"manifest":  `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{"last":"{\"kind\":\"Deployment\",\"spec\":{\"replicas\":2}}"},"labels":{"helm.sh/chart":"web-1.2.3"},"name":"web","uid":"1b4e28ba-2fa1-11d2-883f-0016d3cca427"},"spec":{"template":{"spec":{"containers":[{"env":[{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"key":"password","name":"db"}}}],"image":"registry.example.com/shop/web@sha256:3f4e2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f"}]}}}}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				String(s)
			}
		})
	}
}

func BenchmarkTextWithoutTrigger(b *testing.B) {
	s := strings.Repeat("Deployment shop/web: 1 of 3 updated replicas ready\n", 20)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		String(s)
	}
}

func bigLog(line string) string { return strings.Repeat(line+"\n", 1<<20/(len(line)+1)) }

func BenchmarkLogOfOneMegabyte(b *testing.B) {
	var secrets strings.Builder
	for secrets.Len() < 1<<20 {
		for _, p := range plantedSecrets() {
			secrets.WriteString(strings.ReplaceAll(p.text, "§", p.secret) + "\n")
		}
	}
	logs := []struct{ name, text string }{
		{"plain", bigLog(`time="2026-11-20T18:32:00Z" level=info msg="Reconciliation completed" app=argocd/shop dedup_ms=0 dest-server="https://kubernetes.default.svc" git_ms=12`)},
		{"words", bigLog(`level=warning msg="cannot refresh token for secret db-credentials: key password not found" api=v1 auth=none url=https://db.example.com:5432/x`)},
		{"dense", bigLog("user=app password=" + fake("", alnum, 12) + " token=" + fake("", alnum, 30))},
		{"oneline", strings.Repeat(`{"level":"info","token":"`+fake("", alnum, 30)+`","key":"a","password":"`+fake("", alnum, 12)+`"},`, 1<<20/100)},
		{"secrets", secrets.String()},
		{"endless-value", strings.Repeat("token=a1", 1<<20/8)},
		{"endless-data", `"kind":"Secret"` + strings.Repeat(`"data":{"a":"`, 1<<20/13)},
	}
	for _, l := range logs {
		b.Run(l.name, func(b *testing.B) {
			b.SetBytes(int64(len(l.text)))
			for b.Loop() {
				String(l.text)
			}
		})
	}
}
