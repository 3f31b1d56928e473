// The form of a new game: who plays, and the options as the engine describes them.

const LEVELS = [["random", "random"], ["greedy", "a beginner (greedy)"], ["mcts:300", "an amateur (mcts:300)"],
  ["mcts:3000", "an expert (mcts:3000)"]]; // of games without a ladder
const BEST = ["mcts,seconds=2,memory=512", "as strong as two seconds allow"];

// An element with properties and children.
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

// A button that does not send a form.
export function buttonOf(textContent, onclick, more, ...children) {
  return make("button", { type: "button", textContent, onclick, ...more }, ...children);
}

// The value that the browser keeps under a name, after it has kept a new one if that is given; null if there is none.
export function kept(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

// The field of an option, with its value in the present game.
function field({ kind, name, low, high, choices, allowed }, value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (kind === "bool") return make("input", { type: "checkbox", checked: value, name });
  if (kind === "int") return make("input", { type: "number", min: low, max: high, value, name });
  if (kind === "choice") return make("select", { name }, ...choices.map(each => make("option", { value: each, textContent: each, selected: each === value })));
  return make("input", { value: text, title: allowed, name, disabled: kind === "file" });
}

// The value chosen in a field, as `tilery.load` takes it.
function chosen({ kind }, input) {
  if (kind === "bool") return input.checked;
  if (kind === "int") return Number(input.value);
  if (kind === "choice") return input.value;
  try {
    return JSON.parse(input.value);
  } catch {
    return input.value; // a word, or wrong, which the engine says
  }
}

// Fills the dialog and opens it. levels: [policy, words] of bots, the weakest first; [] for those of a game without a
// ladder. now: {rules, seats, names} of the present game. begin(data) is called with options,
// seats, names and seed.
export function setUp(dialog, options, levels, now, begin) {
  const form = dialog.querySelector("form"), seats = make("div", { className: "seats" }), fields = new Map();
  const known = [["", "a person"], ...(levels.length ? levels : LEVELS), BEST];
  known.push(...[...new Set(now.seats)].filter(bot => bot && !known.some(([value]) => value === bot)).map(bot => [bot, bot]));
  const middle = known[Math.ceil((known.length - 1) / 2)][0];
  const row = seat => {
    const bot = seat in now.seats ? now.seats[seat] ?? "" : middle;
    const name = make("input", { name: "name", maxLength: 30, placeholder: "name", value: now.names[seat] ?? "", ariaLabel: `name of player ${seat}`, hidden: bot !== "" });
    const who = make("select", { name: "seat", ariaLabel: `player ${seat}`, onchange: () => { name.hidden = who.value !== ""; } },
      ...known.map(([value, textContent]) => make("option", { value, textContent, selected: value === bot })));
    return make("div", { className: `seat${seat}` }, make("b", { textContent: `Player ${seat}` }), who, name);
  };
  const offer = count => { // what was chosen stays
    while (seats.children.length > count) seats.lastChild.remove();
    while (seats.children.length < count) seats.append(row(seats.children.length));
  };
  const rows = options.map(option => {
    const input = field(option, now.rules[option.name] ?? option.default);
    fields.set(option, input);
    if (option.name === "players") input.onchange = () => { if (input.checkValidity()) offer(Number(input.value)); };
    const about = option.about + (option.allowed ? `: ${option.allowed}` : "");
    return make("label", { className: option.name }, make("span", {}, option.name.replaceAll("_", " "), make("br"), make("small", { textContent: about })), input);
  });
  offer(now.seats.length);
  const seed = make("input", { name: "seed", type: "number", min: 0, max: Number.MAX_SAFE_INTEGER, placeholder: "random" });
  const go = make("button", { className: "go", textContent: "Begin", value: "begin" });
  form.replaceChildren(make("h2", { textContent: "A new game" }), ...rows.filter(row => row.className === "players"), seats,
    make("details", {}, make("summary", { textContent: "Rules" }), ...rows.filter(row => row.className !== "players")),
    make("label", {}, make("span", {}, "seed", make("br"), make("small", { textContent: "The same seed brings the same luck." })), seed),
    make("div", { className: "buttons" }, go, make("button", { textContent: "Cancel", value: "cancel", formNoValidate: true })));
  form.onsubmit = event => {
    if (event.submitter !== go) return;
    // Values equal to the default are left out, so that they may depend on other options.
    const changed = [...fields].map(([option, input]) => [option, chosen(option, input)])
      .filter(([option, value]) => JSON.stringify(value) !== JSON.stringify(option.default) && option.kind !== "file");
    const rows = [...seats.children], who = rows.map(row => row.querySelector("select").value || null);
    begin({
      options: Object.fromEntries(changed.map(([option, value]) => [option.name, value])),
      seats: who,
      names: rows.map((row, seat) => (who[seat] === null ? row.querySelector("input").value.trim() || null : null)),
      seed: seed.value === "" ? null : Number(seed.value),
    });
  };
  dialog.showModal();
}
