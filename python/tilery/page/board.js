// <tilery-board>: a game to play on any page. STYLE and MARKUP are style.css and board.html (tilery.play.files.component).
import { Page } from "./page.js";
import { Served } from "./served.js";

// Attributes:
//   src    the address of a page of `tilery play`; by default that of the document
//   full   the board takes the window, its keys work without focus, and the document has the title of the game
//   theme  "light" or "dark"; by default as the system
// Properties: `transport`, set before the element is connected, is what replies to requests instead of a server
// (docs/play.md); `view` is what the page knows of the game, null before it begins.
// Events, which bubble: "tilery-change" after each change and "tilery-over" at the end, with `detail`: {version, actor,
// scores, winners, moves}.
export class TileryBoard extends HTMLElement {
  #page = null;
  transport = null;

  connectedCallback() {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    this.dataset.lmSuppressShortcuts = "true"; // keys on the board are not commands of JupyterLab
    shadow.innerHTML = `<style>${STYLE}</style><div class="page" tabindex="-1">${MARKUP}</div>`;
    const transport = this.transport ?? new Served(this.getAttribute("src") ?? "");
    this.#page = new Page(transport, shadow.querySelector(".page"), this.hasAttribute("full"));
    this.#page.run();
  }

  disconnectedCallback() {
    this.#page.end();
    this.#page = null;
  }

  get view() {
    return this.#page?.view ?? null;
  }

  // Takes an action for the person to act; what is wrong is said on the board.
  play(token) {
    return this.#page.send("play", { token });
  }

  undo() {
    return this.#page.send("undo");
  }
}

if (!customElements.get("tilery-board")) customElements.define("tilery-board", TileryBoard);
