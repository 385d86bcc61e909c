// live keeps the page as the server has it: a stream of server-sent events brings each part that has changed. Going to
// another channel, thread or person is the same with another address.
import { morph } from "./morph.js";
import { opened, closeView } from "./dialogs.js";
import { quietly } from "./focus.js";
import { rest, remember, resting, acted } from "./scroll.js";

let source;

export function start() {
  document.addEventListener("click", clicked);
  window.addEventListener("popstate", () => listen(moved));
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => event.persisted && listen());
  acted();
  for (const log of document.querySelectorAll(".log")) rest(log);
  listen();
}

function clicked(event) {
  const link = event.target.closest("a[data-nav], a[data-theme-link]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const dialog = link.closest("dialog[data-view]"); // it would lie over what the link leads to
  if (dialog) closeView(dialog);
  go(link.href, link);
}

// Where the focus was when a thread was opened; it returns there.
let opener = "";

export function go(address, from) {
  if (from?.hasAttribute("data-thread")) opener = from.closest("article")?.id || "";
  const closing = from?.closest("#thread header") && true;
  history.pushState(null, "", address);
  listen(() => {
    moved();
    if (from?.hasAttribute("data-thread")) quietly(document.querySelector("#thread textarea"), document.getElementById("thread-log"));
    if (closing) quietly(document.querySelector(`[id="${CSS.escape(opener)}"] a[data-thread], #composer textarea`), document.getElementById("messages"));
    const named = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!named) return;
    named.classList.add("target");
    named.scrollIntoView({ block: "center" });
  });
}

function moved() {
  document.dispatchEvent(new Event("moved"));
}

// listen opens the stream of what the address names; once is called when the first news of it are shown.
function listen(once) {
  source?.close();
  const here = new URL(location.href);
  const [, , channel, thread] = here.pathname.split("/").map(decodeURIComponent);
  const query = new URLSearchParams({ channel: channel || "", thread: thread || "" });
  for (const name of ["as", "theme"]) if (here.searchParams.has(name)) query.set(name, here.searchParams.get(name));
  theme(here.searchParams.get("theme"));
  source = new EventSource("/events?" + query);
  source.onmessage = (event) => {
    show(JSON.parse(event.data));
    connected(true);
    once?.();
    once = undefined;
  };
  source.onerror = () => connected(false);
}

function connected(yes) {
  if (yes) document.documentElement.dataset.live = "";
  else delete document.documentElement.dataset.live;
  document.getElementById("offline").hidden = yes;
}

function theme(name) {
  if (name === "dark" || name === "light") document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  document.querySelector("meta[name=color-scheme]").content = name || "light dark";
}

function show(news) {
  document.title = document.title.replace(/^.* · /, news.title + " · ");
  for (const [id, html] of Object.entries(news.parts)) {
    const element = document.getElementById(id);
    const template = document.createElement("template");
    template.innerHTML = html;
    const wanted = template.content.firstElementChild;
    if (!element || !wanted) continue;
    const logs = [...document.querySelectorAll(".log")].map((log) => [log, log.dataset.of, resting(log)]);
    const focused = document.activeElement;
    morph(element, wanted);
    if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
    for (const log of document.querySelectorAll(".log")) {
      const before = logs.find(([same]) => same === log);
      if (!before || before[1] !== log.dataset.of) rest(log);
      else remember(log, before[2]);
    }
  }
  opened();
}
