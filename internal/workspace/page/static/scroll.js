// scroll is where a list of messages is shown from. A channel is shown at its end, and so that a last message that is longer than the
// screen is seen from its top. A thread that was never opened is shown from its top, or where it calls the person; one that was, where
// the new replies begin.
const near = 60; // pixels
let waits = false; // the person did something in the thread or in a dialog, and waits for what comes of it

export function acted() {
  document.addEventListener("submit", (event) => (waits ||= Boolean(event.target.closest("#thread, dialog"))), true);
  for (const kind of ["wheel", "touchmove"]) document.addEventListener(kind, () => (waits = false), { passive: true });
}

function last(log) {
  return log.querySelector("article:last-of-type");
}

function end(log) {
  return log.scrollHeight - log.clientHeight;
}

// top is where a message stands at the top of its list.
function top(log, article) {
  return article.getBoundingClientRect().top - log.getBoundingClientRect().top + log.scrollTop;
}

// lowest is where a list is shown at its end.
function lowest(log) {
  const article = last(log);
  return article ? Math.min(end(log), top(log, article)) : end(log);
}

const key = (log) => "read " + log.dataset.of;

// rest shows a list that was just opened.
export function rest(log) {
  const known = log.id === "thread-log" && sessionStorage.getItem(key(log));
  const read = known && document.getElementById(known);
  if (log.id !== "thread-log") log.scrollTop = lowest(log);
  else if (!known) {
    const calls = [...log.querySelectorAll("article:has(.mention.you)")].at(-1);
    log.scrollTop = calls && calls !== log.querySelector("article") ? top(log, calls) : 0;
  } else log.scrollTop = read?.nextElementSibling ? top(log, read.nextElementSibling) : end(log);
  note(log);
}

// resting is where a list is before it changes.
export function resting(log) {
  return { last: last(log)?.id, end: end(log) - log.scrollTop < near, lowest: Math.abs(lowest(log) - log.scrollTop) < near };
}

// remember keeps a list at its end while it grows, and leaves alone one that somebody reads further up.
export function remember(log, before) {
  const grown = before.last !== last(log)?.id;
  if (grown && (before.end || before.lowest || (waits && log.id === "thread-log"))) log.scrollTop = lowest(log);
  else if (!grown && before.end && !before.lowest) log.scrollTop = end(log);
  else if (!grown && before.lowest) log.scrollTop = lowest(log);
  note(log);
}

function note(log) {
  const article = last(log);
  if (article && log.id === "thread-log") sessionStorage.setItem(key(log), article.id);
}
