package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// JSON writes the report as one JSON document.
func JSON(w io.Writer, r *diagnose.Report) error {
	text, err := encode(r)
	if err != nil {
		return err
	}
	return write(w, text)
}

// YAML writes the same document as YAML, with the same keys.
func YAML(w io.Writer, r *diagnose.Report) error {
	text, err := encode(r)
	if err != nil {
		return err
	}
	if text, err = yaml.JSONToYAML(text); err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	return write(w, text)
}

func encode(r *diagnose.Report) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // commands contain < and &, and people read this
	e.SetIndent("", "  ")
	if err := e.Encode(sanitize.Report(r)); err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	return b.Bytes(), nil
}

func write(w io.Writer, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}
