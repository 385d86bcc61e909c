package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Secret says where a secret is. It never contains the value, so no log, error or dump of a configuration can show it.
type Secret struct {
	// Env is the name of an environment variable.
	Env string `yaml:"env"`
	// File is a path. The file is read when the bot starts.
	File string `yaml:"file"`
}

// Given reports whether the file names a place at all.
func (s Secret) Given() bool { return s != Secret{} }

// Read is the value, without the space and line ends around it. The error says which variable or file to set.
func (s Secret) Read() (string, error) {
	switch {
	case s.Env != "":
		if value := strings.TrimSpace(os.Getenv(s.Env)); value != "" {
			return value, nil
		}
		return "", fmt.Errorf("the environment variable %s is not set: set it for the process that runs the bot", s.Env)
	case s.File != "":
		raw, err := readSecret(s.File)
		if err != nil {
			return "", unreadableSecret(s.File, err)
		}
		if len(raw) > maxSecret {
			return "", fmt.Errorf("the file %s is larger than %d KiB: give the file with the secret alone", s.File, maxSecret>>10)
		}
		if value := strings.TrimSpace(string(raw)); value != "" {
			return value, nil
		}
		return "", fmt.Errorf("the file %s is empty: write the secret into it", s.File)
	}
	return "", errors.New("no place is given: write {env: NAME} or {file: PATH}")
}

// maxSecret is far more than a token or a key has. A path can lead to a file, or a device, without end.
const maxSecret = 64 << 10

func readSecret(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err //nolint:wrapcheck // unreadableSecret says it in its own words
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	return raw, errors.Join(err, f.Close())
}

func unreadableSecret(file string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the file %s does not exist: mount it, or correct the path", file)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the file %s cannot be read: permission denied; let the user that runs the bot read it", file)
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("the file %s cannot be read (%w): correct the path", file, err)
}

// MissingSecrets are the secrets that cannot be read, each with its key and what to do.
func (c *Config) MissingSecrets() []error {
	var missing []error
	look := func(key string, s Secret) {
		if _, err := s.Read(); err != nil {
			missing = append(missing, fmt.Errorf("%s: %w", key, err))
		}
	}
	look("slack.botToken", c.Slack.BotToken)
	look("slack.appToken", c.Slack.AppToken)
	for i, a := range c.ArgoCD {
		look(fmt.Sprintf("argocd[%d].token", i), a.Token)
		if a.WebhookToken.Given() {
			look(fmt.Sprintf("argocd[%d].webhookToken", i), a.WebhookToken)
		}
	}
	return missing
}

// String is the place.
func (s Secret) String() string {
	switch {
	case s.Env != "":
		return "environment variable " + s.Env
	case s.File != "":
		return "file " + s.File
	}
	return "not given"
}
