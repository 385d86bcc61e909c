package invisible_test

import (
	"fmt"
	"testing"

	"github.com/argo-why/argo-why/internal/invisible"
)

func TestWhatNobodySeesIsListed(t *testing.T) {
	for _, r := range []struct{ from, to rune }{
		{0x00ad, 0x00ad}, {0x034f, 0x034f}, {0x061c, 0x061c}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f}, {0x202a, 0x202e},
		{0x2060, 0x206f}, {0x2800, 0x2800}, {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
	} {
		for c := r.from; c <= r.to; c++ {
			if !invisible.Is(c) {
				t.Errorf("%U is not listed", c)
			}
		}
	}
	for _, c := range "\x00\x1b\t\n\r aé\u00a0\u0301\u0600\u06dd\u2028\u20e3\u2801\u3000ﷺ日🔴\U0001f3fd\ufffc\ufffd" {
		if invisible.Is(c) {
			t.Errorf("%U is listed", c)
		}
	}
}

func TestOnlyWhatItsNeighborsNeedStays(t *testing.T) {
	for _, c := range []struct{ what, in, want string }{
		{"nothing", "naïve … 日本 🔴", "naïve … 日本 🔴"},
		{"within a name", "pay\u200bm\u00adents\u2060", "pay.m.ents."},
		{"a name in tags", "shop\U000e0073\U000e0068", "shop.."},
		{"mark of byte order", "\ufeffkind: Job", ".kind: Job"},
		{"a filler", "a\u3164b\uffa0c\u115f", "a.b.c."},
		{"our icons", "⚠️ ↪️ ℹ️ ▶️", "⚠️ ↪️ ℹ️ ▶️"},
		{"a key", "1️⃣ #️⃣ 1\ufe0f2", "1️⃣ #️⃣ 1.2"},
		{"a picture behind a letter", "a\ufe0fb\ufe0f\ufe0f", "a.b.."},
		{"two after one picture", "⚠️\ufe0f", "⚠️."},
		{"a family", "👩‍👩‍👧 👩🏽‍🚒 🏳️‍🌈 ❤️‍🔥", "👩‍👩‍👧 👩🏽‍🚒 🏳️‍🌈 ❤️‍🔥"},
		{"a joiner behind a picture", "👩\u200d x 👩\u200d", "👩. x 👩."},
		{"a joiner between letters", "a\u200db\u200cc", "a.b.c"},
		{"another form of a Chinese letter", "葛\U000e0100城", "葛.城"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"the end of a Persian word", "می\u200c", "می."},
		{"an Arabic abbreviation", "ه\u200d", "ه\u200d"},
		{"Hindi", "क्\u200dष क्\u200cष", "क्\u200dष क्\u200cष"},
		{"two where one does", "می\u200c\u200cخ", "می..خ"},
		{"directions", "a\u202eb\u200f", "a.b."},
	} {
		got := invisible.Map(c.in, func(rune) string { return "." })
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		gone := invisible.Map(c.in, func(rune) string { return "" })
		if again := invisible.Map(gone, func(rune) string { return "" }); again != gone {
			t.Errorf("%s: %q becomes %q the second time", c.what, gone, again)
		}
	}
}

func ExampleMap() {
	fmt.Println(invisible.Map("pay\u200bments", func(r rune) string { return fmt.Sprintf("(%U)", r) }))
	// Output: pay(U+200B)ments
}
