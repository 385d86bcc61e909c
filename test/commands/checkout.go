package commands

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Checkout copies the checkout at root for a test, so that commands write into their own.
func Checkout(t *testing.T, root, to string) {
	t.Helper()
	left := map[string]bool{".git": true, "bin": true, "dist": true, "node_modules": true, "shots": true}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		switch {
		case left[d.Name()]:
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil // a worktree's .git is a file
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), raw, info.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
}
