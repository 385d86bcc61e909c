// Package supplychain checks what the bot is built from: no module is older than docs/supply-chain.md allows. That page is the
// list, so a reader and the test cannot see different ones.
package supplychain
