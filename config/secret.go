package config

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// Secret says where a secret is. It never holds the value, so that no log, error or dump of a configuration can show it.
type Secret struct {
	// Env is the name of an environment variable.
	Env string `yaml:"env"`
	// File is a path. The file is read each time the value is needed, so that a renewed token needs no restart.
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
		return "", fmt.Errorf("read secret: the environment variable %s is not set: set it for the process that runs the bot", s.Env)
	case s.File != "":
		raw, err := os.ReadFile(s.File)
		if err != nil {
			return "", fmt.Errorf("read secret: %w: mount the file, or correct the path", err)
		}
		if value := strings.TrimSpace(string(raw)); value != "" {
			return value, nil
		}
		return "", fmt.Errorf("read secret: %s is empty: write the value into it", s.File)
	}
	return "", errors.New("read secret: no place is given: write {env: NAME} or {file: PATH}")
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
