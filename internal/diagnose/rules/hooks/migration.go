package hooks

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// stumble is something that a tool of hooks, most of all of migrations, says in the same words wherever it runs, and what helps.
type stumble struct {
	// said are words of its log, said in lower case, any of which decides.
	said []string
	// like is another way in which the line that decides may say it; nil where there is none.
	like *pattern.Regexp
	// last: they decide only in the line of the log that decides. A tool also says them, and goes on.
	last bool
	// means is what it means, where the tool does not say it.
	means string
	// step is what helps. It may have one %s, for what which finds in the log.
	step  string
	which *pattern.Regexp
	// unnamed is the step where which finds nothing.
	unnamed string
	// credentials: the step ends with where the hook has its credentials from.
	credentials bool
}

// flywayRepair is the command with which Flyway corrects its history.
const flywayRepair = "repair"

var stumbles = []stumble{
	{ // Prisma
		said:    []string{"migrate found failed migrations in the target database"},
		means:   "Prisma applies no migration while one is recorded as failed.",
		which:   pattern.MustCompile("The `([^`]+)` migration started at .* failed"),
		step:    "Fix what migration %[1]s left half done, then run prisma migrate resolve against its database: with --rolled-back %[1]s if it was undone, with --applied %[1]s if it was completed manually",
		unnamed: "Fix what the failed migration left half done, then mark it with prisma migrate resolve --rolled-back (it was undone) or --applied (it was completed manually)",
	},
	{
		said:    []string{"p3018"},
		means:   "Prisma records the migration as failed, so that the next run would stop at once.",
		which:   pattern.MustCompile(`Migration name: (\S+)`),
		step:    "Fix what stopped migration %[1]s and undo what it left half done, then run prisma migrate resolve --rolled-back %[1]s against its database",
		unnamed: "Fix what stopped the migration and undo what it left half done, then mark it with prisma migrate resolve --rolled-back",
	},
	{
		said:  []string{"p3005: "},
		last:  true,
		means: "Prisma has no record of migrations in this database, though it has tables.",
		step:  "If the tables are those of the first migrations, mark these with prisma migrate resolve --applied (a baseline). If not, correct the database in the hook's settings",
	},
	{ // golang-migrate
		said:    []string{"dirty database version"},
		means:   "The tool runs no migration while an earlier one is recorded as stopped halfway.",
		which:   pattern.MustCompile(`(?i)dirty database version (\d+)`),
		step:    "Back up the database, find out why migration %s failed and fix what it left half done. Then set version and dirty in its schema_migrations table, or run migrate force, to the last version that is complete",
		unnamed: "Back up the database, fix what the migration left half done, then run migrate force to the last version that is complete",
	},
	{ // Alembic, golang-migrate
		said:  []string{"can't locate revision identified by", "no migration found for version"},
		means: "The image does not contain the revision that the database is at. Usually a newer image has migrated it before.",
		step:  "In Git, deploy an image that contains that revision. To keep this one, downgrade the database with the newer image first",
	},
	{ // Flyway, Knex: the database is ahead
		said:  []string{"detected applied migration not resolved locally", "the migration directory is corrupt, the following files are missing"},
		means: "The image does not contain all migrations that the database has. Usually a newer image has migrated it before.",
		step:  "In Git, deploy an image that contains those migrations, or restore the migration files that were removed",
	},
	{ // Flyway
		said:  []string{"migration checksum mismatch"},
		means: "A migration that had been applied was changed afterwards.",
		step:  "In Git, restore the old content of that migration and put the change into a new one. Run flyway " + flywayRepair + " only if the database already matches the new content",
	},
	{
		said:  []string{"detected resolved migration not applied to database"},
		means: "Flyway applies no migration with a number below the last one that the database has.",
		step:  "In Git, give that migration a number above the last one that was applied, or set outOfOrder to let Flyway apply it",
	},
	{
		said:  []string{"found non-empty schema(s)"},
		last:  true,
		means: "Flyway has no record of migrations in this database, though it has tables.",
		step:  "If the tables are those of the first migrations, run flyway baseline with the version that they are at. If not, correct the database in the hook's settings",
	},
	{
		said: []string{"found more than one migration with version"},
		step: "In Git, give one of the two migrations another version",
	},
	{
		said:  []string{"detected failed migration to version", "schema contains a failed migration"},
		means: "Flyway applies nothing more while its history contains a failed migration.",
		step:  "Fix what that migration left half done, then run flyway " + flywayRepair + " against its database",
	},
	{ // Liquibase
		said:  []string{"waiting for changelog lock", "could not acquire change log lock"},
		last:  true,
		means: "Another run holds Liquibase's lock, or one that died has left it behind.",
		step:  "If no other migration of that database is running, release the lock with liquibase release-locks, or in SQL: UPDATE DATABASECHANGELOGLOCK SET LOCKED=FALSE, LOCKGRANTED=NULL, LOCKEDBY=NULL WHERE ID=1",
	},
	{
		said:  []string{"change sets check sum", "changesets check sum"},
		means: "A change set that had been applied was changed afterwards.",
		step:  "In Git, restore the old content of that change set and put the change into a new one, or add its new checksum as validCheckSum",
	},
	{ // kubectl apply --server-side
		said:    []string{"apply failed with "},
		last:    true,
		which:   pattern.MustCompile(`Apply failed with \d+ conflicts?: conflicts? with "([^"]+)"`),
		means:   "Server-side apply takes over the fields of another manager only if it is forced to.",
		step:    "Let the hook's kubectl apply take those fields over with --force-conflicts (a value of its chart, or a newer chart). If %s is still in use, stop it from managing these objects instead",
		unnamed: "Let the hook's kubectl apply take those fields over with --force-conflicts (a value of its chart, or a newer chart)",
	},
	{ // goose
		said:  []string{"missing migrations before current version", "missing (out-of-order) migration"},
		means: "Migrations were added with a number below the last one that the database has.",
		step:  "In Git, give those migrations a number above the last one that was applied, or let goose apply them out of order with -allow-missing",
	},
	{ // Alembic, Django
		said:  []string{"multiple head revisions are present", "conflicting migrations detected"},
		means: "Two branches of the code each added a migration after the same one.",
		step:  "In Git, merge the two with a migration that follows both (alembic merge heads, manage.py makemigrations --merge), then build a new image",
	},
	{ // Atlas
		said: []string{"checksum mismatch (atlas.sum)"},
		step: "In Git, undo the change of that file. If it was meant, and the migration was not applied anywhere yet, run atlas migrate hash",
	},
	{ // Rails, golang-migrate
		said:  []string{"another migration process is currently running", "can't acquire database lock", "can't acquire lock"},
		last:  true,
		means: "Another run holds the lock of the migrations, or the session of one that died still does.",
		step:  "Wait until no other migration of that database is running. If none is, end the session that holds the lock (PostgreSQL: pg_locks shows it as advisory)",
	},
	{ // Kong
		said: []string{"run 'kong migrations finish'"},
		step: "Run kong migrations finish against that database once all old pods of Kong are gone, and let the hook run again",
	},
	{ // Zitadel
		said:  []string{"migration already started, will check again"},
		means: "Another run works on this step, or one that died has left it marked as started.",
		step:  "If no other setup of that database is running, run zitadel setup cleanup with the same configuration, then let the hook run again",
	},
	{ // curl, of what a check calls
		said: []string{"the requested url returned error: 5"},
		last: true,
		step: "Find out why that URL answers with a server error: check the Service, Ingress or gateway that the hook calls, and the pods behind it",
	},
	{ // Knex
		said:  []string{"migration table is already locked", "migrationlocked"},
		means: "Another run holds Knex's lock, or one that died has left it behind.",
		step:  "If no other migration of that database is running, release the lock with knex migrate:unlock",
	},
}

// stumbleOf is what the hook's log says in words that are known of migration tools; nil where it says none of them.
func (h *run) stumbleOf() *stumble {
	decides, _ := h.lastWords()
	log, line := strings.ToLower(h.log.Text), strings.ToLower(decides)
	for i := range stumbles {
		s, in := &stumbles[i], log
		if s.last {
			in = line
		}
		if message.HasAny(in, s.said...) {
			return s
		}
	}
	return nil
}

// steps are what gets past it; none for nil.
func (s *stumble) steps(h *run) []diagnose.Fix {
	switch {
	case s == nil:
		return nil
	case s.credentials:
		return []diagnose.Fix{{Text: s.step + h.fromSecrets()}}
	case s.which == nil:
		return []diagnose.Fix{{Text: s.step}}
	}
	if m := s.which.FindStringSubmatch(h.log.Text); m != nil {
		return []diagnose.Fix{{Text: fmt.Sprintf(s.step, m[1])}}
	}
	return []diagnose.Fix{{Text: s.unnamed}}
}

// stumbleMeans is what the words of a migration tool mean; empty where they are not known.
func (h *run) stumbleMeans() string {
	if s := h.stumbleOf(); s != nil {
		return s.means
	}
	return ""
}
