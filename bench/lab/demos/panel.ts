import { shuffle } from "../random.ts";

/** A control of a panel. `isExtra`: no demo uses it, so that it may be removed. */
export interface Control {
  readonly kind:
    | "entry"
    | "check"
    | "radio"
    | "spin"
    | "notes"
    | "choice"
    | "menu"
    | "tabs"
    | "rows"
    | "button"
    | "label";
  readonly id: string;
  readonly label: string;
  readonly options?: readonly Option[];
  /** The buttons of each row. */
  readonly verbs?: readonly Option[];
  readonly dialog?: { readonly id: string; readonly title: string; readonly text: string; readonly label: string };
  readonly isExtra?: boolean;
}

interface Option {
  readonly id: string;
  readonly label: string;
  /** The button on the page of a tab. */
  readonly inside?: string;
}

/** A window of controls that every toolkit of the demos can show. */
export interface Panel {
  readonly title: string;
  readonly controls: readonly Control[];
  readonly font?: number;
  readonly isDark?: boolean;
}

export type PanelChange = "added" | "removed" | "reordered" | "relabelled" | "locale";

/** The panel in another version of its application. Ids stay; the same random numbers give the same change. */
export function changePanel(panel: Panel, change: PanelChange, random: () => number): Panel {
  const { controls } = panel;
  const put = (list: readonly Control[]): Panel => ({ ...panel, controls: list });
  switch (change) {
    case "added":
      return put(addControls(controls, random));
    case "removed":
      return put(controls.filter(({ isExtra }) => isExtra !== true));
    case "reordered":
      return put(
        shuffle(controls, random).map((one) =>
          one.kind === "rows" ? { ...one, options: shuffle(one.options ?? [], random) } : one,
        ),
      );
    case "relabelled":
      return put(controls.map((one) => ({ ...one, label: relabelled[one.label] ?? one.label })));
    case "locale":
      return translate(panel);
  }
}

const added: readonly Control[] = [
  { kind: "entry", id: "company", label: "Company" },
  { kind: "check", id: "callback", label: "Call me back" },
  { kind: "button", id: "draft", label: "Save a draft" },
  { kind: "label", id: "hint", label: "All fields can be changed later." },
];

function addControls(controls: readonly Control[], random: () => number): readonly Control[] {
  const list = controls.map((one) =>
    one.kind === "rows" ? { ...one, options: [{ id: "alan", label: "Alan" }, ...(one.options ?? [])] } : one,
  );
  for (const one of added) list.splice(Math.floor(random() * (list.length + 1)), 0, one);
  return list;
}

/** The button that each demo ends with. */
const relabelled: Readonly<Record<string, string>> = { Store: "Keep it", Save: "Apply" };

const german: Readonly<Record<string, string>> = {
  "All about the order": "Alles zur Bestellung",
  Name: "Kundin",
  "E-mail": "Mailadresse",
  "Send news": "Neues zusenden",
  Store: "Ablegen",
  Stored: "Abgelegt",
  "The order is stored.": "Die Bestellung ist abgelegt.",
  Good: "Gut",
  Wipe: "Leeren",
  Phone: "Telefon",
  Small: "Klein",
  Medium: "Mittel",
  Large: "Groß",
  Count: "Anzahl",
  Agree: "Einverstanden",
  Notes: "Bemerkung",
  "Night mode": "Nachtmodus",
  Save: "Speichern",
  Undo: "Zurück",
  Edit: "Bearbeiten",
  Delete: "Löschen",
  Note: "Notiz",
  Colour: "Farbe",
  Red: "Rot",
  Green: "Grün",
  Blue: "Blau",
  First: "Erste",
  Second: "Zweite",
  Third: "Dritte",
  "On First": "Auf der ersten",
  "On Second": "Auf der zweiten",
  "On Third": "Auf der dritten",
  Options: "Auswahl",
};

/** The title stays: it is the product's name. */
function translate(panel: Panel): Panel {
  const say = (text: string): string => german[text] ?? text;
  const sayOption = (one: Option): Option => ({
    ...one,
    label: say(one.label),
    ...(one.inside === undefined ? {} : { inside: say(one.inside) }),
  });
  return {
    ...panel,
    controls: panel.controls.map((one) => ({
      ...one,
      label: say(one.label),
      ...(one.options === undefined ? {} : { options: one.options.map(sayOption) }),
      ...(one.verbs === undefined ? {} : { verbs: one.verbs.map(sayOption) }),
      ...(one.dialog === undefined
        ? {}
        : {
            dialog: {
              ...one.dialog,
              title: say(one.dialog.title),
              text: say(one.dialog.text),
              label: say(one.dialog.label),
            },
          }),
    })),
  };
}

/** The panel as a page, which sends its state to an address at every change. */
export function makePage({ title, controls, font, isDark = false }: Panel, address: string): string {
  const style = [
    `body{font:${font ?? 11}pt sans-serif;max-width:30em;margin:1em}p{margin:.5em 0}`,
    ".row{display:flex;gap:.5em}.row span{flex:1}[hidden]{display:none}",
    isDark ? "body,input,textarea,button,select{background:#222;color:#eee}" : "",
  ].join("");
  return `<!doctype html><meta charset=utf-8><title>${title}</title><style>${style}</style>
<body>${controls.map(makeControl).join("\n")}
<script>${pageScript(controls, address)}</script>`;
}

