package planted

import (
	"fmt"
	"strings"
)

// Harmless are lines with what is not secret and looks random, or is about secrets and has none: n of them, from a seed. Nothing of them may be
// hidden: an engineer at night needs the digest, the name of the Secret and the key that it lacks.
func Harmless(seed uint64, n int) []string {
	m := newMaker(seed, 4)
	out := make([]string, n)
	for i := range out {
		out[i] = harmlessForms[i%len(harmlessForms)](m)
	}
	return out
}

// filled puts something random at each mark of a text: a digest, a SHA, a UUID, the hash of a ReplicaSet or of a pod, a number, a word.
func filled(text string) func(m *maker) string {
	return func(m *maker) string {
		const safe = "bcdfghjklmnpqrstvwxz2456789" // what Kubernetes draws names from
		for _, mark := range []struct {
			text string
			draw func() string
		}{
			{"DIGEST", func() string { return "sha256:" + m.of(hexa, 64) }},
			{"SHA", func() string { return m.of(hexa, 40) }},
			{"SHORT", func() string { return m.of(hexa, 7) }},
			{"UUID", m.uuid},
			{"HASH", func() string { return m.of(safe, 10) }},
			{"POD", func() string { return m.of(safe, 5) }},
			{"REV", func() string { return m.of(hexa, 12) }},
			{"NUM", func() string { return fmt.Sprint(m.IntN(1_000_000_000)) }},
			{"APPNAME", func() string { return pick(m, words) }},
		} {
			for strings.Contains(text, mark.text) {
				text = strings.Replace(text, mark.text, mark.draw(), 1)
			}
		}
		return text
	}
}

var words = []string{"checkout", "payments", "ledger", "catalog", "search", "orders", "gateway", "billing", "inventory", "shipping"}

var harmlessForms = func() (all []func(*maker) string) {
	for _, text := range []string{
		"Failed to pull image \"registry.example.com/APPNAME/APPNAME@DIGEST\": not found",
		"image ghcr.io/acme/APPNAME:main-SHORT has no linux/arm64 manifest",
		"failed to checkout SHA: fatal: reference is not a tree: SHA",
		"Unable to resolve 'SHORT' to a commit SHA in https://git.example.com/APPNAME/deploy.git",
		"https://git.example.com/APPNAME/deploy/commit/SHA",
		"git@git.example.com:APPNAME/deploy.git has no branch release-NUM",
		"Precondition failed: UID in precondition: UUID, UID in object meta: UUID",
		"pod APPNAME-HASH-POD_APPNAME(UUID) was evicted from node ip-10-0-12-NUM",
		"ReplicaSet \"APPNAME-HASH\" has timed out progressing",
		"back-off 5m0s restarting failed container=APPNAME pod=APPNAME-HASH-POD_APPNAME(UUID)",
		"alembic.util.exc.CommandError: Can't locate revision identified by 'REV'",
		"Running upgrade REV -> REV, add column to APPNAME",
		"Validate failed: Migrations have failed validation: Migration checksum mismatch for migration version NUM. Applied to database : -NUM, resolved locally : NUM",
		"operation cannot be fulfilled on deployments.apps \"APPNAME\": resourceVersion NUM is too old",
		"secret \"APPNAME-credentials\" not found",
		"couldn't find key password in Secret APPNAME/APPNAME-db",
		"references non-existent secret key: APPNAME-token",
		"secrets \"APPNAME-tls\" is forbidden: User \"system:serviceaccount:APPNAME:default\" cannot get resource \"secrets\" in API group \"\" in the namespace \"APPNAME\"",
		"FATAL: password authentication failed for user \"APPNAME\"",
		"Access denied for user 'APPNAME'@'10.1.2.3' (using password: YES)",
		"token expired for client APPNAME, request id UUID",
		"invalid bearer token, service account token has expired",
		"unauthorized: authentication required, WWW-Authenticate: Bearer realm=\"https://auth.example.com/token\",service=\"APPNAME\"",
		"x509: certificate signed by unknown authority (serial NUM)",
		"checksum/config: DIGEST",
		"chart APPNAME-1.2.3.tgz digest DIGEST does not match",
		"trace_id=REVREVREV span_id=REV level=error msg=\"APPNAME timed out\"",
		"X-Request-Id: UUID, status 503",
		"rate(http_requests_total{job=\"APPNAME\",pod=~\"APPNAME-HASH-.*\"}[5m]) has no data",
		"PersistentVolumeClaim pvc-UUID is not bound",
		"arn:aws:iam::NUM:role/APPNAME is not authorized to perform: sts:AssumeRoleWithWebIdentity",
		"vpc-0REV: subnet-0REV has no free addresses",
		"MountVolume.SetUp failed for volume \"kube-api-access-POD\": object \"APPNAME\"/\"kube-root-ca.crt\" not registered",
		"the value of --token-ttl 30m is longer than APPNAME allows",
		"passwordPolicy: strong, automountServiceAccountToken: true, secretName: APPNAME-tls",
		"env DB_PASSWORD is read from $(POSTGRES_PASSWORD), API_TOKEN_FILE=/var/run/secrets/APPNAME/token",
		"existingSecret: APPNAME-postgresql, secretKeys: {adminPasswordKey: postgres-password}",
		"argocd repo add https://git.example.com/APPNAME.git --username USER --password \"$TOKEN\"",
		"etag \"REVREV-NUM\" of bucket APPNAME has changed",
		"consumer APPNAME-HASH-POD-UUID left the group",
	} {
		all = append(all, filled(text))
	}
	return all
}()

// HarmlessCases are cases with the lines, each at a place where a report quotes texts.
func HarmlessCases(lines []string) [][]byte {
	var where []*place
	for i := range places {
		if p := &places[i]; p.put != nil && !p.url && !p.never && p.name != Refused {
			where = append(where, p)
		}
	}
	out := make([][]byte, len(lines))
	for i, line := range lines {
		c := application(fmt.Sprintf("calm-%d", i))
		where[i%len(where)].put(c, "", line)
		out[i] = []byte(jsonText(c))
	}
	return out
}
