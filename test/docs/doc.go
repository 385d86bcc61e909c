// Package docs holds the documentation to what is there: its tests fail when a package is missing in the map of CONTRIBUTING.md,
// when a page names a file that does not exist, and when the picture of the architecture shows other arrows than the imports.
package docs
