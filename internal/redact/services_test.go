package redact

import (
	"strings"
	"testing"
)

// services are tokens of services without a name beside them, and secrets whose place alone tells. § is before the secret, ¶ behind.
func services() map[string]string {
	hex := func(n int) string { return fake("", hexa, n) }
	uuid := func() string { return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-" + hex(4) + "-" + hex(12) }
	base32 := "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	small := "abcdefghijklmnopqrstuvwxyz" + digits
	return map[string]string{
		"Aiven":        fake("AV"+"NS_", alnum, 19),
		"Axiom":        "xa" + "at-" + uuid(),
		"Cerebras":     fake("cs"+"k-", small, 48),
		"Confluent":    fake("cf"+"lt", alnum, 60),
		"Contentful":   fake("CF"+"PAT-", alnum, 43),
		"Deno":         fake("dd"+"p_", alnum, 36),
		"Dynatrace":    fake("dt"+"0s16.", base32, 8) + "." + fake("", base32, 64),
		"ElevenLabs":   fake("sk"+"_", hexa, 48),
		"Langfuse":     "sk" + "-lf-" + uuid(),
		"LangSmith":    "lsv" + "2_pt_" + hex(32) + "_" + hex(10),
		"Mandrill":     fake("md"+"-", alnum, 22),
		"Neon":         fake("np"+"g_", alnum, 12),
		"Neon API":     fake("nap"+"i_", small, 64),
		"Ory":          fake("or"+"y_pat_", alnum, 32),
		"Pinecone":     fake("pc"+"sk_", alnum, 6) + "_" + fake("", alnum, 63),
		"Razorpay":     fake("rz"+"p_live_", alnum, 14),
		"Slack":        "xo" + "xc-" + fake("", digits, 12) + "-" + fake("", digits, 12) + "-" + hex(64),
		"Slack's bot":  "xo" + "xb-73555337030-3049676587-" + strings.Repeat("0", 13),
		"Supabase":     fake("sb"+"_secret_", alnum, 22) + "_" + fake("", alnum, 8),
		"Tavily":       fake("tv"+"ly-", alnum, 32),
		"WakaTime":     "wa" + "ka_" + uuid(),
		"Zuplo":        "zp" + "ka_" + hex(32) + "_" + hex(8),
		"Yandex":       fake("AQ"+"VN", alnum, 36),
		"Atlas":        fake("mdb"+"_sa_sk_", alnum, 40),
		"Braintree":    "access_" + "token$production$" + fake("", small, 16) + "$" + hex(32),
		"Asana":        "1/" + fake("", digits, 16) + ":" + hex(32),
		"LaunchDarkly": "sd" + "k-" + uuid(),
		"K3s":          "K1" + "0" + hex(64) + "::server:" + hex(32),
		"Infisical":    "s" + "t." + hex(24) + "." + hex(32) + "." + hex(32),
		"IMAP":         "C: A001 LOGIN app §" + fake("", alnum, 12),
		"NATS":         fake("SU"+"A", base32, 55),
		"Discord":      "discord bot §" + fake("MT", alnum, 24) + "." + fake("G", alnum, 5) + "." + fake("", alnum, 38),
		"Azure":        "https://fn.azurewebsites.net/api/run?code=§" + fake("", alnum, 54) + "==",
		"Consul":       `encrypt = "§` + fake("", alnum, 43) + `=¶"`,
		"PagerDuty":    "routing_key: §" + hex(32),
		"PgBouncer":    `"app" "§md5` + hex(32) + `¶"`,
		"users.acl":    "user app on >§" + fake("", alnum, 16) + "¶ ~* +@all",
		"ACL":          "ACL SETUSER app on >§" + fake("", alnum, 16) + "¶ ~* +@all",
		"PDO":          "PDO->__construct('mysql:host=db;dbna...', 'app', '§" + fake("", alnum, 12) + "¶')",
		"Svix":         fake("wh"+"sec_", alnum, 12) + "/" + fake("", alnum, 19),
		"Cloudflare":   fake("cf"+"at_", alnum, 40),
		"Google":       fake("ya29"+".c.b0", alnum, 120),
		"Vault":        "Key 3: §" + fake("", alnum, 44),
		"kubeadm":      "kubeadm join --certificate-key §" + hex(64),
		"Splunk":       "Authorization: Splunk §" + uuid(),
		"Honeycomb":    "x-honeycomb-team: §" + fake("", alnum, 22),
		"Sumo Logic":   "https://endpoint.collection.sumologic.com/receiver/v1/http/§" + fake("", alnum, 90) + "==",
		"patch":        `cannot patch "x" with kind Secret: "" is invalid: patch: Invalid value: "{\"data\":{\"x\":\"§` + fake("", alnum, 24) + `¶\"}}": illegal`,
		"Oracle":       "jdbc:oracle:thin:app/§" + fake("", alnum, 12) + "¶@//db:1521/x",
	}
}

func TestATokenOfAServiceIsHidden(t *testing.T) {
	for name, text := range services() {
		before, secret, ok := strings.Cut(text, "§")
		if !ok {
			before, secret = "", text
		}
		secret, after, _ := strings.Cut(secret, "¶")
		for _, around := range [][2]string{{"", ""}, {"login failed: ", " was refused"}, {"the server said (", "), giving up"}} {
			in, want := around[0]+before+secret+after+around[1], around[0]+before+Replacement+after+around[1]
			if got := String(in); got != want {
				t.Errorf("%s:\n  of %q\n got %q\nwant %q", name, in, got, want)
			}
		}
	}
}

// What has the prefix of a service, and is none of its tokens.
func TestANameWithThePrefixOfAServiceStays(t *testing.T) {
	for _, s := range []string{
		"sk_buff overflow", "https://$USER:$TOKEN@git.example/x.git", "https://${USER}:${TOKEN}@git.example/x.git", "Key 3: value", "md-raid0 is degraded", "api-gateway-7d9f8b6c5d-x2x9k", "sdk-3.1.4 was published", "SUCCESS", "SATURDAY", "csk-controller",
		"user alice logged on > 3 times", "routing_key=orders.created", `encrypt = true`, `encryption: "aescbc"`, "napi_rs panicked",
		"1/12345 done", "K10 backup", "jdbc:oracle:thin:@//db:1521/x", "getConnection(\"db\", 5)", "md5 d41d8cd98f00b204e9800998ecf8427e", "polar_night_controller",
	} {
		if got := String(s); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}
