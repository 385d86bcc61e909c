package incident

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// keySaying is the key of an object that fails of an error.
func keySaying(said string) string {
	f := diagnose.Finding{
		Rule: "health/crash-loop", Says: diagnose.Said{Text: said}, Resource: evidence.Ref{Kind: "Deployment", Namespace: "shop", Name: "api"},
	}
	return causeKey(&f, []diagnose.Finding{f})
}

// TestTwoErrorsOfOneObject are told apart by what they name, however much of their wording they share.
func TestTwoErrorsOfOneObject(t *testing.T) {
	t.Parallel()
	for _, two := range [][2]string{
		{"dial tcp 10.0.1.45:5432: connect: connection refused", "dial tcp: lookup redis.shop.svc: no such host"},
		{"dial tcp 10.0.1.45:5432: connect: connection refused", "dial tcp 10.0.1.45:6379: connect: connection refused"},
		{"panic: missing env DATABASE_URL", "panic: missing env REDIS_URL"},
		{"panic: runtime error: index out of range [3] with length 3", "panic: runtime error: invalid memory address or nil pointer dereference"},
		{"java.lang.NullPointerException at com.acme.Billing.run", "java.lang.IllegalStateException at com.acme.Billing.start"},
		{"ModuleNotFoundError: No module named 'requests'", "ModuleNotFoundError: No module named 'numpy'"},
		{"ModuleNotFoundError: No module named 'psycopg2'", "ModuleNotFoundError: No module named 'boto3'"},
		{"open /etc/app/config.yaml: no such file or directory", "open /etc/app/tls.crt: permission denied"},
		{`FATAL: database "pay" does not exist`, `FATAL: role "pay" does not exist`},
		{`ERROR: relation "ledger" does not exist`, `ERROR: relation "users" already exists`},
		{"spec.replicas: Invalid value: -1: must be greater than or equal to 0", "spec.template.spec.containers[0].image: Required value"},
		{"admission webhook denied the request: image must not use latest", "admission webhook denied the request: label owner is required"},

		{"ModuleNotFoundError: No module named requests", "ModuleNotFoundError: No module named numpy"},
		{"panic: licence expired", `FATAL: password authentication failed for user "billing"`},
		{"nc: bad address 'pg'", "nc: bad address 'db'"},
		{"nil pointer evaluating interface {}.tag", "nil pointer evaluating interface {}.port"},
		{"open /etc/app/db.yaml: no such file or directory", "open /etc/app/cache.yaml: no such file or directory"},
		{"dial tcp: lookup db1.internal on 10.96.0.10:53: no such host", "dial tcp: lookup db2.internal on 10.96.0.10:53: no such host"},
		{`connection to server at "db.internal" (10.0.0.7), port 5432 failed: FATAL: password authentication failed for user "seed"`,
			`connection to server at "db.internal" (10.0.0.7), port 5432 failed: FATAL: password authentication failed for user "ledger"`},
		{`connection to server at "ledger-db" (10.3.0.12), port 5432 failed: FATAL: password authentication failed for user "ledger"`,
			`connection to server at "ledger-db" (10.3.0.12), port 5432 failed: FATAL: password authentication failed for user "reports"`},
		{`ERROR: column "amount" of relation "orders" does not exist`, `ERROR: column "currency" of relation "orders" does not exist`},
		{"required key QUEUE_ADDRESS missing value", "required key QUEUE_TOKEN missing value"},
		{`secret "stripe" not found`, `secret "mailer" not found`},
		{`couldn't find key password in Secret shop/db`, `couldn't find key username in Secret shop/db`},
		{"Error: Cannot find module 'express'", "Error: Cannot find module 'lodash'"},
		{"x509: certificate signed by unknown authority", "x509: certificate has expired or is not yet valid: current time 2026-10-02T08:11:09Z is after 2026-09-30T00:00:00Z"},
		{"Readiness probe failed: HTTP probe failed with statuscode: 401", "Readiness probe failed: HTTP probe failed with statuscode: 404"},
		{"NoSuchBucket: the bucket invoices does not exist", "AccessDenied: the bucket invoices is not yours"},
		{`error in config: unknown field "replcas"`, `error in config: unknown field "imge"`},
		{"listen tcp :8080: bind: address already in use", "listen tcp :8080: bind: permission denied"},
		{"KeyError: 'region'", "KeyError: 'zone'"},
		{"redis: NOAUTH Authentication required", "redis: MOVED to another node, cluster is down"},
		{"ghcr.io/acme/migrator:v2.14: not found", "ghcr.io/acme/api:v2.14: not found"},
		{"flag provided but not defined: -log-lvl", "flag provided but not defined: -metrics-prot"},
		{`undefined method 'total' for nil`, `undefined method 'currency' for nil`},
		{"java.lang.ClassNotFoundException: com.acme.Ledger", "java.lang.ClassNotFoundException: com.acme.Mailer"},
		{"exec /app/server: exec format error", "exec /app/worker: exec format error"},
		{"OOM: Java heap space", "OOM: Metaspace"},
		{"kafka: topic payments does not exist", "kafka: group payments-reader is not authorized"},
		{"cannot start the payments worker of the shop because dial tcp redis:6379 times out", "cannot start the payments worker of the shop because dial tcp cache:6379 times out"},
		{"GET https://auth.example.com/token: 403 Forbidden", "GET https://pay.example.com/token: 403 Forbidden"},
	} {
		if a, b := keySaying(two[0]), keySaying(two[1]); sameKey(a, b) || sameKey(b, a) {
			t.Errorf("one cause:\n%s\n%s\n%q\n%q", two[0], two[1], a, b)
		}
	}
}

