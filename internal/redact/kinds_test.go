package redact

import (
	"strings"
	"testing"
)

// kinds are secrets that gitleaks does not know, or not by themselves.
func kinds() map[string]string {
	hex := func(n int) string { return fake("", hexa, n) }
	uuid := hex(8) + "-" + hex(4) + "-" + hex(4) + "-" + hex(4) + "-" + hex(12)
	word := alnum + "_-"
	return map[string]string{
		"Docker personal token":           fake("dckr"+"_pat_", alnum, 27),
		"Docker organization token":       fake("dckr"+"_oat_", alnum, 32),
		"OAuth client secret of Google":   fake("GOC"+"SPX-", alnum, 28),
		"OAuth token of Google":           fake("ya"+"29.", alnum, 120),
		"refresh token of Google":         fake("1/"+"/0", alnum, 60),
		"webhook secret of Stripe":        fake("wh"+"sec_", alnum, 32),
		"app password of Bitbucket":       fake("AT"+"BB", alnum, 32),
		"token of Atlassian":              fake("AT"+"ATT3xF", alnum, 180) + "=" + hex(8),
		"token of GitHub, cut":            fake("gh"+"p_", alnum, 14),
		"token of GitLab with its route":  fake("gl"+"pat-", alnum, 40) + ".01." + fake("", lowers+digits, 9),
		"token of a runner":               fake("GR13"+"48941", alnum, 20),
		"configuration token of Slack":    fake("xo"+"xe-1-", alnum, 140),
		"app token of Slack":              "xa" + "pp-1-" + fake("A", uppers+digits, 10) + "-" + fake("", digits, 13) + "-" + hex(64),
		"recovery token of Vault":         fake("hv"+"r.", alnum, 24),
		"project key of OpenAI":           fake("sk-"+"proj-", alnum, 150),
		"key of Anthropic":                fake("sk-"+"ant-api03-", alnum, 95),
		"token of Replicate":              fake("r"+"8_", alnum, 37),
		"token of Hugging Face":           fake("h"+"f_", alnum, 34),
		"key of NVIDIA":                   fake("nv"+"api-", alnum, 64),
		"token of npm":                    fake("np"+"m_", alnum, 36),
		"key of RubyGems":                 fake("ruby"+"gems_", hexa, 48),
		"token of Doppler":                fake("dp"+".st.prd.", alnum, 43),
		"token of Pulumi":                 fake("pu"+"l-", hexa, 40),
		"key of Tailscale":                fake("ts"+"key-auth-", alnum, 12) + "CNTRL-" + fake("", alnum, 32),
		"key of New Relic":                fake("NR"+"AK-", uppers+digits, 27),
		"token of Grafana":                fake("gl"+"sa_", alnum, 32) + "_" + hex(8),
		"key of Linear":                   fake("lin"+"_api_", alnum, 40),
		"key of Postman":                  fake("PM"+"AK-", hexa, 24) + "-" + hex(34),
		"key of Twilio":                   fake("S"+"K", hexa, 32),
		"key of Mailgun":                  fake("ke"+"y-", hexa, 32),
		"key of Brevo":                    fake("xkey"+"sib-", hexa, 64) + "-" + fake("", alnum, 16),
		"identity of age":                 fake("AGE-SECRET-"+"KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
		"service account of 1Password":    fake("ops_"+"eyJ", alnum, 200),
		"session token of AWS":            fake("FwoGZXIv"+"YXdzE", alnum+"/+", 300),
		"token of a Telegram bot":         fake("", "123456789", 10) + ":A" + fake("A", word, 33),
		"token of Airtable":               fake("pa"+"t", alnum, 14) + "." + hex(64),
		"encrypted web token":             "eyJ" + fake("", alnum, 40) + ".." + fake("", alnum, 16) + "." + fake("1", alnum, 60) + "." + fake("2", alnum, 22),
		"webhook of Slack":                "https://hooks." + "slack.com/services/§" + fake("T", uppers, 9) + "/" + fake("B", uppers, 9) + "/" + fake("", alnum, 24),
		"webhook of Slack, cut":           "https://hooks." + "slack.com/services/§" + fake("T", uppers, 9) + "/" + fake("B", uppers, 5),
		"workflow of Slack":               "https://hooks." + "slack.com/triggers/§" + fake("T", uppers, 9) + "/" + fake("", digits, 13) + "/" + hex(32),
		"webhook of Discord":              "https://discord.com/api/webhooks/§" + fake("", digits, 18) + "/" + fake("", alnum, 68),
		"bot of Telegram":                 "https://api.telegram.org/bot§" + fake("", digits, 9) + ":A" + fake("A", alnum, 33),
		"webhook of Teams":                "https://acme.webhook.office.com/webhookb2/§" + uuid + "@" + uuid + "/IncomingWebhook/" + hex(32) + "/" + uuid,
		"webhook of Mattermost":           "https://chat.example.com/hooks/§" + fake("", lowers+digits, 26),
		"webhook of PagerDuty":            "https://events.pagerduty.com/integration/§" + hex(32),
		"header of Opsgenie":              "Authorization: GenieKey §" + uuid,
		"token of Rancher":                "token-" + "ab1cd:" + fake("", lowers+digits, 54),
		"private key without PEM":         fake("MIIEvQ"+"IBADANBgkqhkiG9w0BAQEFAASC", alnum, 80),
		"OpenSSH key in one line":         fake("b3BlbnNzaC1rZ"+"XktdjEAAAAABG5vbmU", alnum, 80),
		"PKCS#12 store":                   fake("MIIKcQ"+"IBAzCCCj", alnum, 80),
		"hash of crypt":                   "$6" + "$" + fake("", alnum, 16) + "$" + fake("", alnum, 86),
		"hash of htpasswd":                "$apr" + "1$" + fake("", alnum, 8) + "$" + fake("", alnum, 22),
		"verifier of PostgreSQL":          "SCRAM-SHA-" + "256$4096:" + fake("", alnum, 22) + "==$" + fake("", alnum, 43) + "=:" + fake("1", alnum, 43) + "=",
		"secret key of Django":            fake("django-"+"insecure-", alnum, 50),
		"token of Sourcegraph":            fake("sg"+"p_", hexa, 40),
		"private lines of a key of PuTTY": "Private-Lines: 2§\n" + fake("", alnum, 64) + "\n" + fake("1", alnum, 40),
	}
}

func TestKindsThatGitleaksLacksAreFoundAnywhere(t *testing.T) {
	for name, whole := range kinds() {
		t.Run(name, func(t *testing.T) {
			// What stands before the sign names the service and stays.
			_, secret, ok := strings.Cut(whole, "§")
			if !ok {
				secret = whole
			}
			whole := strings.Replace(whole, "§", "", 1)
			for _, form := range []string{"%s", "cannot use %s.", "rejected (%s)", "%s: unauthorized", `{"x":"%s"}`, `x="%s", y`, "see <%s> now", "a\n%s\nb", `a\n%s\nb`, "key=%s&x=1", "[%s]"} {
				in := strings.Replace(form, "%s", whole, 1)
				got := String(in)
				if strings.Contains(got, secret) || strings.Contains(got, secret[len(secret)-8:]) {
					t.Errorf("is still there: %s", got)
				}
				if a, b, _ := strings.Cut(form, "%s"); !strings.HasPrefix(got, a) || !strings.HasSuffix(got, b) {
					t.Errorf("%q became %q", in, got)
				}
				if again := String(got); again != got {
					t.Errorf("a second time changes it: %q, %q", got, again)
				}
			}
		})
	}
}
