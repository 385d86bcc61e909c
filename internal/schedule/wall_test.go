package schedule_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/argo-why/argo-why/internal/schedule"
)

// runs are all moments at which a schedule is due from one day to another, in UTC.
func runs(s cron.Schedule, from, to string) string {
	parse := func(day string) time.Time {
		t, err := time.Parse(time.DateOnly, day)
		if err != nil {
			panic(err)
		}
		return t
	}
	var out []string
	for at := s.Next(parse(from)); at.Before(parse(to)); at = s.Next(at) {
		out = append(out, at.UTC().Format("02 15:04"))
	}
	return strings.Join(out, ", ")
}

// TestClockChangesRunAJobOnce, where robfig/cron alone leaves one out or runs it twice. Vienna's clocks are changed on 28 March 2027 at
// 01:00 UTC from 02:00 to 03:00, and on 31 October 2027 at 01:00 UTC from 03:00 to 02:00; those of Lord Howe Island by half an hour.
func TestClockChangesRunAJobOnce(t *testing.T) {
	for _, c := range []struct{ fields, zone, from, to, want, alone string }{
		{"0 9 * * *", "Europe/Vienna", "2027-03-27", "2027-03-30", "27 08:00, 28 07:00, 29 07:00", "27 08:00, 28 07:00, 29 07:00"},
		{"30 2 * * *", "Europe/Vienna", "2027-03-27", "2027-03-30", "27 01:30, 28 01:30, 29 00:30", "27 01:30, 29 00:30"},
		{"0 2 * * *", "Europe/Vienna", "2027-03-27", "2027-03-30", "27 01:00, 28 01:00, 29 00:00", "27 01:00, 29 00:00"},
		{"30 2 * * *", "Europe/Vienna", "2027-10-30", "2027-11-02", "30 00:30, 31 00:30, 01 01:30", "30 00:30, 31 00:30, 31 01:30, 01 01:30"},
		{"0 9 * * *", "Europe/Vienna", "2027-10-30", "2027-11-02", "30 07:00, 31 08:00, 01 08:00", "30 07:00, 31 08:00, 01 08:00"},
		{"0 1-4 * * *", "Europe/Vienna", "2027-03-28", "2027-03-29", "28 01:00, 28 02:00, 28 23:00", "28 01:00, 28 02:00, 28 23:00"},
		{"15 2 * * *", "Australia/Lord_Howe", "2027-10-01", "2027-10-04", "01 15:45, 02 15:45, 03 15:15", "01 15:45, 03 15:15"},
		{"45 1 * * *", "Australia/Lord_Howe", "2027-04-02", "2027-04-05", "02 14:45, 03 14:45, 04 15:15", "02 14:45, 03 14:45, 03 15:15, 04 15:15"},
		{"15,35 2 * * *", "Australia/Lord_Howe", "2027-10-02", "2027-10-03", "02 15:35, 02 15:45", "02 15:35"},
		{"0 9 * * 1-5", "", "2026-11-20", "2026-11-24", "20 09:00, 23 09:00", "20 09:00, 23 09:00"},
	} {
		w, err := schedule.NewWall(c.fields, c.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := runs(w, c.from, c.to); got != c.want {
			t.Errorf("%s in %s runs at %s, want %s", c.fields, c.zone, got, c.want)
		}
		alone, err := schedule.Parse(strings.TrimPrefix("CRON_TZ="+c.zone+" ", "CRON_TZ= ") + c.fields)
		if err != nil {
			t.Fatal(err)
		}
		if got := runs(alone, c.from, c.to); got != c.alone { // then Wall is perhaps no longer needed
			t.Errorf("robfig/cron runs %s in %s at %s, and used to at %s", c.fields, c.zone, got, c.alone)
		}
	}
}

// TestTheNextIsLaterAndTheLastIsNot, whatever the moment and across both clock changes.
func TestTheNextIsLaterAndTheLastIsNot(t *testing.T) {
	w, err := schedule.NewWall("30 2,9 * * *", "Europe/Vienna")
	if err != nil {
		t.Fatal(err)
	}
	end := time.Date(2027, 12, 1, 0, 0, 0, 0, time.UTC)
	for at := time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC); at.Before(end); at = at.Add(30 * time.Minute) {
		next := w.Next(at)
		last := w.Last(at.Add(-24*time.Hour), at)
		if !next.After(at) || next.Sub(at) > 24*time.Hour || last.After(at) || last.IsZero() && next.Sub(at) < 6*time.Hour || !last.IsZero() && !w.Next(last).Equal(next) {
			t.Fatalf("at %s: last %s, next %s", at, last, next)
		}
	}
}

func TestAWallNeedsFieldsAndAPlace(t *testing.T) {
	for _, c := range []struct{ fields, zone, says string }{
		{"@every 5m", "", `use five fields such as "0 9 * * 1-5"`},
		{"CRON_TZ=Europe/Vienna 0 9 * * *", "", "use five fields"},
		{"0 0 30 2 *", "", "it never runs"},
		{"0 9 * *", "", "use five fields"},
		{"0 9 * * *", "Europe/Vienn", `time zone "Europe/Vienn"`},
	} {
		if _, err := schedule.NewWall(c.fields, c.zone); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s in %s: %v, want %s", c.fields, c.zone, err, c.says)
		}
	}
}
