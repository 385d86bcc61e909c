// Package browser tries `bot demo` in a real browser (Debian's Chromium), as the people see it who open it: what stands on the
// page, whether anything is cut or lies over something else, whether it can be used without a mouse, and what axe-core finds.
// Needs Chromium, and `npm ci` in this directory: make browser. Screenshots are left in shots/.
package browser
