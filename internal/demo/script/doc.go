// Package script plays a story (internal/story) in the world of the demo: the real bot as a separate process, real ports, real
// time. What the story shows is printed or becomes a picture.
package script
