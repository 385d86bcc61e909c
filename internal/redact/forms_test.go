package redact

import (
	"strings"
	"testing"
)

// Forms that hide a secret from who reads line by line, or word by word.
func TestASecretIsFoundInItsForm(t *testing.T) {
	pw := fake("", alnum, 12) + "7#"
	word := fake("", lowers, 9)
	user := fake("Tk", alnum, 12)
	key := func(n int) string { return fake("", alnum+"+/", n) }
	begin, end := "-----BEGIN OPENSSH PRIVATE "+"KEY-----", "-----END OPENSSH PRIVATE "+"KEY-----"
	tests := []struct{ story, in, want string }{
		{"a key that ends with the log", "x\n" + begin + "\n" + key(70) + "\n" + key(70) + "\n" + key(9), "x\n" + begin + "[redacted]"},
		{"a key that ends within its first line", begin + "\n" + key(9), begin + "\n[redacted]"},
		{"a key with a prefix on each line", "app | " + begin + "\napp | " + key(70) + "\napp | " + key(70), "app | " + begin + "\napp | [redacted]\napp | [redacted]"},
		{"a key that begins before the log", key(40) + "\n" + key(64) + "\n" + key(64) + "\n" + key(10) + "==\n" + end + "\nlistening on :80", "[redacted]\n[redacted]\n[redacted]\n[redacted]\n" + end + "\nlistening on :80"},
		{"a key that begins before the log, escaped", key(64) + `\n` + key(64) + `\n` + end, `[redacted]\n[redacted]\n` + end},
		{"a line of a key", "  " + key(64), "  [redacted]"},
		{"a line of a key with a time", "2026-11-20T18:32:00.123Z " + key(70) + "\nnext", "2026-11-20T18:32:00.123Z [redacted]\nnext"},
		{"a token as the user", "https://" + user + "@git.example.com/x", "https://[redacted]@git.example.com/x"},
		{"a word with a digit as the user", "https://oauth2@git.example.com/x", "https://[redacted]@git.example.com/x"},
		{"with password", "login with password " + pw + " failed", "login with password [redacted] failed"},
		{"with password like a name", "login with password blue-horse-42, sorry", "login with password [redacted], sorry"},
		{"password", "used password '" + pw + "'.", "used password '[redacted]'."},
		{"passphrase", "passphrase '" + word + "' is wrong", "passphrase '[redacted]' is wrong"},
		{"client secret", "client_secret " + pw + " rejected", "client_secret [redacted] rejected"},
		{"Django", "DJANGO_SECRET_KEY django-insecure-" + pw, "DJANGO_SECRET_KEY [redacted]"},
		{"secret key", "SECRET_KEY " + pw, "SECRET_KEY [redacted]"},
		{"pw", "user app (pw " + word + ") rejected", "user app (pw [redacted]) rejected"},
		{"pass", "user: app, pass: " + pw + ", host: db", "user: app, pass: [redacted], host: db"},
		{"pass on a line", "smtp:\n  pass: " + word + "\n", "smtp:\n  pass: [redacted]\n"},
		{"a block", "a:\n  password: |-\n    " + word + "\n    " + pw + "\n  user: app\n", "a:\n  password: |-\n    [redacted]\n    [redacted]\n  user: app\n"},
		{"a folded block in a diff", "+  password: >-\n+    " + word + "\n+  user: app", "+  password: >-\n+    [redacted]\n+  user: app"},
		{"JSON on the next line", "{\"password\":\n   \"" + word + "\",\n \"user\": \"app\"}", "{\"password\":\n   \"[redacted]\",\n \"user\": \"app\"}"},
		{"a Secret behind an escaped line end", "refused\\nkind: Secret\nstringData:\n  user: " + word + "\ntype: Opaque", "refused\\nkind: Secret\nstringData:\n  user: [redacted]\ntype: Opaque"},
		{"a Secret in a sentence", "cannot apply kind: Secret\ndata:\n  user: " + word + "\n", "cannot apply kind: Secret\ndata:\n  user: [redacted]\n"},
		{"netrc", "machine git.example.com login app password " + word, "machine git.example.com login app password [redacted]"},
		{"netrc on several lines", "machine git.example.com\n  login app\n  password " + word + "\n", "machine git.example.com\n  login app\n  password [redacted]\n"},
		{"pgpass", "db.example.com:5432:shop:app:" + word + "\n*:*:*:app:" + word, "db.example.com:5432:shop:app:[redacted]\n*:*:*:app:[redacted]"},
		{"bearer with a colon", "bearer: " + fake("", alnum, 32) + " x", "bearer: [redacted] x"},
		{"basic without a header", "used basic " + base64Of("ci:"+pw) + ", got 401", "used basic [redacted], got 401"},
		{"XML", "<user>a</user><password>" + word + "</password>", "<user>a</user><password>[redacted]</password>"},
		{"a colour in a secret", "password=" + pw[:5] + "\x1b[31m" + pw[5:] + "\x1b[0m x", "password=[redacted] x"},
		{"a colour in a name", "pass\x1b[1mword=" + pw, "password=[redacted]"},
		{"a colour that is escaped", `{"msg":"pass\u001b[1mword=` + pw + `"}`, `{"msg":"password=[redacted]"}`},
	}
	for _, tt := range tests {
		t.Run(tt.story, func(t *testing.T) {
			got := String(tt.in)
			if got != tt.want {
				t.Errorf("\n got %q\nwant %q", got, tt.want)
			}
			if again := String(got); again != got {
				t.Errorf("a second time changes it: %q", again)
			}
		})
	}
}

func TestWhatOnlyLooksLikeAFormRemains(t *testing.T) {
	for _, s := range []string{
		"argocd repo add https://git.example.com/x --username USER --password TOKEN --upsert",
		"argocd repo add https://git.example.com/x --password TOKEN --upsert",
		"argocd app sync shop --auth-token $TOKEN",
		"argocd login --password <token> and --password \"<token>\" and --password YOUR_TOKEN",
		"token: YOUR_TOKEN, password=<password>",
		"Secret/app-client-secret: changed",
		"Touches Secret/x-token: created",
		"Touches Secret/x-token: created, Secret/app-client-secret: changed",
		"git@github.com:acme/shop.git ssh://git@github.com/acme/shop ssh://argocd@git.example.com/x deploy@git.example.com:x",
		`secret my-secret-1 not found`, `password my-secret-1 not found`,
		`key "password" not found`, `password authentication failed`,
		"--- PASS: TestShop2 (0.01s)\npass: 12, fail: 3\nbypass: x1234567\ncompass=abc12345",
		"\x1b[32mready\x1b[0m",
		strings.Repeat("0123456789abcdef", 4), strings.Repeat("0123456789abcdef", 8),
		"-----BEGIN CERTIFICATE-----\n" + fake("", alnum, 64) + "\n" + fake("", alnum, 64) + "\n-----END CERTIFICATE-----\n",
		"/" + strings.Repeat("apis/apps/v1/namespaces/", 4),
		"ssh-ed25519 " + fake("AAAAC3NzaC1lZDI1NTE5", alnum, 48),
		"data: |\n  host\n  user\n",
		"/app/main.go:54:12:cannot: x",
		"<token>", "machine learning with password rotation",
	} {
		if got := String(s); got != s {
			t.Errorf("\n got %s\nwant %s", got, s)
		}
	}
}
