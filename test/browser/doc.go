// Package browser tests `bot demo` in a real browser (Debian's Chromium), as visitors see it: what is on the page, whether anything
// is cut off or overlaps, whether it can be used without a mouse, and what axe-core finds. Run it with make browser; it needs
// Chromium, and `npm ci` in this directory. Screenshots are saved in shots/.
package browser
