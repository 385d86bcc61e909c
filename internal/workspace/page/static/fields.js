// fields checks what is filled in before a modal is sent, and says under the field what is missing, as Slack does.

// complete is whether a modal can be sent. The first field that cannot gets the focus.
export function complete(form) {
  let first;
  for (const input of form.querySelectorAll(".inside .input")) {
    clear(input);
    const text = problem(input);
    if (!text) continue;
    mark(input, text);
    first ??= fields(input)[0];
  }
  first?.focus();
  return !first;
}

// changed takes back what was said of a field.
export function changed(event) {
  const input = event.target.closest("[data-modal] .input");
  if (input) clear(input);
}

function fields(input) {
  return [...input.querySelectorAll("textarea, select, input")];
}

function problem(input) {
  const all = fields(input);
  const filled = all.some((field) => (/checkbox|radio/.test(field.type) ? field.checked : field.value));
  if (!filled) return input.hasAttribute("data-required") ? "Please complete this required field." : "";
  return all.find((field) => !field.validity.valid)?.validationMessage;
}

function mark(input, text) {
  const said = Object.assign(document.createElement("p"), { className: "error", textContent: text, id: fields(input)[0].name + "-missing" });
  said.dataset.ours = "";
  said.setAttribute("role", "alert");
  input.append(said);
  input.dataset.client = "class data-client";
  input.classList.add("wrong");
  for (const field of fields(input)) {
    field.dataset.client = "aria-invalid aria-describedby data-client";
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", said.id);
  }
}

function clear(input) {
  const said = input.querySelector(".error[data-ours]");
  if (!said) return;
  said.remove();
  input.classList.remove("wrong");
  delete input.dataset.client;
  for (const field of fields(input)) for (const name of ["data-client", "aria-invalid", "aria-describedby"]) field.removeAttribute(name);
}
