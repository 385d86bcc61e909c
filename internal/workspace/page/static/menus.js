// menus lets the arrow keys walk through the list of a menu. Opening and closing is the browser's, as the list is a
// popover, and so is placing it beside its button where the browser can.
export function start() {
  document.addEventListener("toggle", toggled, true);
  document.addEventListener("keydown", walked);
  document.addEventListener("click", (event) => event.target.closest("[role=menuitem]")?.closest("[popover]")?.hidePopover());
  document.addEventListener("change", counted);
}

function toggled(event) {
  const list = event.target;
  if (!list.matches?.("[popover].options")) return;
  const button = document.querySelector(`[popovertarget="${CSS.escape(list.id)}"]`);
  button?.setAttribute("aria-expanded", String(event.newState === "open"));
  if (event.newState !== "open" || !button) return;
  if (!CSS.supports("position-area", "block-end")) place(list, button.getBoundingClientRect());
  list.querySelector("[role=menuitem]")?.focus();
}

function place(list, at) {
  const below = window.innerHeight - at.bottom;
  list.style.left = Math.max(8, Math.min(at.left, window.innerWidth - list.offsetWidth - 8)) + "px";
  list.style.top = (below >= list.offsetHeight + 8 ? at.bottom + 4 : Math.max(8, at.top - list.offsetHeight - 4)) + "px";
}

const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

function walked(event) {
  const opener = event.target.closest?.("[popovertarget]");
  if (opener && event.key === "ArrowDown") {
    event.preventDefault();
    document.getElementById(opener.getAttribute("popovertarget"))?.showPopover({ source: opener });
    return;
  }
  const item = event.target.closest?.("[role=menuitem]");
  if (!item) return;
  const list = item.closest("[role=menu]");
  if (event.key === "Tab") return list.hidePopover();
  const items = [...list.querySelectorAll("[role=menuitem]")];
  if (event.key in steps) {
    event.preventDefault();
    items[Math.max(0, Math.min(items.length - 1, items.indexOf(item) + steps[event.key]))].focus();
  } else if (event.key.length === 1 && event.key !== " ") {
    const rest = [...items.slice(items.indexOf(item) + 1), ...items];
    rest.find((each) => each.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
  }
}

// A list to choose several from says what is chosen.
function counted(event) {
  const several = event.target.closest("details.several");
  if (!several) return;
  const chosen = [...several.querySelectorAll("input:checked")].map((box) => box.parentElement.textContent.trim());
  several.querySelector(".chosen").textContent = chosen.length > 2 ? `${chosen.length} chosen` : chosen.join(", ") || several.dataset.several;
}
