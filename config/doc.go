// Package config is the configuration of the bot: one YAML file, read strictly. example.yaml explains every key, and
// schema.json is the same for editors.
//
// [Load] reports every problem in one run, each with its line and path. No secret is in the file: a [Secret] says where the value
// is, and the value is read when it is needed.
//
// Whether Argo CD and Slack agree with the file (is the bot a member of that channel, can the account read applications) is for
// `argo-why check` to find out.
package config

//go:generate go test -run IsFresh -update .
