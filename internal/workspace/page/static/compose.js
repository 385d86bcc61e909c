// compose makes a textarea what Slack's is: Enter sends, it grows, keeps what was typed per channel, and offers what can
// be written next in a list below the caret's line.
import { post } from "./send.js";

// Drafts outlive a reload of the page, by the textarea's id.
const drafts = {
  get: (id) => sessionStorage.getItem("draft " + id),
  set: (id, text) => sessionStorage.setItem("draft " + id, text),
  delete: (id) => sessionStorage.removeItem("draft " + id),
};
let asked = 0;
let pending; // what is being asked for; a key that decides on it waits
let queue; // such a key, and what was typed after it; undefined while none waits

export function start() {
  document.addEventListener("input", (event) => composer(event) && typed(event.target));
  document.addEventListener("keydown", (event) => composer(event) && pressed(event));
  document.addEventListener("beforeinput", (event) => composer(event) && hold(event));
  document.addEventListener("focusout", (event) => composer(event) && close(event.target));
  document.addEventListener("pointerdown", picked);
  document.addEventListener("submit", submitted, true);
  document.addEventListener("moved", restore);
  restore();
}

function composer(event) {
  return event.target.matches?.("textarea[data-composer]");
}

function typed(area) {
  grow(area);
  drafts.set(area.id, area.value);
  active(area, -1); // what is offered is for another text
  const answer = offer(area).catch(() => {}).finally(() => {
    if (pending === answer) pending = undefined;
  });
  pending = answer;
}

function grow(area) {
  area.dataset.client = "role aria-expanded aria-controls aria-activedescendant style data-client";
  area.style.height = "auto";
  area.style.height = Math.min(area.scrollHeight, window.innerHeight / 3) + "px";
}

// restore brings back what was begun in a channel.
function restore() {
  for (const area of document.querySelectorAll("textarea[data-composer]")) {
    if (!area.value && drafts.get(area.id)) {
      area.value = drafts.get(area.id);
      grow(area);
    }
  }
}

async function offer(area) {
  const mine = ++asked;
  const text = area.value.slice(0, area.selectionStart);
  if (!/^[/@]|(^|\s)@\S*$/.test(text)) return close(area);
  const form = new FormData(area.form);
  const query = new URLSearchParams({ as: form.get("as"), channel: form.get("channel"), thread: form.get("thread"), text });
  const answer = await fetch("/complete?" + query);
  if (mine !== asked || !answer.ok || document.activeElement !== area) return;
  const offers = await answer.json();
  if (mine !== asked) return;
  if (!offers.length || (offers.length === 1 && offers[0].exact)) return close(area);
  show(area, offers);
}

function list(area) {
  return document.getElementById(area.id + "-offers");
}

function show(area, offers) {
  const box = list(area);
  box.replaceChildren(...offers.map((each, i) => {
    const option = document.createElement("div");
    option.id = `${box.id}-${i}`;
    option.className = "offer";
    option.setAttribute("role", "option");
    option.dataset.text = each.text;
    option.append(Object.assign(document.createElement("b"), { textContent: each.label }));
    if (each.detail) option.append(" ", Object.assign(document.createElement("span"), { textContent: each.detail }));
    return option;
  }));
  box.hidden = false;
  box.dataset.ours = "";
  area.dataset.client = "role aria-expanded aria-controls aria-activedescendant style data-client";
  area.setAttribute("role", "combobox");
  area.setAttribute("aria-expanded", "true");
  area.setAttribute("aria-controls", box.id);
  // What is complete already is sent by Enter; nothing is chosen then unless an arrow key does it.
  active(area, offers.some((each) => each.exact) ? -1 : 0);
}

function close(area) {
  asked++;
  const box = list(area);
  if (box) box.hidden = true;
  for (const name of ["role", "aria-expanded", "aria-controls", "aria-activedescendant"]) area.removeAttribute(name);
}

function options(area) {
  const box = list(area);
  return box && !box.hidden ? [...box.children] : [];
}

function active(area, at) {
  const all = options(area);
  all.forEach((option, i) => option.setAttribute("aria-selected", String(i === at)));
  if (all[at]) {
    area.setAttribute("aria-activedescendant", all[at].id);
    all[at].scrollIntoView({ block: "nearest" });
  } else area.removeAttribute("aria-activedescendant");
}

function chosen(area) {
  return options(area).findIndex((option) => option.getAttribute("aria-selected") === "true");
}

function accept(area, option) {
  const rest = area.value.slice(area.selectionStart);
  area.value = option.dataset.text + rest;
  area.setSelectionRange(option.dataset.text.length, option.dataset.text.length);
  close(area);
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

function picked(event) {
  const option = event.target.closest(".offer");
  if (!option) return;
  event.preventDefault();
  accept(option.closest("form").querySelector("textarea"), option);
}

// inTurn does what was typed while a decision waits, each once the offers for what is before it are there.
async function inTurn(first) {
  queue = [first];
  try {
    while (queue.length) {
      await pending;
      queue.shift()();
    }
  } finally {
    queue = undefined;
  }
}

function hold(event) {
  if (!queue || !event.data) return;
  event.preventDefault();
  const area = event.target;
  queue.push(() => insert(area, event.data));
}

function insert(area, text) {
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

function pressed(event) {
  const area = event.target;
  const deciding = (event.key === "Enter" && !event.shiftKey && !event.isComposing) || (event.key === "Tab" && options(area).length);
  if (deciding && (pending || queue)) {
    event.preventDefault();
    const decision = () => decide(area, event.key);
    if (queue) queue.push(decision);
    else inTurn(decision);
    return;
  }
  const all = options(area);
  const at = chosen(area);
  if (all.length && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    active(area, at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length);
  } else if (all.length && event.key === "Escape") {
    event.preventDefault();
    close(area);
  } else if (event.key === "Enter" ? deciding : all[at] && event.key === "Tab" && !event.shiftKey) {
    event.preventDefault();
    decide(area, event.key);
  }
}

// decide takes what is chosen in the list; Enter sends where nothing is.
function decide(area, key) {
  const option = options(area)[chosen(area)];
  if (option) accept(area, option);
  else if (key === "Enter") area.form.requestSubmit();
}

// submitted takes the text out of the field at once, and puts it back if it was refused.
async function submitted(event) {
  const form = event.target;
  if (!form.hasAttribute("data-compose")) return;
  event.preventDefault();
  const area = form.querySelector("textarea");
  const text = area.value;
  if (!text.trim()) return;
  const data = new FormData(form);
  area.value = "";
  drafts.delete(area.id);
  close(area);
  grow(area);
  area.focus();
  const done = await post(form.action, data);
  if (!done && !area.value) {
    area.value = text;
    grow(area);
  }
}
