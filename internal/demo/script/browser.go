package script

import (
	"errors"
	"os/exec"
)

// browsers are the programs that can take the pictures, the best first.
var browsers = []string{
	"headless_shell", "headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "google-chrome-beta",
	"google-chrome-unstable", "chrome", "/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/local/bin/chrome", "/snap/bin/chromium",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
}

// ErrNoBrowser is that no browser was found. Nothing is downloaded.
var ErrNoBrowser = errors.New("pictures need Chromium or Chrome, but neither was found: install the package chromium, or leave out --pictures")

func findBrowser(names []string) (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}
