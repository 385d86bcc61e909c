// Package config is the configuration of the bot: one YAML file, read strictly. example.yaml explains every key, and
// schema.json is the same for editors.
//
// [Load] reports every problem at once, each with its line and path, so that a file is repaired in one go. No secret stands
// in the file: a [Secret] says where the value is, and the value is read when it is needed.
//
// Whether Argo CD and Slack agree with the file (is the bot in that channel, may the account read applications) is not decided
// here but by `bot check`.
package config

//go:generate go test -run TestSchemaIsFresh -update .
