// Package site checks the documentation as it is published: it opens each page that `make site` built in a browser, follows its links,
// and looks whether it fits on a phone. Run it with make site-test; it needs Chromium and Node. Pictures are saved in shots/.
package site
