package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/redact"
)

// caseDocument is the case file of a case that was read from a file. It keeps what this version does not know, and the decoded
// case does not have: a later version may know it.
func caseDocument(c *evidence.Case) ([]byte, error) {
	var document map[string]json.RawMessage
	if err := foreign.File.JSON(c.Document, &document); err != nil {
		return nil, fmt.Errorf("save case: %w", err)
	}
	if document["case"] == nil {
		recording := &evidence.Recording{}
		recording.Section("application", c.Document)
		return recording.Encode(c.Now.Time, "made from an Application with argo-why "+programVersion())
	}
	var err error
	if document["now"], err = json.Marshal(c.Now); err != nil {
		return nil, fmt.Errorf("save case: %w", err)
	}
	return json.Marshal(document)
}

// saveCase writes a case file without its secrets.
func saveCase(file string, document []byte) error {
	clean, err := redact.JSON(document)
	if err != nil {
		return fmt.Errorf("save %s: %w", file, err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, clean, "", " "); err != nil {
		return fmt.Errorf("save %s: %w", file, err)
	}
	b.WriteByte('\n')
	if err := replaceFile(file, b.Bytes()); err != nil {
		return fmt.Errorf("--save %s: %w", file, notWritten(err))
	}
	return nil
}

// replaceFile writes a file that only its owner can read, as a whole or not at all. What is not a regular file (a pipe,
// /dev/stdout) is written to.
func replaceFile(name string, text []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return cause(err)
		}
		_, err = f.Write(text)
		return errors.Join(err, f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".bot-*") // readable by its owner only
	if err != nil {
		return cause(err)
	}
	_, err = io.Copy(f, bytes.NewReader(text))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(cause(err), os.Remove(f.Name()))
	}
	return nil
}

// cause leaves out the path, which the caller names.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
