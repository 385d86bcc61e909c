package redact

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// ordinary are values that look random, as secrets do, and that a diagnosis is about.
func ordinary(seed int) map[string]string {
	n := 0
	random := func(alphabet string, length int) string {
		n++
		return fake(fmt.Sprint(seed, n), alphabet, length)[len(fmt.Sprint(seed, n)):]
	}
	hex := func(length int) string { return random(hexa, length) }
	uuid := func() string { return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12) }
	// What Kubernetes makes names of: no vowels.
	suffix := func(length int) string { return random("bcdfghjklmnpqrstvwxz2456789", length) }
	pod := func() string { return "shop-web-" + suffix(10) + "-" + suffix(5) }
	der := base64.StdEncoding.EncodeToString([]byte("\x30\x82\x03\x1d\x30\x82\x02\x05\xa0\x03\x02\x01\x02\x02\x14" + random(alnum+"\x80\x81\xf3\x02", 300)))
	// Of seventeen lines, as they are; some have a plus or a slash in them, and some begin with one.
	certificate := "-----BEGIN CERTIFICATE-----\n" + der[:64] + "\n"
	for range 15 {
		certificate += random(alnum+"+/+/", 64) + "\n"
	}
	certificate += der[128:170] + "\n-----END CERTIFICATE-----\n"
	return map[string]string{
		"commit": hex(40), "short commit": hex(7), "digest": "sha256:" + hex(64), "digest without a name": hex(64), "UID": uuid(),
		"image":                "ghcr.io/acme/shop-web:v1.27.3@sha256:" + hex(64),
		"image of ECR":         "123456789012.dkr.ecr.eu-central-1.amazonaws.com/acme/shop:" + hex(40),
		"image with a commit":  "registry.example.com:5000/team-a/shop:main-" + hex(8) + "-1732",
		"migration":            "alembic.util.exc.CommandError: Can't locate revision identified by '" + hex(12) + "'",
		"upgrade of Alembic":   "INFO  [alembic.runtime.migration] Running upgrade " + hex(12) + " -> " + hex(12) + ", add ledger index",
		"Flyway":               "Migration checksum mismatch for migration version 42 -> Applied to database : -" + random(digits, 9),
		"pod":                  pod(),
		"pod of a ReplicaSet":  "ReplicaSet shop-web-" + suffix(10) + " has timed out progressing; pod " + pod() + "_shop(" + uuid() + ")",
		"pod-template-hash":    "pod-template-hash: " + suffix(10),
		"revision hash":        "controller-revision-hash=shop-db-" + suffix(9),
		"hashed ConfigMap":     `configmap "shop-config-` + suffix(10) + `" not found`,
		"hashed Secret":        `secret "shop-db-credentials-` + suffix(10) + `" not found`,
		"token of an account":  `secrets "argocd-server-token-` + suffix(5) + `" not found`,
		"certificate":          certificate,
		"escaped certificate":  strings.ReplaceAll(certificate, "\n", `\n`),
		"caBundle":             "caBundle: " + base64Of(certificate),
		"request of a cert":    "-----BEGIN CERTIFICATE REQUEST-----\n" + der[:64] + "\n-----END CERTIFICATE REQUEST-----",
		"public key":           "ssh-ed25519 " + fake("AAAAC3NzaC1lZDI1NTE5", alnum, 48) + " ci@example.com",
		"host key":             "SHA256:" + random(alnum+"+/", 43),
		"git over SSH":         "git@github.com:acme/shop-deploy.git",
		"git over HTTPS":       "https://github.com/acme/shop-deploy/commit/" + hex(40),
		"git with a ref":       "https://gitlab.example.com/acme/shop.git?ref=v1.2.3-" + hex(8),
		"checksum annotation":  "checksum/config: " + hex(64),
		"tracking annotation":  "argocd.argoproj.io/tracking-id: shop:apps/Deployment:shop/shop-web",
		"helm annotation":      `meta.helm.sh/release-name: shop, helm.sh/chart: shop-1.2.3+` + hex(7),
		"lastTransition":       "lastTransitionTime: 2026-11-20T18:32:00Z, observedGeneration: 17",
		"resource version":     "resourceVersion: \"" + random("123456789", 9) + "\", continue: next",
		"PromQL":               `sum(rate(http_requests_total{namespace="shop", pod=~"shop-web-.*", code!~"5.."}[5m])) by (pod) / on() group_left() 0.99`,
		"alert":                `histogram_quantile(0.99, sum by (le) (rate(grpc_server_handling_seconds_bucket{job="shop"}[5m]))) > 0.5`,
		"trace":                "trace_id=" + hex(32) + " span_id=" + hex(16) + " traceparent=00-" + hex(32) + "-" + hex(16) + "-01",
		"request":              "x-request-id: " + uuid(),
		"AWS identifiers":      "arn:aws:iam::123456789012:role/shop-irsa, request id: " + uuid() + ", i-0" + hex(16) + ", vol-0" + hex(16) + ", eni-0" + hex(16),
		"Azure identifiers":    "/subscriptions/" + uuid() + "/resourceGroups/shop/providers/Microsoft.ContainerService/managedClusters/prod",
		"GCP identifiers":      "projects/acme-prod-" + random(digits, 6) + "/locations/europe-west1/clusters/prod, gke-prod-pool-1-" + hex(8) + "-" + suffix(4),
		"etag":                 `etag: W/"` + hex(32) + `"`,
		"cron job":             "job/shop-cleanup-" + random("123456789", 8) + " failed: BackoffLimitExceeded",
		"container":            "containerd://" + hex(64),
		"volume":               "pvc-" + uuid(),
		"temporary directory":  "/tmp/_argocd-repo/" + uuid() + "/overlays/prod: no such file",
		"cache key":            "mfst|app.kubernetes.io/instance|shop|" + hex(40) + "|shop|" + random(digits, 10),
		"address":              "[2001:db8:" + hex(4) + "::" + hex(4) + "]:6443, 10.42.17.3:8080, fe80::" + hex(4) + "%eth0",
		"stack":                "goroutine 1 [running]: main.main() /app/main.go:42 +0x1d4, pc=0x" + hex(8) + " m=0 sigcode=1",
		"build":                "main-20261120.4+" + hex(9) + "-SNAPSHOT",
		"names of variables":   "npm_config_registry_url npm_package_json pul-request-2 hf_hub_offline sk-learn-models-2 tskey-auth-secret whsec_name re_captcha_enabled",
		"environment":          "KUBERNETES_SERVICE_HOST=10.96.0.1 HOSTNAME=" + pod() + " SHOP_WEB_PORT_8080_TCP=tcp://10.96.3.4:8080",
		"encoded but harmless": "value is " + base64Of("replicas: 3\nimage: nginx:1.27\nname: "+pod()+"\n") + " now",
		"schema":               `unknown field "spec.template.spec.containers[0].envFrom[1].secretRef.optionall"`,
	}
}

func TestAnOrdinaryValueComesThroughByteForByte(t *testing.T) {
	tried := 0
	for seed := range 40 {
		for name, value := range ordinary(seed) {
			for _, form := range []string{"%s", "see %s.", `"%s"`, "x (%s)", "status: %s", `{"message":"%s"}`, "%s: failed\nnext line", "a\n%s\nb", `a=\"%s\"\n`} {
				in := strings.Replace(form, "%s", value, 1)
				tried++
				if got := String(in); got != in {
					t.Errorf("%s:\n got %s\nwant %s", name, got, in)
				}
			}
		}
	}
	if tried < 10000 {
		t.Errorf("only %d texts", tried)
	}
}