function makeControl(one: Control): string {
  const { id, label, options = [], verbs = [] } = one;
  const field = (inside: string): string => `<p><label for="${id}">${label}</label> ${inside}</p>`;
  const press = (key: string, text: string, more = ""): string =>
    `<button id="${key}" data-press="${key}"${more}>${text}</button>`;
  switch (one.kind) {
    case "entry":
      return field(`<input id="${id}" data-tell="${id}">`);
    case "check":
      return `<p><input type="checkbox" id="${id}" data-check="${id}"> <label for="${id}">${label}</label></p>`;
    case "radio":
      return `<p>${options.map((option, at) => `<input type="radio" name="${id}" id="${option.id}" data-choose="${option.id}"${at === 0 ? " checked" : ""}> <label for="${option.id}">${option.label}</label>`).join(" ")}</p>`;
    case "spin":
      return field(`<input type="number" value="0" id="${id}" data-tell="${id}">`);
    case "notes":
      return field(`<textarea id="${id}" data-tell="${id}" rows="3"></textarea>`);
    case "choice":
      return field(
        `<select id="${id}" data-tell="${id}">${options.map((option) => `<option value="${option.id}">${option.label}</option>`).join("")}</select>`,
      );
    case "menu":
      return `<p><button id="${id}" aria-haspopup="menu" data-opens="${id}-list">${label}</button></p><div role="menu" id="${id}-list" hidden>${options.map((option) => `<div role="menuitem" tabindex="0" id="${option.id}" data-press="${option.id}" data-closes="${id}-list">${option.label}</div>`).join("")}</div>`;
    case "tabs":
      return `<div role="tablist">${options.map((option, at) => `<button role="tab" id="tab-${option.id}" aria-selected="${at === 0}" data-tab="${option.id}" data-of="${id}">${option.label}</button>`).join("")}</div>${options.map((option, at) => `<div role="tabpanel" id="page-${option.id}"${at === 0 ? "" : " hidden"}>${press(`on-${option.id}`, option.inside ?? "")}</div>`).join("")}`;
    case "rows":
      return options
        .map(
          (line) =>
            `<p class="row"><span>${line.label}</span>${verbs.map((verb) => press(`${verb.id}-${line.id}`, verb.label)).join("")}</p>`,
        )
        .join("\n");
    case "button":
      return `<p>${press(id, label, one.dialog === undefined ? "" : ` data-asks="ask-${id}"`)}</p>${
        one.dialog === undefined
          ? ""
          : `<dialog id="ask-${id}" aria-label="${one.dialog.title}"><p>${one.dialog.text}</p>${press(one.dialog.id, one.dialog.label, ` data-ends="ask-${id}"`)}</dialog>`
      }`;
    case "label":
      return `<p>${label}</p>`;
  }
}

/** What a panel holds before anybody touches it. */
export function startOf(controls: readonly Control[]): Readonly<Record<string, unknown>> {
  const values = controls.flatMap(({ kind, id, options = [] }): [string, unknown][] => {
    if (kind === "entry" || kind === "notes") return [[id, ""]];
    if (kind === "spin") return [[id, "0"]];
    if (kind === "check") return [[id, false]];
    return kind === "radio" || kind === "choice" || kind === "tabs" ? [[id, options[0]?.id]] : [];
  });
  return { presses: [], ...Object.fromEntries(values) };
}

function pageScript(controls: readonly Control[], address: string): string {
  return `const state = ${JSON.stringify(startOf(controls))};
const send = () => fetch(${JSON.stringify(address)}, { method: "POST", mode: "no-cors", body: JSON.stringify(state), keepalive: true });
const all = (name, type, work) => document.querySelectorAll("[data-" + name + "]").forEach((one) =>
  one.addEventListener(type, () => { work(one, one.dataset[name]); send(); }));
const find = (id) => document.getElementById(id);
all("tell", "input", (one, key) => { state[key] = one.value; });
all("check", "change", (one, key) => { state[key] = one.checked; });
all("choose", "change", (one, key) => { if (one.checked) state[one.name] = key; });
all("press", "click", (one, key) => { state.presses.push(key); });
all("opens", "click", (one, key) => { find(key).hidden = !find(key).hidden; });
all("closes", "click", (one, key) => { find(key).hidden = true; });
all("asks", "click", (one, key) => { find(key).showModal(); });
all("ends", "click", (one, key) => { find(key).close(); });
all("tab", "click", (one, key) => {
  state[one.dataset.of] = key;
  document.querySelectorAll("[data-tab]").forEach((tab) => {
    tab.setAttribute("aria-selected", String(tab === one));
    find("page-" + tab.dataset.tab).hidden = tab !== one;
  });
});
send();`;
}
