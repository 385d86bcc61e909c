// What is wrong with where things lie: a list of sentences.
(() => {
  const problems = [];
  const name = e => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (typeof e.className === "string" && e.className ? "." + e.className.trim().split(/\s+/).join(".") : "") +
    " \"" + (e.innerText || e.value || "").replace(/\s+/g, " ").trim().slice(0, 40) + "\"";
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) problems.push(`the page is ${root.scrollWidth} px wide, the screen ${root.clientWidth}`);

  // What lies in front: the last open dialog, else the page.
  const front = [...document.querySelectorAll("dialog[open], [role=dialog]")].filter(e => e.checkVisibility()).pop() || document.body;
  const visible = e => e.checkVisibility({opacityProperty: true, visibilityProperty: true}) && e.getClientRects().length > 0;
  // Text for screen readers alone lies in a box of a pixel.
  const spoken = e => { const r = e.getBoundingClientRect(); return r.width <= 1 || r.height <= 1; };

  // A box is that of a text, or of something to click or fill in. What scrolls out of its container is not seen.
  const clip = (rect, e) => {
    let {left, top, right, bottom} = rect;
    for (let p = e.parentElement; p; p = p.parentElement) {
      const s = getComputedStyle(p);
      if (s.overflowX === "visible" && s.overflowY === "visible") continue;
      const r = p.getBoundingClientRect();
      left = Math.max(left, r.left); top = Math.max(top, r.top); right = Math.min(right, r.right); bottom = Math.min(bottom, r.bottom);
    }
    return {left, top, right, bottom};
  };
  const boxes = [];
  const walker = document.createTreeWalker(front, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !visible(e) || spoken(e) || ["SCRIPT", "STYLE", "OPTION", "OPTGROUP"].includes(e.tagName)) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const rect of range.getClientRects()) boxes.push({e, rect: clip(rect, e), whole: rect});
  }
  for (const e of front.querySelectorAll("input, select, textarea")) {
    if (visible(e) && !spoken(e)) boxes.push({e, rect: clip(e.getBoundingClientRect(), e), whole: e.getBoundingClientRect()});
  }

  const cut = new Set();
  for (const {e} of boxes) {
    for (let p = e; p && p !== document.documentElement; p = p.parentElement) {
      const s = getComputedStyle(p);
      const hides = v => v === "hidden" || v === "clip";
      if (hides(s.overflowX) && s.textOverflow !== "ellipsis" && p.scrollWidth > p.clientWidth + 1) cut.add(p);
      if (hides(s.overflowY) && p.scrollHeight > p.clientHeight + 1 && p !== document.body) cut.add(p);
    }
  }
  for (const e of cut) if (!spoken(e)) problems.push("cut: " + name(e));

  for (const {e, rect} of boxes) {
    if (rect.right > innerWidth + 1 && rect.left < rect.right) problems.push("beyond the right edge: " + name(e));
  }

  // A drawer or a menu lies in front of the page on purpose: a layer with a background of its own, and nothing shines through.
  const layered = (front, behind) => {
    for (let p = front; p && !p.contains(behind); p = p.parentElement) {
      const s = getComputedStyle(p);
      if ((s.position === "fixed" || s.position === "absolute" || s.position === "sticky" || p.matches("[popover]")) && !/^rgba\(.*, 0(\.\d+)?\)$|^transparent$/.test(s.backgroundColor)) return true;
    }
    return false;
  };

  const seen = boxes.filter(b => b.rect.right - b.rect.left > 1 && b.rect.bottom - b.rect.top > 1);
  for (let i = 0; i < seen.length; i++) {
    for (let j = i + 1; j < seen.length; j++) {
      const a = seen[i], b = seen[j];
      if (a.e === b.e || a.e.contains(b.e) || b.e.contains(a.e)) continue;
      const x = Math.min(a.rect.right, b.rect.right) - Math.max(a.rect.left, b.rect.left);
      const y = Math.min(a.rect.bottom, b.rect.bottom) - Math.max(a.rect.top, b.rect.top);
      if (x > 2 && y > 4) {
        if (layered(a.e, b.e) || layered(b.e, a.e)) continue;
        problems.push("overlap: " + name(a.e) + " and " + name(b.e));
      }
    }
  }
  return [...new Set(problems)].slice(0, 20);
})()
