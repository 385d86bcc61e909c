package app

import (
	"errors"
	"io"
	"log" //nolint:depguard // libraries write to it
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/sirupsen/logrus" //nolint:depguard // Argo CD's packages write to it
	"google.golang.org/grpc/grpclog"
	"k8s.io/klog/v2"

	"github.com/argo-why/argo-why/config"
)

// TestLinesOfLibrariesHaveNoSecret: what client-go, Argo CD, gRPC and the log package write comes in the bot's log, and its secrets do not.
func TestLinesOfLibrariesHaveNoSecret(t *testing.T) {
	before := slog.Default()
	defer func() {
		klog.ClearLogger()
		logrus.SetOutput(os.Stderr)
		logrus.StandardLogger().ReplaceHooks(logrus.LevelHooks{})
		grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, os.Stderr))
		slog.SetDefault(before)
	}()
	secret := strings.Repeat("Zx7q", 5)
	url := "https://deploy:" + secret + "@git.example.com"
	for _, format := range []string{"json", "text"} {
		var out strings.Builder
		bot, err := NewLog(&out, config.Log{Level: "info", Format: format})
		if err != nil {
			t.Fatal(err)
		}
		LogLibraries(bot)
		for name, write := range map[string]func(){
			"klog's error":      func() { klog.ErrorS(errors.New("get "+url), "Unhandled "+url, "from", url) },
			"klog's text":       func() { klog.Warningf("watch of %s ended", url) },
			"logrus's text":     func() { logrus.Warnf("cannot list refs of %s", url) },
			"logrus's fields":   func() { logrus.WithField("url", url).WithError(errors.New(url)).Error("failed " + url) },
			"gRPC's error":      func() { grpclog.Error("addrConn of " + url + " ended") },
			"the log package's": func() { log.Print("http: superfluous header of " + url) },
		} {
			out.Reset()
			write()
			if strings.Contains(out.String(), secret) || !strings.Contains(out.String(), "git.example.com") {
				t.Errorf("%s, %s: logged %q", format, name, out.String())
			}
		}
	}
}
