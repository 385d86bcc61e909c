// Package demo is `bot demo`: the whole product in a browser. It serves the workspace's page (internal/workspace/page) and next to
// it the panel (panel), for the world that both show (world). Everything listens only on 127.0.0.1; files are written to a
// temporary directory, which Close removes.
package demo
