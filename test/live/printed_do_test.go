//go:build live

package live_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/test/lab/scenarios"
	"github.com/argo-why/argo-why/test/live/printed"
)

// find is the printed step that has these words, with the placeholders filled in.
func (r *run) find(x scenarios.App, rep *printed.Report, words string, of func(printed.Step) string) (printed.Finding, printed.Step, error) {
	for _, f := range rep.Printed() {
		for _, s := range f.Fix {
			if strings.Contains(of(s), words) {
				r.seen.did(r.key(s))
				return f, s.Fill(r.values(x)), nil
			}
		}
	}
	return printed.Finding{}, printed.Step{}, fmt.Errorf("no step has %q", words)
}

// values are those of the placeholders in this run.
func (r *run) values(x scenarios.App) map[string]string {
	values := map[string]string{}
	for k, v := range x.Fill {
		values[k] = strings.ReplaceAll(v, "@NAME@", r.name)
	}
	return values
}

// execute runs a printed command as it stands. While another operation is about to end, a person tries again.
func (r *run) execute(x scenarios.App, rep *printed.Report, words string) error {
	_, s, err := r.find(x, rep, words, func(s printed.Step) string { return s.Command })
	if err != nil {
		return err
	}
	out := ""
	for end := time.Now().Add(patience); ; time.Sleep(time.Second) {
		if out, err = r.command(s.Command); err == nil || !strings.Contains(out, "another operation is already in progress") || time.Now().After(end) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("%s\n$ %s\n%s%w", s.Text, s.Command, out, err)
	}
	return nil
}

// paste merges printed YAML to where the text says.
func (r *run) paste(app string, x scenarios.App, rep *printed.Report, words string) error {
	f, s, err := r.find(x, rep, words, func(s printed.Step) string { return s.Patch })
	if err != nil {
		return err
	}
	pieces, err := s.Pieces(f)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		switch p.Place {
		case printed.InApplication:
			err = r.mergeLive(p.Value, "argocd", "application.argoproj.io/"+app)
		case printed.InSettings:
			err = r.mergeLive(p.Value, "argocd", "configmap/argocd-cm")
		case printed.InProject:
			err = r.mergeLive(p.Value, "argocd", "appproject.argoproj.io/"+r.name)
		case printed.InFile:
			err = r.mergeFile(app, p)
		case printed.InGit:
			err = r.mergeGit(app, p)
		}
		if err != nil {
			return fmt.Errorf("%s\n%s: %w", s.Text, s.Patch, err)
		}
	}
	return nil
}

// mergeLive merges lines into an object of the cluster, as `kubectl edit` does; again if somebody was faster.
func (r *run) mergeLive(lines map[string]any, namespace, object string) (err error) {
	for range 10 {
		if err = r.edit(lines, namespace, object); err == nil || !strings.Contains(err.Error(), "(Conflict)") {
			break
		}
	}
	return err
}

func (r *run) edit(lines map[string]any, namespace, object string) error {
	text, err := r.command("kubectl -n " + namespace + " get " + object + " -o json")
	if err != nil {
		return fmt.Errorf("read %s: %w: %s", object, err, text)
	}
	var o map[string]any
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return fmt.Errorf("read %s: %w", object, err)
	}
	printed.Merge(o, lines)
	edited, err := yaml.Marshal(o)
	if err != nil {
		return fmt.Errorf("write %s: %w", object, err)
	}
	file := filepath.Join(r.t.TempDir(), "edited.yaml")
	if err := os.WriteFile(file, edited, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", object, err)
	}
	if out, err := r.command("kubectl replace -f " + file); err != nil {
		return fmt.Errorf("replace %s: %w: %s", object, err, out)
	}
	return nil
}

// mergeFile merges lines into a file in Git and pushes it.
func (r *run) mergeFile(app string, p printed.Piece) error {
	text, err := os.ReadFile(filepath.Join(os.Getenv("GIT_WORK"), p.File))
	if err != nil {
		return fmt.Errorf("read %s in Git: %w", p.File, err)
	}
	o := map[string]any{}
	if err := yaml.Unmarshal(text, &o); err != nil {
		return fmt.Errorf("read %s in Git: %w", p.File, err)
	}
	printed.Merge(o, p.Value)
	merged, err := yaml.Marshal(o)
	if err != nil {
		return fmt.Errorf("write %s: %w", p.File, err)
	}
	edited := filepath.Join(r.t.TempDir(), "edited.yaml")
	if err := os.WriteFile(edited, merged, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", p.File, err)
	}
	if out, err := r.script(app, "in_git cp "+edited+" "+p.File); err != nil {
		return fmt.Errorf("push %s: %w: %s", p.File, err, out)
	}
	return nil
}

// mergeGit merges lines into the manifest in Git and pushes it; into the live object where Git does not have it.
func (r *run) mergeGit(app string, p printed.Piece) error {
	from, err := r.command("kubectl -n argocd get application " + app + " -o jsonpath='{.spec.source.path}'")
	if err != nil {
		return fmt.Errorf("find its path in Git: %w: %s", err, from)
	}
	found := false
	err = filepath.WalkDir(filepath.Join(os.Getenv("GIT_WORK"), from), func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || found {
			return err
		}
		file, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		merged, has, err := printed.MergeFile(file, p.On, p.Value)
		if err != nil || !has {
			return err
		}
		found = true
		edited := filepath.Join(r.t.TempDir(), "edited.yaml")
		if err := os.WriteFile(edited, merged, 0o600); err != nil {
			return err
		}
		if out, err := r.script(app, "in_git cp "+edited+" "+path); err != nil {
			return fmt.Errorf("push: %w: %s", err, out)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("merge into %s/%s in Git: %w", p.On.Kind, p.On.Name, err)
	}
	if found {
		return nil
	}
	kind := strings.ToLower(p.On.Kind)
	if p.On.Group != "" {
		kind += "." + p.On.Group
	}
	return r.mergeLive(p.Value, p.On.Namespace, kind+"/"+p.On.Name)
}
