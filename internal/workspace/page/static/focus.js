// focus keeps the keyboard of a touch screen closed while somebody only reads.

const keyboard = "textarea, input:not([type=checkbox], [type=radio], [type=hidden])";

// quietly gives the focus to an element, or, where that would open the keyboard, to what can be read instead.
export function quietly(element, instead, options) {
  const opens = matchMedia("(pointer: coarse)").matches && element?.matches(keyboard);
  (opens ? instead : element)?.focus(options);
}
