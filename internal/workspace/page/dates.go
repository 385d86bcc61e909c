package page

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// dateText fills in the tokens of a date: https://docs.slack.dev/messaging/formatting-message-text#date-formatting
func dateText(format string, at, now time.Time) string {
	day := func(long string) string {
		switch days := daysBetween(at, now); days {
		case 0:
			return "today"
		case 1:
			return "yesterday"
		case -1:
			return "tomorrow"
		}
		return at.Format(long)
	}
	const short, full = "Jan 2, 2006", "January 2, 2006"
	return strings.NewReplacer(
		"{date_num}", at.Format("2006-01-02"), "{date}", at.Format(full), "{date_slash}", at.Format("02/01/2006"),
		"{date_short}", at.Format(short), "{date_long}", at.Format("Monday, "+full),
		"{date_pretty}", day(full), "{date_short_pretty}", day(short), "{date_long_pretty}", day("Monday, "+full),
		"{time}", at.Format("15:04"), "{time_secs}", at.Format("15:04:05"), "{ago}", ago(now.Sub(at)),
	).Replace(format)
}

func daysBetween(at, now time.Time) int {
	midnight := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(midnight(now).Sub(midnight(at)) / (24 * time.Hour))
}

// ago is how long something was back, or is to come, as Slack words it.
func ago(d time.Duration) string {
	wording := "%s ago"
	if d < 0 {
		d, wording = -d, "in %s"
	}
	if d < time.Minute {
		return fmt.Sprintf(wording, "a few seconds")
	}
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"year", 365 * 24 * time.Hour}, {"month", 30 * 24 * time.Hour}, {"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}} {
		n := int(d / unit.size)
		switch {
		case n == 1:
			return fmt.Sprintf(wording, "1 "+unit.name)
		case n > 1:
			return fmt.Sprintf(wording, strconv.Itoa(n)+" "+unit.name+"s")
		}
	}
	return ""
}

// timeOf is when a message was written, as its ts says.
func timeOf(ts string) time.Time {
	seconds, micro, _ := strings.Cut(ts, ".")
	s, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}
	}
	m, _ := strconv.ParseInt(micro, 10, 64)
	return time.Unix(s, m*int64(time.Microsecond)).Local()
}

// dayText is what stands over the messages of a day.
func dayText(at, now time.Time) string {
	switch daysBetween(at, now) {
	case 0:
		return "Today"
	case 1:
		return "Yesterday"
	}
	return at.Format("Monday, January 2")
}
