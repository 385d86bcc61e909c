// Package manifest is the manifest of the Slack app, for the program that writes it under other names.
package manifest

import _ "embed"

// YAML is manifest.yaml, with its comments.
//
//go:embed manifest.yaml
var YAML string
