// Where the elements stand that are to be in the picture. What is no part of a message, such as the day above it, is left out.
async (selector) => {
  await document.fonts.ready;
  document.activeElement?.blur();
  const wanted = [...document.querySelectorAll(selector)];
  for (const each of document.querySelectorAll(".day, .toolbar")) each.hidden = true;
  wanted[0].classList.remove("follows"); // whose it is stands in the picture
  const boxes = wanted.map((each) => each.getBoundingClientRect());
  for (const [i, box] of boxes.entries()) {
    const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!wanted[i].contains(there)) throw new Error("something covers it: " + (there?.outerHTML ?? "nothing").slice(0, 100));
  }
  const x = Math.min(...boxes.map((b) => b.left)), y = Math.min(...boxes.map((b) => b.top));
  return {
    X: x, Y: y, Width: Math.max(...boxes.map((b) => b.right)) - x, Height: Math.max(...boxes.map((b) => b.bottom)) - y,
    Page: document.documentElement.clientWidth,
  };
}
