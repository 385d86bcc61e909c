// morph makes an element look like another one and keeps what it can: elements stay the same ones, found by their id or
// by their place, so that focus, caret, scrolling and what was typed survive. An element with the same data-rev is left
// alone.

// Attributes that belong to the browser: whether a dialog or a menu is open is for the person to say.
const ours = new Set(["open", "data-client"]);

export function morph(from, to) {
  if (from.dataset?.rev && from.dataset.rev === to.dataset?.rev) return from;
  if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName || (from.id || "") !== (to.id || "")) {
    from.replaceWith(to);
    return to;
  }
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return from;
  }
  attributes(from, to);
  if (from.nodeName !== "TEXTAREA") children(from, to);
  return from;
}

function attributes(from, to) {
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !ours.has(name) && !kept(from, name)) from.removeAttribute(name);
  }
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) === value || ours.has(name) || kept(from, name)) continue;
    from.setAttribute(name, value);
    // A new default reaches a field only when nobody has touched it; a new value of a hidden one always counts.
    if (name === "value" && from.nodeName === "INPUT" && from.type === "hidden") from.value = value;
  }
}

// kept are attributes that the script itself sets, listed at the element.
function kept(element, name) {
  return (element.dataset.client || "").split(" ").includes(name);
}

function children(from, to) {
  const byID = new Map();
  for (const child of from.children) if (child.id) byID.set(child.id, child);
  let at = skip(from.firstChild);
  for (const wanted of [...to.childNodes]) {
    const same = wanted.id ? byID.get(wanted.id) : alike(at, wanted);
    if (!same) {
      from.insertBefore(wanted, at);
      continue;
    }
    if (same === at) at = skip(at.nextSibling);
    else move(from, same, at);
    morph(same, wanted);
  }
  while (at) {
    const next = skip(at.nextSibling);
    at.remove();
    at = next;
  }
}

// alike is what can become an element without an id: one of its kind, best of all one with the same elements in it.
function alike(at, wanted) {
  const inner = wanted.firstElementChild && wanted.querySelector("[id]")?.id;
  let first;
  for (let node = at; node; node = skip(node.nextSibling)) {
    if (node.id || node.nodeName !== wanted.nodeName) continue;
    if (!inner || node.querySelector(`[id="${CSS.escape(inner)}"]`)) return node;
    first ??= node;
  }
  return first;
}

// move keeps the focus and the state of what is moved, where the browser can.
function move(parent, node, before) {
  if (parent.moveBefore) parent.moveBefore(node, before);
  else parent.insertBefore(node, before);
}

// skip passes over what the script has put there itself.
function skip(node) {
  while (node?.nodeType === Node.ELEMENT_NODE && node.hasAttribute("data-ours")) node = node.nextSibling;
  return node;
}
