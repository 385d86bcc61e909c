package message_test

import (
	"slices"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/message"
)

func TestDecisiveLine(t *testing.T) {
	for name, tc := range map[string]struct{ log, want string }{
		"a migration, the error last": {
			"connecting to db:5432\napplying 0042_add_index.sql\nERROR: relation \"orders\" does not exist (SQLSTATE 42P01)\n",
			"ERROR: relation \"orders\" does not exist (SQLSTATE 42P01)",
		},
		"a Python traceback": {
			"Traceback (most recent call last):\n  File \"/app/manage.py\", line 22, in <module>\n    main()\ndjango.db.utils.OperationalError: could not connect to server: Connection refused\n",
			"django.db.utils.OperationalError: could not connect to server: Connection refused",
		},
		"a Go panic with its goroutines": {
			"starting\npanic: DB_HOST is not set\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:12 +0x1d\n",
			"panic: DB_HOST is not set",
		},
		"Java, the innermost cause": {
			"Exception in thread \"main\" org.flywaydb.core.api.FlywayException: Unable to obtain connection\n\tat org.flywaydb.Main(Main.java:1)\nCaused by: org.postgresql.util.PSQLException: FATAL: password authentication failed for user \"app\"\n\tat org.postgresql.Driver(Driver.java:2)\n\t... 12 more\n",
			"org.postgresql.util.PSQLException: FATAL: password authentication failed for user \"app\"",
		},
		"Node, with npm's chatter behind": {
			"> migrate\n> knex migrate:latest\n\nError: connect ECONNREFUSED 10.0.0.5:5432\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16)\nnpm ERR! code 1\nnpm ERR! path /app\nnpm ERR! A complete log of this run can be found in: /root/.npm/_logs/x.log\n",
			"Error: connect ECONNREFUSED 10.0.0.5:5432",
		},
		"a consequence after the cause": {
			"ERROR: duplicate key value violates unique constraint \"users_pkey\"\nMigration failed, rolling back\nexiting with code 1\n",
			"ERROR: duplicate key value violates unique constraint \"users_pkey\"",
		},
		"a warning before the error": {
			"WARN: deprecated option, this will be an error in the next version\nError: no such table: orders\n",
			"Error: no such table: orders",
		},
		"JSON lines": {
			"{\"level\":\"info\",\"msg\":\"connecting\"}\n{\"level\":\"error\",\"msg\":\"dial tcp 10.0.1.45:5432: connect: connection refused\"}\n{\"level\":\"info\",\"msg\":\"shutting down\"}\n",
			"dial tcp 10.0.1.45:5432: connect: connection refused",
		},
		"a sentence that goes over three lines": {
			"Using cached CLI at:\n/app/bin\n\nError: Unable to store the engine in\n/srv/cache/engines\nplease check that you may write there.\n\nbye\n",
			"Error: Unable to store the engine in /srv/cache/engines please check that you may write there.",
		},
		"a sentence that breaks off, and another entry": {
			"Error: cannot write to\n2026-01-01T10:00:00Z INFO stopping\n",
			"Error: cannot write to",
		},
		"a sentence that is whole": {
			"Error: cannot find /srv/config\nsee the docs of the chart\n",
			"Error: cannot find /srv/config",
		},
		"nothing tells: the last line": {"one\ntwo\nthree\n\n", "three"},
		"empty":                        {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := message.Decisive(tc.log); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

func TestUnstamped(t *testing.T) {
	for line, want := range map[string]string{
		"2026-01-01 migrate: ERROR: boom":                               "migrate: ERROR: boom",
		"2026-01-01T10:00:00.123Z ERROR boom":                           "ERROR boom",
		"[2026-01-01 10:00:00] local.ERROR: boom":                       "local.ERROR: boom",
		"10:00:00 boom":                                                 "boom",
		"boom at 10:00:00":                                              "boom at 10:00:00",
		"E1122 13:14:55.123456       1 main.go:12] unable to list pods": "unable to list pods",
	} {
		if got := message.Unstamped(line); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

func TestTails(t *testing.T) {
	for chain, want := range map[string][]string{
		"a chain: of several reasons: connection refused":  {"a chain: of several reasons: connection refused", "of several reasons: connection refused", "connection refused"},
		"pull access denied: EOF":                          {"pull access denied: EOF"},
		"invoking barman-cloud-wal-archive: exit status 1": {"invoking barman-cloud-wal-archive: exit status 1"},
		`value "a: b c d e f": must not be empty at all`:   {`value "a: b c d e f": must not be empty at all`, "must not be empty at all"},
		"": nil,
	} {
		if got := slices.Collect(message.Tails(chain)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", chain, got, want)
		}
	}
}
