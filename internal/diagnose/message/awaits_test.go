package message

import "testing"

func TestAwaits(t *testing.T) {
	for _, tt := range []struct{ name, log, want string }{
		{"advice behind it", "*\n* INFO: startup completed.\n* Node will now join a running cluster, or wait for `cockroach init`.\n* Client connections will be accepted after this completes.\n*\n", "Node will now join a running cluster, or wait for `cockroach init`."},
		{"a Raft group", "2026-05-01T10:00:00.1Z [INFO] agent: joining\n2026-05-01T10:00:05.1Z [WARN] agent: No cluster leader", "agent: No cluster leader"},
		{"structured", `{"level":"info","ts":"2026-05-01T10:00:00Z","msg":"waiting for license to be installed"}`, "waiting for license to be installed"},
		{"over", "Waiting for database...\nDatabase is up\nServer listening on :8080", ""},
		{"its work", "[*] Waiting for messages. To exit press CTRL+C", ""},
		{"a watch", "level=info msg=\"waiting for new events\"", ""},
		{"long ago", "Waiting for database\na\nb\nc\nd\ne\nf\ng", ""},
		{"sealed", "core: vault is sealed", "core: vault is sealed"},
		{"tables", "2026-05-01 10:00:00.000 [info] <0.229.0> Waiting for Mnesia tables for 30000 ms, 9 retries left", "Waiting for Mnesia tables for 30000 ms, 9 retries left"},
		{"a pause", "no leader\nwaiting 5s before the next try", "no leader"},
		{"nothing", "", ""},
	} {
		if got := Awaits(tt.log); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
