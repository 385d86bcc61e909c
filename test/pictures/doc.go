// Package pictures keeps the pictures in README and docs up to date with the code. Each is made by a story in docs/images, which is
// played in real time (internal/demo/script); its file also has the text that the picture shows. The test plays the story again
// and compares the text. `make pictures` writes both.
package pictures
