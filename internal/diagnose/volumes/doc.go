// Package volumes says what keeps a claim from each PersistentVolume that exists, checked as the controller that binds them does it.
package volumes
