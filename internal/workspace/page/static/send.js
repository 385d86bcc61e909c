// send lets every form of the page be sent in the background: 204 is done, a redirect is followed, and what any other
// answer says is shown to the person.
import { go } from "./live.js";
import { complete, changed } from "./fields.js";

export function start() {
  document.addEventListener("submit", submitted);
  document.addEventListener("change", ticked);
  document.addEventListener("click", followed);
  document.addEventListener("input", changed);
}

function submitted(event) {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  event.preventDefault();
  const button = event.submitter;
  if (button?.getAttribute("aria-busy") === "true" || button?.hasAttribute("data-sending")) return;
  if (form.hasAttribute("data-modal") && !button?.hasAttribute("formaction") && !complete(form)) return;
  for (const old of document.querySelectorAll(".toast")) old.remove(); // it was about what was done before
  const action = button?.hasAttribute("formaction") ? button.formAction : form.action;
  post(action, new FormData(form, button), button);
}

// A link that is a button of a message opens its address, and the app hears of it.
function followed(event) {
  const link = event.target.closest("a[data-press]");
  const form = link?.closest("form");
  if (!form) return;
  const data = new FormData(form);
  data.set("press", link.dataset.press);
  post("/act", data);
}

// Boxes of a message have no button: the app hears of each change. Those of a modal are sent with it.
function ticked(event) {
  const box = event.target.closest("input[data-press]");
  const form = box?.closest("form");
  if (!form || form.hasAttribute("data-modal")) return;
  const press = new URLSearchParams(box.dataset.press);
  press.delete("option");
  for (const each of form.querySelectorAll("input[data-press]:checked")) {
    if (each.name === box.name) press.append("option", each.value);
  }
  const data = new FormData();
  for (const { name, value } of form.querySelectorAll("input[type=hidden]")) data.append(name, value);
  data.set("press", press.toString());
  post("/act", data);
}

export async function post(action, data, button) {
  button?.setAttribute("data-sending", ""); // whether the app is busy with it is for the server to say
  try {
    const files = [...data.values()].some((value) => value instanceof File);
    const answer = await fetch(action, { method: "POST", body: files ? data : new URLSearchParams(data) });
    if (answer.redirected) return leadOn(answer.url);
    if (!answer.ok) return toast((await answer.text()).trim() || answer.statusText);
    return true;
  } catch {
    toast("The page cannot reach its server. Is the demo still running?");
  } finally {
    button?.removeAttribute("data-sending");
  }
}

function leadOn(address) {
  if (new URL(address).pathname.startsWith("/channel/")) go(address);
  else location.assign(address);
  return true;
}

// toast tells the person at the edge of the screen, or within a dialog that is in front of all else.
export function toast(text) {
  const place = [...document.querySelectorAll("dialog:modal")].pop() || document.getElementById("toasts");
  const box = document.createElement("div");
  box.className = "toast";
  box.dataset.ours = "";
  box.setAttribute("role", "alert");
  box.append(Object.assign(document.createElement("span"), { textContent: text }));
  const close = Object.assign(document.createElement("button"), { type: "button", textContent: "✕", className: "icon" });
  close.setAttribute("aria-label", "Dismiss");
  close.addEventListener("click", () => box.remove());
  box.append(close);
  place.append(box);
  setTimeout(() => box.remove(), 12_000);
}
