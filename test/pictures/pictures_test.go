package pictures

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/argo-why/argo-why/internal/demo/demotest"
	"github.com/argo-why/argo-why/internal/demo/script"
	"github.com/argo-why/argo-why/internal/story"
)

const (
	root   = "../.."
	images = root + "/docs/images"
)

var (
	update = flag.Bool("update", false, "make the pictures, and write the text that they show")
	dark   = flag.Bool("dark", false, "with -update: dark pictures")
	width  = flag.Int("width", 0, "with -update: the width of the pictures; 400 if not given")
)

// bot is the built program.
var bot string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(demotest.WithBot(func(path string) int {
		bot = path
		return m.Run()
	}))
}

func TestThePicturesShowWhatTheCodeSays(t *testing.T) {
	files, err := filepath.Glob(images + "/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories of pictures: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := story.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			play(t, parsed)
			if *update {
				if err := os.WriteFile(file, parsed.Format(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func play(t *testing.T, parsed *story.Story) {
	o := script.Options{
		Story: parsed,
		Bot:   func(ctx context.Context, args ...string) *exec.Cmd { return exec.CommandContext(ctx, bot, args...) },
		Look:  script.Look{Width: *width, Dark: *dark},
		Show: func(name, text string) error {
			want, found := parsed.Section(name)
			switch got := timeless(text); {
			case *update:
				parsed.SetSection(name, got)
			case !found:
				return fmt.Errorf("there is no picture %s: run make pictures", name)
			case got != want:
				return fmt.Errorf("the picture %s is older than the code: run make pictures\n%s", name, cmp.Diff(want, got))
			}
			return nil
		},
	}
	if *update {
		o.Pictures = images
	}
	if err := script.Play(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

var moment = regexp.MustCompile(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?( UTC|Z)`)

// timeless leaves the moments out of a text, which are other ones whenever a story is played. Durations and ages stay: the stories
// show none that runs.
func timeless(text string) string { return moment.ReplaceAllString(text, "MOMENT") }

// picture is how a page shows one.
var picture = regexp.MustCompile(`docs/images/([\w-]+)\.png|\]\(images/([\w-]+)\.png`)

// TestEachPictureHasItsStory: what README and docs show is made by a story, and every picture is shown somewhere.
func TestEachPictureHasItsStory(t *testing.T) {
	made := map[string]bool{}
	stories, err := filepath.Glob(images + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range stories {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok {
				made[strings.TrimSuffix(name, " --")] = true
			}
		}
	}
	pages, err := filepath.Glob(root + "/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, page := range append(pages, root+"/README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range picture.FindAllStringSubmatch(string(text), -1) {
			name := m[1] + m[2]
			shown[name] = true
			if !made[name] {
				t.Errorf("%s shows docs/images/%s.png, which no story makes", filepath.Base(page), name)
			}
		}
	}
	files, err := filepath.Glob(images + "/*.png")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pictures: %v", err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".png"); !shown[name] {
			t.Errorf("no page shows docs/images/%s.png", name)
		}
	}
}

func TestTimelessTextsAreEqualWheneverTheyWereShown(t *testing.T) {
	const want = "failed MOMENT, MOMENT connecting, until MOMENT, 2026-01-01 migrate, after 8 min"
	for _, text := range []string{
		"failed 2026-11-22 10:10 UTC, 2026-11-22T10:13:23Z connecting, until 2026-11-22 10:36 UTC, 2026-01-01 migrate, after 8 min",
		"failed 2030-01-22 23:10 UTC, 2030-01-22T23:13:23Z connecting, until 2030-01-22 23:36 UTC, 2026-01-01 migrate, after 8 min",
	} {
		if got := timeless(text); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
