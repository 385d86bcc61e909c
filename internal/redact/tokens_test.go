package redact

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// example is a form as the documentation of a service shows it: {20a} stands for twenty letters and digits, {u} for a UUID. § is before
// the secret, ¶ behind, where more than the secret is in the text.
type example struct{ name, form string }

var alphabets = map[string]string{
	"a": alnum, "h": hexa, "H": uppers + digits, "l": lowers + digits, "d": digits, "b": alnum + "+/", "w": alnum + "_-", "L": lowers, "T": "ABCDEF" + digits, "B": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
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
	return slices.Concat(cloudTokens, buildTokens, aiTokens, operationsTokens, businessTokens, besideTokens)
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

// A log may cut a long token, and what is left still helps an attacker. A token with a distinctive prefix is recognised by half of it.
func TestATokenThatIsCutIsHidden(t *testing.T) {
	for _, form := range []string{
		"packagist_uut_{24h}", "depot_org_{24h}", "bkua_{24a}", "sktsec_{26a}", "slk_{24h}", "BBDC-{24a}", "jsrp_{24a}", "snyk_uat.{8h}.{24a}", "ucat_{20H}", "nfc_{24a}", "vercel_blob_rw_{16a}", "GOOG1E{24H}",
		"tgp_v1_{24a}", "jina_{24h}", "e2b_{24h}", "wandb_v1_{24a}", "llx-{24a}", "apify_api_{20a}", "crsr_{24h}", "dbtc_{26a}", "rootly_{24h}", "fhb-{20h}", "hcaik_{24l}", "nbp_{24a}", "dnkey-{24H}",
		"hskey-auth-{12a}-{12a}", "kpat_{26a}", "ptr_{26a}", "dtn_{28h}", "SWMTKN-1-{24l}", "sbp_v0_{24h}", "aivenv1{30a}", "CCDB1_{18a}", "xau_{24a}", "mzp_{24h}", "apiv3_{30a}", "AstraCS:{24L}", "nbwt1_{24a}",
		"tsec_{30a}", "sec-c-{24a}", "dvc_server_{20h}", "mlsn.{24h}", "os_v2_app_{30L}", "pdl_live_apikey_{20l}", "xnd_production_{24a}", "cfsk_ma_prod_{20h}", "ramp_sec_{24a}", "bxt_{24a}", "shprt_{20h}", "lin_wh_{20a}",
	} {
		secret := example{"", form}.text()
		for _, end := range []string{"...", "…", "\n", " (truncated)"} {
			in, want := "refused "+secret+end, "refused "+Replacement+end
			if got := String(in); got != want {
				t.Errorf("got %q, want %q", got, want)
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
				found = found || len(r.find(text, span{0, len(text)}, nil, nil, nil)) > 0
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
		"sk-learn-pipeline-controller-7d9f8b6c5d-x2x9k", "sk-learn-models-2", "task-runner-7d9f8b6c5d-x2x9k", "app-5f4dcc3b5aa765d61d8327de", "app-of-apps-controller-main",
		"secret-9fceb02d0ae598e95dc970b74767f19372d61af8", "secret-admin-password-rotation", "com.fasterxml.jackson.databind.ser.BeanSerializerFactoryX", "fw_conntrack_max", "key_rotation_interval",
		"pat_match", "dbtc_runs", "default:development.svc", "shop:prod.9fceb02d", "at_least_once", "0.1.2==0.1.2", "K000 pods", "sig_handler", "svc.cluster.local.", "v1.public.example.com", "cs_ready", "ck_done",
		"pk_orders_customer_id", "sk_buff_allocation_failed_here", "oauth:github", "1000.0 MiB", "mfa.required", "00D", "ghost 5f4dcc3b", "cal_enabled", "TEST-42", "test-runner-7d9f8b6c5d", "NF-conntrack", "skipped",
		"jenkins build 9fceb02d0ae598e95dc970b74767f19372d61af8", "consul: pod 2b31c099-9c2a-431c-a110-831af7190c03 is gone", "nomad evaluation 2b31c099-9c2a-431c-a110-831af7190c03", "codecov uploaded 9fceb02d0ae598e95dc970b74767f19372d61af8",
		"confluentinc/cp-kafka@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "okta-agent-7d9f8b6c5d-x2x9k", "mistral-inference-server-7d9f8b6c5d-x2x9k", "ListConfluentKafkaClustersV2ForAllEnvironments",
		"splunk-otel-collector-agent-x2x9k failed", "quay.io/argoproj/argocd:v3.1.0", "QUAY_REPOSITORY_NAME_OF_THE_OPERATOR_IMAGE", "runner ACTIONS_RUNNER_REGISTRATION_TIME", "harbor robot$ci+pull: unauthorized",
		"confluent.io/kafka-connect-base/templates/statefulset.yaml:12:24", "mistral checkpoint /models/mistralai/Mistral-7B-Instruct-v0.3/consolidated.safetensors", "rabbitmq: cookie file must be accessible by owner only",
		"apiv3_deployments_controller_reconcile", "dbtc_runs_by_environment_total", "bkat_controller_of_the_cluster", "hskey-auth-key-of-the-controller", "nscr_registry_of_the_namespace_controller", "tsec_of_the_object_store_bucket",
		"hcw_timeout", "ur1 is not a URL", "cu_count", "disk_usage", "mk_dir", "u+rwx", "GPU+CPU limits are exceeded", "b.AAAA", "EAA", "2/1 replicas", "console-5f6b7c8d9f-abcde",
	} {
		if got := String(s); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}
