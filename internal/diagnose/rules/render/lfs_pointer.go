package render

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
)

// notGzip is how Helm refuses a committed chart that is no archive: the archive, or the file and what it seems to be.
var notGzip = pattern.MustCompile(`error unpacking (?:subchart )?(\S+\.tgz) in \S+: (?:gzip: invalid header|.*not appear to be a (?:gzipped|valid) archive)|file '([^']*\.tgz)' (?:appears to be a YAML file|does not appear to be a gzipped archive)(?:; got '([^;']*))?`)

// pointerAsChart is about an archive in charts/ that Git has as the pointer of an LFS object, which Argo CD does not replace unless it is
// told to: Helm gets three lines of text.
func pointerAsChart(r rendered, m []string) (diagnose.Finding, bool) {
	if !ownRepository(r) {
		return diagnose.Finding{}, false
	}
	file := path.Join(r.src.Path, "charts", path.Base(cmp.Or(m[1], m[2])))
	show := diagnose.Fix{Text: "Look at what Git has: a pointer begins with \"version https://git-lfs\"", Command: diagnose.Shell("git show HEAD:%s | head -c 120", strings.TrimPrefix(file, "./"))}
	out := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      path.Join("charts", path.Base(file)) + " is not a chart archive",
		Short:      "A committed chart is not an archive",
		Why:        inSource(r.s) + fmt.Sprintf("Helm cannot unpack %s, which is not gzip. Most often Git LFS has the archive, and Git only a pointer to it.", file),
		Fix: []diagnose.Fix{
			show,
			enableLFS(r, "If it is a pointer, turn LFS on for the repository in Argo CD"),
			{Text: "Otherwise commit the archive again, not through LFS", Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src))},
		},
	}
	if m[3] == "text/html" {
		out.Why = inSource(r.s) + fmt.Sprintf("Helm cannot unpack %s, which is a web page: most often what a server answered in place of the archive when it was downloaded.", file)
		out.Fix = []diagnose.Fix{{Text: "Download the archive again, and commit it", Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src))}}
		return out, true
	}
	switch lfs, known := lfsOf(r.in, r.src.RepoURL); {
	case known && lfs:
		out.Why += " Argo CD has LFS turned on for this repository."
		out.Fix = []diagnose.Fix{show, {Text: "Commit the archive again, and push its LFS object if there is one", Command: "git lfs push --all origin"}}
	case known:
		out.Why += " Argo CD has LFS turned off for this repository, so it does not fetch the archive."
	}
	return out, true
}

// enableLFS is the step that has Argo CD fetch LFS objects. The command stores the whole entry, so it takes the credentials again.
func enableLFS(r rendered, text string) diagnose.Fix {
	url := r.src.RepoURL
	flags := gitCredentialFlags(url)
	if registrationOf(r.in, url) == listedOnly && !repourl.IsSSH(url) {
		flags = " --upsert"
	}
	return diagnose.Fix{Text: text + " (the command replaces its entry)", Command: diagnose.Shell("argocd repo add %s --enable-lfs%s", url, flags)}
}
