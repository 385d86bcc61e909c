package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// notices are texts, each with the files that contain it.
type notices map[string][]string

// add notes that a file of a module has a text. Many modules have the same licence, which is printed once.
func (n notices) add(module, file, text string) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if at := module + ", " + file; !slices.Contains(n[text], at) {
		n[text] = append(n[text], at)
	}
}

// isNotice matches the names of files that a licence asks to pass on. Code that is about licences is not among them.
var isNotice = regexp.MustCompile(`(?i)^(un)?(licen[cs]es?|copying|copyright|notices?|patents)([-_.].*)?$`)

var isCode = regexp.MustCompile(`(?i)\.(go|s|c|h|py|sh|js|json|ya?ml|tmpl)$`)

// filesIn are the notices in a directory, by their names.
func filesIn(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("look for licences: %w", err)
	}
	found := map[string]string{}
	for _, e := range entries {
		if e.Type().IsRegular() && isNotice.MatchString(e.Name()) && !isCode.MatchString(e.Name()) {
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, fmt.Errorf("read a licence: %w", err)
			}
			found[e.Name()] = string(text)
		}
	}
	return found, nil
}

// collect looks in the directory of each package and in those above, up to that of its module: a part may have a licence of its own.
func collect(linked []linkedPackage) (notices, error) {
	all, seen, licensed := notices{}, map[string]bool{}, map[string]bool{}
	var none []error
	for _, p := range linked {
		name := nameOf(p)
		for dir := p.Dir; len(dir) >= len(p.Module.Dir); dir = filepath.Dir(dir) {
			if seen[dir] {
				continue
			}
			seen[dir] = true
			files, err := filesIn(dir)
			if err != nil {
				return nil, err
			}
			for file, text := range files {
				within, err := filepath.Rel(p.Module.Dir, filepath.Join(dir, file))
				if err != nil {
					return nil, fmt.Errorf("name a licence: %w", err)
				}
				all.add(name, filepath.ToSlash(within), text)
				licensed[name] = true
			}
		}
	}
	for _, p := range linked {
		if name := nameOf(p); !licensed[name] {
			licensed[name] = true // reported once
			none = append(none, fmt.Errorf("%s has no licence", name))
		}
	}
	return all, errors.Join(none...)
}

// nameOf is the module of a package as it was built, with its version.
func nameOf(p linkedPackage) string {
	if r := p.Module.Replace; r != nil {
		return r.Path + " " + r.Version
	}
	return p.Module.Path + " " + p.Module.Version
}

const head = `argo-why is under the Apache License 2.0. It contains the following software by others. Each licence and notice is printed once, below the
files that contain it.
`

// String is the file. The order is that of the first file that contains a text, so that the same modules give the same bytes.
func (n notices) String() string {
	for _, files := range n {
		slices.Sort(files)
	}
	texts := slices.SortedFunc(maps.Keys(n), func(a, b string) int { return strings.Compare(n[a][0], n[b][0]) })
	var b strings.Builder
	b.WriteString(head)
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 100), strings.Join(n[text], "\n"), text)
	}
	return b.String()
}
