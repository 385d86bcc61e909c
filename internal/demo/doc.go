// Package demo is `bot demo`: the whole product in a browser. It serves the workspace's page (internal/workspace/page) and beside
// it the panel (panel), over the world that both show (world). Everything listens on 127.0.0.1 alone; what is written lies in a
// temporary folder, which Close removes.
package demo
