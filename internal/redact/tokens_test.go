package redact

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// example is a form as the documentation of a service shows it: {20a} stands for twenty letters and digits, {u} for a UUID. § is before
// the secret, ¶ behind, where more than the secret is in the text.
type example struct{ name, form string }

var alphabets = map[string]string{
	"a": alnum, "h": hexa, "H": uppers + digits, "l": lowers + digits, "d": digits, "b": alnum + "+/", "w": alnum + "_-", "L": lowers,
	"q": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}

var hole = regexp.MustCompile(`\{(\d*)([a-zA-Z])\}`)

// text fills the holes with what is random but the same in each run.
func (e example) text() string {
	n := 0
	random := func(alphabet string, length int) string {
		n++
		seed := e.form + strconv.Itoa(n)
		return fake(seed, alphabet, length)[len(seed):]
	}
	return hole.ReplaceAllStringFunc(e.form, func(h string) string {
		part := hole.FindStringSubmatch(h)
		if part[2] == "u" {
			return random(hexa, 8) + "-" + random(hexa, 4) + "-4" + random(hexa, 3) + "-a" + random(hexa, 3) + "-" + random(hexa, 12)
		}
		length, _ := strconv.Atoi(part[1])
		return random(alphabets[part[2]], length)
	})
}

func tokens() []example {
	return append(cloudTokens, buildTokens...)
}

var cloudTokens = []example{
	{"key of Azure Storage", "{76b}+ASt{5b}A=="},
	{"key of Cosmos DB", "{76b}ACDb{5b}Q=="},
	{"key of Azure Batch", "{76b}+ABa{5b}g=="},
	{"key of Azure Machine Learning", "{76b}/AM7{5b}w=="},
	{"key of Azure API Management", "{76b}APIM{5b}A=="},
	{"key of Service Bus", "{33b}+ASbB{5b}="},
	{"key of Event Hubs", "{33b}+AEhC{5b}="},
	{"key of Azure Relay", "{33b}+ARmD{5b}="},
	{"key of IoT Hub", "{33b}AIoTE{5b}="},
	{"key of Azure Cache for Redis", "{33a}AzCaF{5a}="},
	{"key of Event Grid", "{33a}AZEGG{5a}="},
	{"key of Azure Search", "{42a}AzSeA{5a}"},
	{"password of a registry of Azure", "{42b}+ACRB{5a}"},
	{"key of a function of Azure", "{44w}AzFu{5a}g=="},
	{"key of Azure OpenAI", "{52a}JQQJ99BAAC{22a}"},
	{"token of Azure DevOps", "{76a}AZDO{4a}"},
	{"token of EKS", "k8s-aws-v1.aHR0cHM6Ly9zdHMu{300w}"},
	{"password of ECR", "eyJwYXlsb2FkIjoi{400a}="},
	{"password of ECR with its user", "QVdTOmV5SndZWGxzYjJGa0lqb2k{400a}="},
	{"access token of IAM Identity Center", "aoaAAAAAG{80w}:{120b}"},
	{"refresh token of IAM Identity Center", "aorAAAAAG{80w}:{120b}"},
	{"key of AppSync", "da2-{26l}"},
	{"access token of Login with Amazon", "Atza|{200w}"},
	{"refresh token of Login with Amazon", "Atzr|{200w}"},
	{"secret of a client of Login with Amazon", "amzn1.oa2-cs.v1.{64h}"},
	{"HMAC key of Google", "GOOG1E{55H}"},
	{"new key of Gemini", "AQ.Ab8RN6{44w}"},
	{"code of Google", "4/0A{70w}"},
	{"server key of Firebase", "AAAA{7w}:APA91b{134w}"},
	{"key of reCAPTCHA", "6L{6a}AAAAA{27w}"},
	{"token of a tunnel of Cloudflare", "eyJhIjoi{160a}"},
	{"secret of Turnstile", "0x4AAAAAA{26w}"},
	{"key of Tencent", "AKID{32a}"},
	{"key of Volcengine", "AKLT{44a}"},
	{"key of Exoscale", "EXO{24l}"},
	{"key of Scaleway", "SCW{17H}"},
	{"key of DigitalOcean Spaces", "DO00{16H}"},
	{"temporary key of Alibaba", "STS.N{25a}"},
	{"key of Baidu", "bce-v3/ALTAK-{21a}/{40h}"},
	{"token of Yandex IAM", "t1.{40w}.{86w}"},
	{"token of a person at Vercel", "vcp_{56a}"},
	{"token of an integration at Vercel", "vci_{56a}"},
	{"token of an app at Vercel", "vca_{56a}"},
	{"refresh token at Vercel", "vcr_{56a}"},
	{"key of a gateway at Vercel", "vck_{56a}"},
	{"key of a blob store at Vercel", "vercel_blob_rw_{16a}_{30a}"},
	{"token of Netlify's command", "nfc_{36a}"},
	{"token of an app at Netlify", "nfo_{36a}"},
	{"token of Netlify's page", "nfu_{36a}"},
	{"token of a build at Netlify", "nfb_{36a}"},
	{"token of UpCloud", "ucat_{26H}"},
	{"token of Heroku before 2025", "HRKU-{u}"},
	{"key of RunPod", "rpa_{42H}"},
}

