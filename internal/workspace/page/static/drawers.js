// drawers opens what has no room on a narrow screen: the list of channels, and the sections at the right.
let opener;

export function start() {
  document.addEventListener("click", clicked);
  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
  document.addEventListener("moved", close);
}

function clicked(event) {
  const button = event.target.closest("[data-drawer]");
  if (!button) {
    if (event.target.id === "page" || event.target.closest("#channel")) close();
    return;
  }
  const drawer = document.getElementById(button.dataset.drawer);
  const open = !drawer.classList.contains("drawer-open");
  close();
  if (!open) return;
  opener = button;
  drawer.dataset.client = "class";
  drawer.classList.add("drawer-open");
  button.setAttribute("aria-expanded", "true");
  button.dataset.client = "aria-expanded";
  drawer.querySelector("a, button:not(.closer), input, select, summary")?.focus();
}

function close() {
  let within = document.activeElement === document.body;
  for (const drawer of document.querySelectorAll(".drawer-open")) {
    within ||= drawer.contains(document.activeElement);
    drawer.classList.remove("drawer-open");
  }
  opener?.setAttribute("aria-expanded", "false");
  if (within && opener?.isConnected) opener.focus();
  opener = undefined;
}
