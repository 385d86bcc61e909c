// Package pictures keeps the pictures of README and docs as old as the code. Each is made by a story in docs/images, which is played
// for real (internal/demo/script); beside the picture the file has the text that it shows. The test plays the story again and compares
// the text. `make pictures` writes both.
package pictures
