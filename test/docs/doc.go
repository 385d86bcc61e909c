// Package docs checks the documentation against the repository: its tests fail when a package is missing from the map in
// CONTRIBUTING.md, when a page names a file that does not exist, and when the diagram of the architecture shows other arrows than
// the imports, or when the pages on security claim what no test proves.
package docs
