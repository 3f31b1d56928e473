// The page with its own engine, which thinks in a worker; nothing is asked of any server.
import "./board.js";
import { Messages } from "./messages.js";

const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};
const BOTS = [["person", "a person"], ["greedy", "a beginner (greedy)"], ["mcts:300", "an amateur (mcts:300)"], ["mcts,seconds=2,memory=512", "strong (mcts, two seconds)"]];

const LARGEST = 2 ** 20; // bytes of a record in an address

// Bytes through a stream that compresses or decompresses them.
async function through(bytes, stream) {
  const chunks = [];
  let size = 0;
  for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LARGEST) throw new Error("it is too long");
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

// A record as the part of an address after #, and back.
async function packed(record) {
  const bytes = await through(new TextEncoder().encode(record), new CompressionStream("deflate-raw"));
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
}

class Local extends Messages {
  constructor(name, worker, rules) {
    super(message => worker.postMessage(message));
    this.name = name;
    this.rules = rules;
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = event => document.body.append(make("p", { role: "alert", textContent: `The engine failed: ${event.message}` }));
  }

  async request(name, data) {
    const answer = await super.request(name, data);
    if (name === "rules") answer.rules = this.rules;
    if (name !== "view" && name !== "hint" && answer.version !== undefined) this.changed();
    if (name === "view" && answer.thinking) this.think(answer.version);
    return answer;
  }

  async think(version) {
    if (this.thinking === version) return;
    this.thinking = version;
    await this.ask("bot", { version });
    this.changed();
  }

  async changed() {
    this.news();
    const { record } = await this.ask("keep");
    try {
      localStorage.setItem(`tilery-${this.name}`, record);
    } catch {
      // Without storage a reload begins again.
    }
  }

  // The address of this page with a record, which opens there without any server.
  async share(record) {
    location.hash = `record=${await packed(record)}`;
    await navigator.clipboard?.writeText(location.href).catch(() => null);
    return "The address of this page holds the game now: copy it to share the game.";
  }

  // The game in the address; null if there is none.
  async shared() {
    const [, text] = location.hash.match(/^#record=([\w-]+)$/) ?? [];
    if (!text) return null;
    try {
      const record = JSON.parse(await unpacked(text));
      if (record.game !== this.name) throw new Error(`it is a game of ${record.game}`);
      if (!Array.isArray(record.seats) || !record.seats.includes(null)) record.seats = null;
      return await this.ask("begin", { name: this.name, record });
    } catch (error) {
      document.body.append(make("p", { role: "alert", textContent: `The game in the address cannot be opened: ${error.message}` }));
      return null;
    }
  }

  // Opens the game of the address, or goes on with the one that was kept, or begins one against a bot.
  async start() {
    const opened = await this.shared();
    if (opened) return opened;
    let record;
    try {
      record = JSON.parse(localStorage.getItem(`tilery-${this.name}`));
    } catch {
      record = null;
    }
    try {
      if (record) return await this.ask("begin", { name: this.name, record });
    } catch {
      // Of another version; a new game begins.
    }
    const players = (await this.ask("options", { name: this.name })).options.find(option => option.name === "players");
    return this.begin({}, [null, ...Array(players.default - 1).fill("mcts:300")]);
  }

  begin(options, seats) {
    const seed = Number(crypto.getRandomValues(new BigUint64Array(1))[0] >> 11n);
    return this.ask("begin", { name: this.name, options, seats, seed });
  }

  // The form of a new game: its options as the engine describes them, and who plays.
  async setUp(dialog, page) {
    const { options } = await this.ask("options", { name: this.name });
    const form = dialog.querySelector("form"), seats = make("div"), fields = new Map();
    const offer = count => seats.replaceChildren(...Array.from({ length: count }, (_, seat) => make("label", {}, `Player ${seat}`,
      make("select", { name: "seat" }, ...BOTS.map(([value, textContent], i) => make("option", { value, textContent, selected: i === (seat === 0 ? 0 : 2) }))))));
    const rows = options.filter(option => option.kind !== "file").map(option => {
      const field = option.kind === "value" ? make("input", { value: JSON.stringify(option.default), title: option.allowed })
        : option.kind === "choice" ? make("select", {}, ...option.choices.map(choice => make("option", { value: choice, textContent: choice, selected: choice === option.default })))
        : make("input", option.kind === "bool" ? { type: "checkbox", checked: option.default } : { type: "number", min: option.low, max: option.high, value: option.default });
      fields.set(option, field);
      if (option.name === "players") field.onchange = () => offer(Number(field.value));
      return make("label", { title: option.about }, make("span", {}, option.name, make("br"), make("small", { textContent: option.about + (option.allowed ? `: ${option.allowed}` : "") })), field);
    });
    offer(options.find(option => option.name === "players").default);
    const begin = make("button", { className: "go", textContent: "Begin", value: "begin" });
    form.replaceChildren(rows[0], seats, make("details", {}, make("summary", { textContent: "Rules" }), ...rows.slice(1)), begin, make("button", { textContent: "Cancel", value: "cancel", formNoValidate: true }));
    form.onsubmit = event => {
      if (event.submitter !== begin) return;
      const chosen = Object.fromEntries([...fields].filter(([option, field]) => option.kind !== "value" || field.value.trim() !== JSON.stringify(option.default))
        .map(([option, field]) => [option.name, option.kind === "bool" ? field.checked : field.value.trim()]));
      const who = [...seats.querySelectorAll("select")].map(each => (each.value === "person" ? null : each.value));
      page.attempt(async () => {
        if (!who.includes(null)) throw new Error("At least one player must be a person.");
        const view = await this.begin(chosen, who);
        page.seat = null;
        await page.take(view);
        this.changed();
      });
    };
    dialog.showModal();
  }
}

// name: of the game. worker: a Worker of worker.mjs. compressed: tilery.wasm, in base64. rules: the page of the game.
export async function run(name, worker, compressed, rules) {
  const packed = new Blob([Uint8Array.from(atob(compressed), letter => letter.charCodeAt(0))]);
  const bytes = await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  const local = new Local(name, worker, rules);
  await local.ask("load", { bytes });
  await local.start();
  const board = document.createElement("tilery-board");
  board.toggleAttribute("full", true);
  board.transport = local;
  document.body.append(board);
}
