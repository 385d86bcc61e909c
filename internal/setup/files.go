package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The files, in the order in which they are written: the values last, so that they are there only if the rest is.
const (
	tokensDir  = "tokens"
	appFile    = "slack-app.yaml"
	ignoreFile = ".gitignore"
	accountSh  = "account.sh"
	secretSh   = "secret.sh"
	valuesFile = "values.yaml"
)

// file is one that is written.
type file struct {
	name, text string
	secret     bool
}

var tokenNames = []string{SlackBotToken, SlackAppToken, ArgoCDToken, WebhookToken}

// files are what a setup consists of, without the manifest of the Slack app, which is written before there are
// tokens, and .gitignore.
func files(a Answers, tokens map[string]string, account string) ([]file, error) {
	var all []file
	keys := []string{SlackBotToken, SlackAppToken, ArgoCDToken}
	for _, name := range tokenNames {
		if token := tokens[name]; token != "" {
			all = append(all, file{name: filepath.Join(tokensDir, name), text: token, secret: true})
		}
	}
	if a.Notifications {
		keys = append(keys, WebhookToken)
	}
	if a.TLS == TLSOwn {
		keys = append(keys, ArgoCDCert)
	}
	values, err := a.values()
	if err != nil {
		return nil, err
	}
	return append(all,
		file{name: accountSh, text: account},
		file{name: secretSh, text: secretScript(a, keys)},
		file{name: valuesFile, text: values},
	), nil
}

// secretScript makes the Secret. Only server-side apply keeps the tokens out of the annotation that others print. A Secret that was made in
// another way conflicts with it, and is replaced.
func secretScript(a Answers, keys []string) string {
	var from strings.Builder
	certificate := ""
	if a.TLS == TLSOwn {
		certificate = strings.NewReplacer("FILE", tokensDir+"/"+ArgoCDCert, "ARGOCD", a.ArgoNamespace).Replace(certificateScript)
	}
	for _, key := range keys {
		fmt.Fprintf(&from, " \\\n  --from-file=%s/%s", tokensDir, key)
	}
	return fmt.Sprintf(`# The token of the bot's account in Argo CD, unless there is one, and the Secret with all tokens. Written by argo-why init; run it again after you
# changed a token. It changes what kubectl is connected to now.
set -eu
umask 077
cd "$(dirname "$0")"

if ! test -s %[1]s/%[2]s; then
  sh %[3]s > %[1]s/%[2]s
fi
%[6]skubectl create namespace %[4]s --dry-run=client -o yaml | kubectl apply --server-side -f -
kubectl -n %[4]s create secret generic argo-why --dry-run=client -o yaml%[5]s |
  kubectl apply --server-side --force-conflicts -f -
`, tokensDir, ArgoCDToken, accountSh, a.Namespace, from.String(), certificate)
}

// certificateScript reads what the bot verifies argocd-server with. Argo CD shows what is in argocd-server-tls, and the certificate in
// argocd-secret, which it has signed itself, where there is none. Only this one key of the Secrets is read.
const certificateScript = `# The certificate of argocd-server: your own, else the one that Argo CD made. Delete the file and run this again after it has changed.
if ! test -s FILE; then
  for from in 'argocd-server-tls ca.crt' 'argocd-server-tls tls.crt' 'argocd-secret tls.crt'; do
    kubectl -n ARGOCD get secret "${from%% *}" --ignore-not-found \
      -o go-template="{{with index .data \"${from##* }\"}}{{base64decode .}}{{end}}" > FILE
    if test -s FILE; then break; fi
  done
fi
if ! test -s FILE; then
  echo 'Neither argocd-server-tls nor argocd-secret in namespace ARGOCD has a certificate: run argo-why init again with --argocd-tls' >&2
  exit 1
fi
`

// usable reports a file where a directory is to be made.
func usable(dir string) error {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		switch info, err := os.Stat(at); {
		case err == nil && !info.IsDir():
			return UsageError("--dir: " + at + " is a file, not a directory: give another one")
		case err == nil || at == filepath.Dir(at): // what else is wrong is found when something is written
			return nil
		}
	}
}

// existing are the files of an earlier setup. The manifest of the Slack app and .gitignore are looked at when they are written.
func existing(dir string) []string {
	names := []string{valuesFile, secretSh, accountSh}
	for _, token := range tokenNames {
		names = append(names, filepath.Join(tokensDir, token))
	}
	var found []string
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			found = append(found, name)
		}
	}
	return found
}

// differs reports whether a file exists and is not the one that would be written.
func differs(dir string, f file) bool {
	old, err := os.ReadFile(filepath.Join(dir, f.name))
	return !errors.Is(err, fs.ErrNotExist) && string(old) != f.text
}

// ignoring is the .gitignore of a directory that may have one already.
func ignoring(dir string) file {
	const line = "/" + tokensDir + "/\n"
	old, err := os.ReadFile(filepath.Join(dir, ignoreFile))
	text := string(old)
	switch {
	case err != nil || text == "":
		text = line
	case !strings.Contains("\n"+text, "\n"+line):
		text = strings.TrimSuffix(text, "\n") + "\n" + line
	}
	return file{name: ignoreFile, text: text}
}

// write writes a file as a whole or not at all.
func write(dir string, f file) (err error) {
	path := filepath.Join(dir, f.name)
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	mode := fs.FileMode(0o644)
	parent := fs.FileMode(0o755)
	if f.secret {
		mode, parent = 0o600, 0o700
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return cause(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), parent); err != nil {
		return cause(err)
	}
	if f.secret { // it may have been there
		if err := os.Chmod(filepath.Dir(path), parent); err != nil {
			return cause(err)
		}
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".new-*") // readable by its owner only
	if err != nil {
		return cause(err)
	}
	_, err = bytes.NewReader([]byte(f.text)).WriteTo(temporary)
	if err = errors.Join(err, temporary.Chmod(mode), temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return errors.Join(cause(err), os.Remove(temporary.Name()))
	}
	return nil
}

// remove removes a file, if there is one.
func remove(dir, name string) error {
	path := filepath.Join(dir, name)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", path, cause(err))
	}
	return nil
}

// cause leaves out the path, which the caller names.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// plain is a path that a shell takes as it is.
var plain = regexp.MustCompile(`^[\w.,/@+-]+$`)

// shell quotes a path for a shell.
func shell(path string) string {
	if plain.MatchString(path) && !strings.HasPrefix(path, "-") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
