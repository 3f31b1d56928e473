// A drawing of the engine in the document. Browsers take far longer to style and lay out a whole drawing than what has
// changed of it, so a new drawing keeps the elements that it shares with the one before.

const SOURCE = Symbol("the text that an element was made from, whatever the page has set since");
const isGroup = element => ["g", "svg"].includes(element.tagName);
const isMark = element => element.matches(":has(> .target, > .spot)");

const contentOf = text => text.slice(text.indexOf(">"));

// By what elements are matched with those before, the best first: the same, a group of the same, any group.
const MATCHES = [
  element => element[SOURCE] ?? element, // what the page has added has no text
  element => (isGroup(element) ? contentOf(element[SOURCE]) : element),
  element => (isGroup(element) ? element.tagName : element),
];

function remember(element) {
  element[SOURCE] = element.outerHTML;
  if (isGroup(element)) [...element.children].forEach(remember);
}

function setAttributes(element, fresh) {
  for (const { name, value } of fresh.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

// Gives an element these children, in this order. Those that it has already stay: a browser styles what moves again.
export function arrange(element, children) {
  const all = new Set(children);
  for (const child of [...element.children]) if (!all.has(child)) child.remove();
  let at = element.firstElementChild;
  for (const child of children) {
    if (child === at) at = at.nextElementSibling;
    else element.insertBefore(child, at);
  }
}

// Gives an element children like these, in this order. Those that it has already stay; of groups what they share with the
// groups before.
function replaceChildren(element, children) {
  const before = new Map(), rest = new Set(element.children);
  for (const keyOf of MATCHES) {
    const old = Map.groupBy(rest, keyOf);
    for (const child of children) {
      const found = before.has(child) ? undefined : old.get(keyOf(child))?.shift();
      if (!found) continue;
      before.set(child, found);
      rest.delete(found);
    }
  }
  arrange(element, children.map(child => before.get(child) ?? child));
  for (const [child, kept] of before) {
    if (kept[SOURCE] === child[SOURCE]) continue;
    setAttributes(kept, child);
    replaceChildren(kept, [...child.children]);
    kept[SOURCE] = child[SOURCE];
  }
}

// The symbols of the drawings of a page. Each is there once, and stays: browsers make all its copies again when another
// one of its name comes or goes.
export class Symbols {
  #words = new Map();

  // Keeps them in the `defs` of an SVG.
  constructor(defs) {
    this.defs = defs;
  }

  // Takes symbols out of what holds them; returns their ids.
  take(holder) {
    const symbols = [...holder?.children ?? []];
    for (const symbol of symbols) {
      if (this.#words.has(symbol.id)) continue;
      this.#words.set(symbol.id, symbol.querySelector("title")?.textContent);
      symbol.querySelector("title")?.remove(); // browsers would show it beside what the page says
      this.defs.append(symbol);
    }
    return symbols.map(({ id }) => id);
  }

  // The meaning of the symbol that an element uses, if it says so.
  meaning(element) {
    return this.#words.get(element.getAttribute("href")?.slice(1));
  }
}

export class Drawing {
  ids = []; // of the symbols in sight
  #shown = null; // what was shown last, so as not to do it again

  // Draws in an element.
  constructor(element, symbols) {
    this.element = element;
    this.symbols = symbols;
  }

  get svg() {
    return this.element.querySelector(":scope > svg");
  }

  // Shows a picture, the text of an SVG. A preview keeps what the picture before has to point at.
  show(picture, preview = false) {
    const shown = `${preview} ${picture}`;
    if (shown === this.#shown && this.svg) return;
    this.#shown = shown;
    const template = document.createElement("template");
    template.innerHTML = picture;
    const fresh = template.content.firstElementChild, { svg } = this;
    fresh.querySelector(":scope > title").remove(); // it is the label
    const defs = fresh.querySelector(":scope > defs");
    this.ids = this.symbols.take(defs);
    defs?.remove();
    [...fresh.children].forEach(remember);
    fresh.dataset.whole = fresh.getAttribute("viewBox");
    if (!svg) {
      this.element.prepend(fresh);
      return;
    }
    if (svg.dataset.whole === fresh.dataset.whole) fresh.removeAttribute("viewBox"); // part of it may be looked at closer
    setAttributes(svg, fresh);
    svg.classList.toggle("ghost", preview);
    const children = [...fresh.children];
    replaceChildren(svg, preview ? [...children.filter(child => !isMark(child)), ...[...svg.children].filter(isMark)] : children);
  }
}
