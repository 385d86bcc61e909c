package planted

import (
	"encoding/base64"
	"strings"
)

// kind is a kind of secret.
type kind struct {
	name string
	make func(m *maker) sample
	// long: it has at least 30 characters of a known form, so that somebody who sees its halves knows that they belong together.
	long bool
	// isURL: it is a URL, which can stand where a URL is expected.
	isURL bool
	// isPair: it is a name and a value, for two fields.
	isPair bool
}

// token is a kind with a known beginning.
func token(name, prefix, alphabet string, n int) kind {
	return kind{name: name, long: n >= 30, make: func(m *maker) sample { return bare(prefix, m.of(alphabet, n)) }}
}

// text is a kind that is recognised by what is around it.
func text(name, with, alphabet string, n int) kind {
	return kind{name: name, make: func(m *maker) sample { return within(with, m.of(alphabet, n)) }}
}

// tokens are secrets that are recognised by their own form.
var tokens = []kind{
	token("AWS access key", "AK"+"IA", base32, 16),
	token("AWS temporary key", "AS"+"IA", base32, 16),
	token("GCP API key", "AI"+"za", alnum, 35),
	token("GCP OAuth client secret", "GOC"+"SPX-", alnum, 28),
	token("GCP access token", "ya"+"29.a0", alnum, 120),
	{name: "Azure client secret", long: true, make: func(m *maker) sample {
		head, tail := m.of(alnum, 3), m.of(alnum, 34)
		return sample{text: head + "8Q~" + tail, secret: []string{tail}}
	}},
	token("GitHub personal token", "gh"+"p_", alnum, 36),
	token("GitHub OAuth token", "gh"+"o_", alnum, 36),
	token("GitHub app token", "gh"+"s_", alnum, 36),
	token("GitHub refresh token", "gh"+"r_", alnum, 36),
	token("GitHub fine-grained token", "github"+"_pat_", alnum, 82),
	token("GitLab personal token", "gl"+"pat-", alnum, 20),
	token("GitLab deploy token", "gl"+"dt-", alnum, 20),
	token("GitLab runner token", "gl"+"rt-", alnum, 20),
	token("GitLab trigger token", "gl"+"ptt-", hexa, 40),
	{name: "Slack bot token", make: func(m *maker) sample {
		return bare("xo"+"xb-"+m.of(digits, 12)+"-"+m.of(digits, 12)+"-", m.of(alnum, 24))
	}},
	{name: "Slack app token", make: func(m *maker) sample {
		return bare("xa"+"pp-1-A"+m.of(uppers+digits, 10)+"-"+m.of(digits, 13)+"-", m.of(hexa, 64))
	}},
	{name: "Slack webhook", isURL: true, make: func(m *maker) sample {
		return bare("https://hooks."+"slack.com/services/T"+m.of(uppers+digits, 9)+"/B"+m.of(uppers+digits, 9)+"/", m.of(alnum, 24))
	}},
	{name: "Discord webhook", isURL: true, make: func(m *maker) sample {
		return bare("https://discord.com/api/web"+"hooks/"+m.of(digits, 19)+"/", m.of(alnum, 68))
	}},
	{name: "Telegram bot token", make: func(m *maker) sample {
		return bare(m.of("123456789", 1)+m.of(digits, 9)+":AA", m.of(alnum, 33))
	}},
	{name: "Telegram URL", isURL: true, make: func(m *maker) sample {
		return within("https://api.telegram.org/bot"+m.of("123456789", 1)+m.of(digits, 9)+":AA§/sendMessage", m.of(alnum, 33))
	}},
	{name: "Teams webhook", isURL: true, make: func(m *maker) sample {
		a, b := m.of(hexa, 32), m.uuid()
		return sample{text: "https://acme.webhook.office.com/webhook" + "b2/" + m.uuid() + "@" + m.uuid() + "/IncomingWebhook/" + a + "/" + b, secret: []string{a}}
	}},
	{name: "Mattermost webhook", isURL: true, make: func(m *maker) sample { return bare("https://mattermost.example.com/hooks/", m.of(lowers+digits, 26)) }},
	token("Stripe key", "sk"+"_live_", alnum, 24),
	token("Stripe restricted key", "rk"+"_live_", alnum, 24),
	token("Stripe webhook secret", "wh"+"sec_", alnum, 32),
	token("Docker Hub token", "dckr"+"_pat_", alnum, 27),
	token("npm token", "np"+"m_", alnum, 36),
	token("PyPI token", "pypi-"+"AgEIcHlwaS5vcmc", alnum, 60),
	token("RubyGems key", "ruby"+"gems_", hexa, 48),
	token("Vault service token", "hv"+"s.", alnum, 95),
	token("Vault batch token", "hv"+"b.", alnum, 140),
	token("Terraform Cloud token", "x1y2z3a4b5c6d7.atlas"+"v1.", alnum, 64),
	{name: "Twilio key", make: func(m *maker) sample { return bare("S"+"K", m.of(hexa, 32)) }},
	{name: "SendGrid key", long: true, make: func(m *maker) sample {
		a, b := m.of(alnum, 22), m.of(alnum, 43)
		return sample{text: "S" + "G." + a + "." + b, secret: []string{a, b}}
	}},
	token("Mailchimp key in a header", "X-MC-ApiKey: ", hexa, 32),
	token("Brevo key", "xkeys"+"ib-", hexa, 64),
	token("Atlassian token", "ATA"+"TT3", alnum, 180),
	token("Bitbucket token", "ATB"+"B", alnum, 32),
	token("DigitalOcean token", "dop"+"_v1_", hexa, 64),
	token("Shopify token", "shp"+"at_", hexa, 32),
	{name: "OpenAI project key", long: true, make: func(m *maker) sample {
		a, b := m.of(alnum, 74), m.of(alnum, 74)
		return sample{text: "sk-" + "proj-" + a + "T3Blbk" + "FJ" + b, secret: []string{a, b}}
	}},
	{name: "Anthropic key", long: true, make: func(m *maker) sample {
		a := m.of(alnum, 93)
		return sample{text: "sk-" + "ant-api03-" + a + "AA", secret: []string{a}}
	}},
	token("Hugging Face token", "h"+"f_", lowers+uppers, 34),
	token("New Relic key", "NR"+"AK-", uppers+digits, 27),
	token("Grafana cloud token", "gl"+"c_eyJ", alnum, 80),
	{name: "Grafana service account", make: func(m *maker) sample {
		a := m.of(alnum, 32)
		return sample{text: "gl" + "sa_" + a + "_" + m.of(hexa, 8), secret: []string{a}}
	}},
	{name: "Sentry token", long: true, make: func(m *maker) sample { return bare("sntry"+"u_", m.of(hexa, 64)) }},
	token("Linear key", "lin_"+"api_", alnum, 40),
	{name: "Postman key", long: true, make: func(m *maker) sample {
		a, b := m.of(hexa, 24), m.of(hexa, 34)
		return sample{text: "PM" + "AK-" + a + "-" + b, secret: []string{a, b}}
	}},
	token("Pulumi token", "pul"+"-", hexa, 40),
	token("Doppler token", "dp."+"pt.", alnum, 43),
	{name: "age key", long: true, make: func(m *maker) sample {
		return bare("AGE-SECRET"+"-KEY-1", m.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58))
	}},
	{name: "JSON web token", long: true, make: func(m *maker) sample {
		enc := base64.RawURLEncoding.EncodeToString
		signature := m.of(alnum, 43)
		claims := `{"iss":"argocd","sub":"` + m.of(lowers, 12) + `:apiKey","jti":"` + m.uuid() + `"}`
		return bare(enc([]byte(`{"alg":"HS256","typ":"JWT"}`))+"."+enc([]byte(claims))+".", signature)
	}},
	{name: "bcrypt hash", make: func(m *maker) sample { return bare("$2"+"a$10$", m.of(alnum, 53)) }},
	{name: "bootstrap token in a join", make: func(m *maker) sample {
		a := m.of(lowers+digits, 16)
		return sample{text: "kubeadm join 10.0.0.1:6443 --token " + m.of(lowers+digits, 6) + "." + a, secret: []string{a}}
	}},
	{name: "AWS signed URL", isURL: true, make: func(m *maker) sample {
		return within("https://shop.s3.amazonaws.com/a.tgz?X-Amz-Date=20261120T183200Z&X-Amz-Sign"+"ature=§&X-Amz-Expires=60", m.of(hexa, 64))
	}},
	{name: "Azure signed URL", isURL: true, make: func(m *maker) sample {
		return within("https://shop.blob.core.windows.net/charts/a.tgz?sv=2022-11-02&sr=b&sig=§%3D&se=2026-01-01", m.of(alnum, 43))
	}},
	privateKey("private key", "RSA ", "\n"),
	privateKey("private key in one line", "", `\n`),
	privateKey("OpenSSH key indented", "OPENSSH ", "\n    "),
	{name: "private key cut at its end", make: func(m *maker) sample {
		body := m.of(alnum, 64)
		return sample{text: "-----BEGIN EC PRIVATE " + "KEY-----\n" + body, secret: []string{body}}
	}},
}

func privateKey(name, algorithm, separator string) kind {
	return kind{name: name, make: func(m *maker) sample {
		var lines []string
		for range 4 {
			lines = append(lines, m.of(alnum, 64))
		}
		of := algorithm + "PRIVATE " + "KEY-----"
		return sample{text: "-----BEGIN " + of + separator + strings.Join(lines, separator) + separator + "-----END " + of, secret: lines}
	}}
}

func (m *maker) uuid() string {
	return m.of(hexa, 8) + "-" + m.of(hexa, 4) + "-4" + m.of(hexa, 3) + "-a" + m.of(hexa, 3) + "-" + m.of(hexa, 12)
}