// TestOneErrorOfOneObject is known again by another attempt, pod, moment or directory.
func TestOneErrorOfOneObject(t *testing.T) {
	t.Parallel()
	for _, two := range [][2]string{
		{"2026-11-01 10:00:01 dial tcp 10.0.0.7:5432: connect: connection refused", "2026-11-02 11:30:09 dial tcp 10.0.9.1:5432: connect: connection refused (attempt 7)"},
		{"read tcp 10.0.0.7:48212->10.0.9.1:5432: connection reset by peer", "read tcp 10.0.0.9:51100->10.0.9.1:5432: connection reset by peer"},
		{"connection from 10.0.0.7:48212 lost", "connection from 10.0.0.8:60001 lost"},
		{"read tcp [fd00::7]:48212->[fd00::9]:5432: i/o timeout", "read tcp [fd00::8]:40000->[fd00::9]:5432: i/o timeout"},
		{"cannot charge customer alice: ledger refused the posting, account is locked since Sat Nov 28", "cannot charge customer bob: ledger refused the posting, account is locked since Sun Nov 29"},
		{"open /tmp/4d8f83ca-9fff-4967-8522-2677ff737846/web/values.yaml: no such file or directory", "open /tmp/62d706b0-9fff-4967-8522-a357a47895bc/web/values.yaml: no such file or directory"},
		{"write /tmp/tmp.aBcDeFgHiJ: no space left on device", "write /tmp/tmp.QrStUvWxYz: no space left on device"},
		{"write /dev/shm/2347890: no space left on device", "write /dev/shm/2083104834: no space left on device"},
		{"open /tmp/pip-build-abcdef/setup.py: permission denied", "open /tmp/pip-build-ghijkl/setup.py: permission denied"},
		{"upstream says 500, request ID 8f2a1b", "upstream says 500, request ID abcdef"},
		{`{"msg":"no licence","trace_id":"aabbccddeeff"}`, `{"msg":"no licence","trace_id":"ffeeddccbbaa"}`},
		{"upstream [fd00:ab12::7]:5432 closed the stream c0ffee12", "upstream [fd00:cd34::9]:5432 closed the stream beef34"},
		{"retry 3 of 5: no licence for module billing", "retry 4 of 5: no licence for module billing"},
		{"no licence for module billing", "no licence for module billing (attempt 2, retrying in 30s)"},
		{"ran out of memory after 5 minutes", "ran out of memory after 1 hour"},
		{"pod web-7d4b9c5f6d-x2x9p is not ready", "pod web-7d4b9c5f6d-kkvwz is not ready"},
		{"pod kafka-0 is not in sync with the leader", "pod kafka-2 is not in sync with the leader"},
		{"lookup kafka-0.kafka.shop.svc: no such host", "lookup kafka-1.kafka.shop.svc: no such host"},
		{"Mon Nov 23 10:11:12 UTC 2026 no licence", "Sun Nov 29 07:00:00 UTC 2026 no licence"},
		{"[pool-1-thread-3] WARN no licence", "[pool-2-thread-17] ERROR no licence"},
		{"Manifest generation error (cached): no such chart", "Manifest generation error: no such chart"},
		{"cannot check out 3f2a91c0000000000000000000000000000000aa: object not found", "cannot check out 9c1e0d20000000000000000000000000000000bb: object not found"},
		{"panic at 0xc000123456: no licence, goroutine 17", "panic at 0xc000abcdef12: no licence, goroutine 23"},
		{"1 error: no licence", "2 errors: no licence"},
		{"0/3 nodes are available: 3 Insufficient memory", "0/5 nodes are available: 5 Insufficient memory"},
		{"1 pod is not ready", "3 pods are not ready"},
		{"main.go:42: no licence", "main.go:57: no licence"},
		{"ghcr.io/acme/migrator:v2.14: not found", "ghcr.io/acme/migrator:v2.15.1-rc.1: not found"},
		{"migration 20261101093000_add_index failed: deadlock detected", "migration 20261101093000_add_index failed: deadlock detected at 10:11:12.345"},
		{"container api in pod api-6d5f4-x2k9p_shop(46f063f3-e6ef-4160-a0c2-c4c9458ae967) exits: no licence", "container api in pod api-7c8d9-b4zlq_shop(62d706b0-e6ef-4160-a0c2-a357a47895bc) exits: no licence"},
		{"node ip-10-0-1-23.ec2.internal: volume is still attached", "node ip-10-0-7-4.ec2.internal: volume is still attached"},
		{"Readiness probe failed: HTTP probe failed with statuscode: 502", "Readiness probe failed: HTTP probe failed with statuscode: 503"},
		{"certificate expired: current time 2026-10-02T08:11:09Z is after 2026-09-30T00:00:00Z", "certificate expired: current time 2026-10-03T11:45:00Z is after 2026-09-30T00:00:00Z"},
		{"used: requests.cpu=4, limited: requests.cpu=4", "used: requests.cpu=3500m, limited: requests.cpu=4"},
		{"no licence, see /var/lib/kubelet/pods/12fc05a4-5468-4acd-a1ee-a93536a2a462/log", "no licence, see /var/lib/kubelet/pods/46f063f3-e6ef-4160-a0c2-c4c9458ae967/log"},
	} {
		if a, b := keySaying(two[0]), keySaying(two[1]); !sameKey(a, b) || !sameKey(b, a) {
			t.Errorf("two causes:\n%s\n%s\n%q\n%q", two[0], two[1], a, b)
		}
	}
}
