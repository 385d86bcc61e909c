// dialogs shows what the server put there as a modal: the browser keeps the focus in it and Escape closes it. The focus
// returns to where it was.
import { post } from "./send.js";
import { quietly } from "./focus.js";

let before; // what had the focus when the first modal opened

export function start() {
  document.addEventListener("click", clicked);
  document.addEventListener("cancel", cancelled, true);
  document.addEventListener("keydown", escaped);
  opened();
}

// opened shows the views that came, and gives the focus back once there is none.
export function opened() {
  for (const dialog of document.querySelectorAll("dialog[data-view]:not([open])")) {
    before ??= { element: document.activeElement, id: document.activeElement?.closest("[id]")?.id };
    dialog.showModal();
    begin(dialog);
  }
  const open = document.querySelector("dialog[data-view][open]");
  // What had the focus is gone, or only the title had it, while the app was still filling the view.
  if (open && (!open.contains(document.activeElement) || document.activeElement.matches("h2"))) begin(open);
  if (before && !document.querySelector("dialog[data-view]")) {
    const element = before.element?.isConnected ? before.element : document.getElementById(before.id);
    before = undefined;
    if (document.activeElement === document.body) quietly(element || document.querySelector("#composer textarea"), document.getElementById("messages"));
  }
}

// begin gives the focus to the first field, unless one would have to scroll to it past what is to be read; without a field to the
// button that sends, and else to the title.
function begin(dialog) {
  const inside = dialog.querySelector(".inside");
  const field = inside.querySelector("textarea, input:not([type=hidden]), select, summary");
  const visible = field && field.getBoundingClientRect().bottom <= inside.getBoundingClientRect().bottom;
  const submit = !field && inside.scrollHeight <= inside.clientHeight && dialog.querySelector("[data-submit]");
  const title = dialog.querySelector("h2");
  quietly((visible && field) || submit || title, title, { preventScroll: true });
}

function clicked(event) {
  const opener = event.target.closest("[data-opens]");
  if (opener) {
    const dialog = document.getElementById(opener.dataset.opens);
    dialog.showModal();
    dialog.querySelector("footer button:last-child")?.focus();
    return;
  }
  const cancel = event.target.closest("[data-cancel]");
  if (cancel) return closeView(cancel.closest("dialog"));
  const button = event.target.closest("[data-dismiss]");
  // After the form has been sent, which needs the button.
  if (button) setTimeout(() => button.closest("dialog")?.close());
}

// Cancelling a view is for the app to hear of; the server takes it away.
function cancelled(event) {
  const dialog = event.target;
  if (!dialog.dataset?.view) return;
  event.preventDefault();
  closeView(dialog);
}

export function closeView(dialog) {
  const data = new FormData();
  for (const name of ["as", "view"]) data.set(name, dialog.querySelector(`input[name=${name}]`).value);
  post("/close", data);
}

// Escape in the thread closes it, as long as nothing else is open that it closes first.
function escaped(event) {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  if (document.querySelector("dialog:modal, [popover]:popover-open, .drawer-open")) return;
  if (event.target.closest?.("#thread")) document.querySelector("#thread [data-close]")?.click();
}