var buildTokens = []example{
	{"token of a workspace of GitLab", "glwt-{20w}"},
	{"token of Bitbucket Data Center", "BBDC-{44b}"},
	{"token of Trello", "ATTA{64h}{8h}"},
	{"permanent token of YouTrack", "perm:{10a}=.{10a}==.{30a}"},
	{"permanent token of Hub", "perm-{10a}=.{10a}.{30a}"},
	{"token of Phabricator", "api-{28l}"},
	{"token of Phabricator's command", "cli-{28l}"},
	{"token of crates.io", "cio{32a}"},
	{"token of a trusted publisher at crates.io", "cio_tp_{32a}"},
	{"key of NuGet", "oy2{43l}"},
	{"token of Private Packagist that updates", "packagist_uut_{68h}"},
	{"token of Private Packagist that reads", "packagist_ort_{68h}"},
	{"token of JSR", "jsrp_{36a}"},
	{"token of Open VSX", "ovsxp_{u}"},
	{"token of an agent's session at Buildkite", "bkaa_{75a}"},
	{"token of a job at Buildkite", "bkaj_{60w}"},
	{"token of a cluster at Buildkite", "bkct_{60w}"},
	{"key of Codefresh", "codefresh auth create-context --api-key §{24h}.{32h}"},
	{"token of an organization at Depot", "depot_org_{64h}"},
	{"token of a project at Depot", "depot_project_{64h}"},
	{"token of Namespace", "nsct_{60w}"},
	{"token of DeepSource", "dsp_{40h}"},
	{"key of Socket", "sktsec_{43a}_api"},
	{"token of a project at Chromatic", "chpt_{15h}"},
	{"token of a user at Snyk", "snyk_uat.{8h}.{200w}"},
	{"token of a service at Snyk", "snyk_sat.{8h}.{200w}"},
	{"key of Trigger.dev", "tr_prod_{20a}"},
	{"token of a person at Trigger.dev", "tr_pat_{40l}"},
	{"signing key of Inngest", "signkey-prod-{64h}"},
	{"key of a service account at Prefect", "pnb_{36a}"},
	{"license token of Sourcegraph", "slk_{64h}"},
}

func TestATokenIsHiddenWithoutTheNameOfItsService(t *testing.T) {
	for _, e := range tokens() {
		text := e.text()
		before, secret, ok := strings.Cut(text, "§")
		if !ok {
			before, secret = "", text
		}
		secret, after, _ := strings.Cut(secret, "¶")
		for _, around := range [][2]string{{"", ""}, {"login failed: ", " was refused"}, {"the server said (", "), giving up"}, {`{"msg":"`, `"}`}, {`a\n`, `\nb`}, {"https://x.example/?x=", "&y=1"}} {
			in, want := around[0]+before+secret+after+around[1], around[0]+before+Replacement+after+around[1]
			if got := String(in); got != want {
				t.Errorf("%s:\n  of %q\n got %q\nwant %q", e.name, in, got, want)
			}
		}
	}
}

// A rule without an example could be switched off by a slip of the pen and nobody would know.
func TestEachRuleOfTokensHasAnExample(t *testing.T) {
	ours, err := read(allTokenRules())
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range ours.Rules {
		found := false
		for i := range shared().rules {
			r := &shared().rules[i]
			if r.id != rule.ID {
				continue
			}
			for _, e := range tokens() {
				text := strings.NewReplacer("§", "", "¶", "").Replace(e.text())
				found = found || len(r.find(text, span{0, len(text)}, nil, nil)) > 0
			}
		}
		if !found {
			t.Errorf("no example is found by %s", rule.ID)
		}
	}
}

// What begins as a token does, and is none.
func TestANameThatBeginsLikeATokenStays(t *testing.T) {
	for _, s := range []string{
		"k8s-aws-v1 is not a version", "da2-cluster is not ready", "api-gateway-7d9f8b6c5d-x2x9k", "cli-tools-1.2.3", "perm-cache.example.com", "cio.example.com/shop", "oy2",
		"vcr_cassettes_enabled", "vca_access", "nfc_reader_enabled", "nfs-client-provisioner-6b5b4d5f7c-abcde", "ucat_enabled", "exoscale-csi-controller-5f6b7c8d9f-x2x9k", "scw-csi",
		"STS.AssumeRole", "apimachinery.k8s.io", "azse", "STS.AssumeRoleWithWebIdentity failed", "sts.eu-central-1.amazonaws.com", "depot_project_id", "dsp_bidder_queue_size", "snyk_scan_failed",
		"tr_prod_orders_shipped_total", "signkey-rotation-job", "packagist_mirror_url", "bkat_controller", "t1.micro", "chpt_1",
		"Atza", "akid=shop", "EXODUS", "DO NOT EDIT", "DOWNSTREAM", "aoa-service", "4/0 replicas", "AQ.Absent",
	} {
		if got := String(s); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}
