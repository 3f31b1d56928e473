// The page with its own engine, which thinks in a worker; nothing is asked of any server.
import "./board.js";
import { Messages } from "./messages.js";
import { kept } from "./setup.js";

// Says what keeps the page from showing what was asked for.
const alarm = text => document.body.append(Object.assign(document.createElement("p"), { role: "alert", textContent: text }));

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

// Bytes, decompressed if they are those of gzip.
async function unzipped(bytes) {
  const [first, second] = new Uint8Array(bytes, 0, 2);
  if (first !== 0x1f || second !== 0x8b) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

class Local extends Messages {
  constructor(name, worker, { rules, levels }) {
    super(message => worker.postMessage(message));
    this.name = name;
    this.levels = levels;
    this.more = { rules: { rules }, options: { levels: levels.filter(([policy]) => !policy.includes("eval=")) } }; // what is added to replies, by request
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = event => alarm(`The engine failed: ${event.message}`);
  }

  async request(name, data) {
    const answer = Object.assign(await super.request(name, data), this.more[name]);
    if (["play", "begin", "open"].includes(name)) this.looks = false;
    if (name !== "view" && name !== "hint" && answer.version !== undefined) this.changed();
    if (name === "view" && answer.thinking) this.think(answer.version);
    return answer;
  }

  // Plays by the network of the game from now on, also in hints: the bytes of its file, as they are or by gzip.
  async learn(bytes) {
    await this.ask("learn", { name: this.name, bytes: await unzipped(bytes), policy: this.levels.at(-1)[0] });
    this.more.options.levels = this.levels;
  }

  async think(version) {
    if (this.thinking === version) return;
    this.thinking = version;
    await this.ask("bot", { version });
    this.changed();
  }

  async changed() {
    this.news();
    if (this.looks) return;
    const { record } = await this.ask("keep");
    kept(`tilery-${this.name}`, record); // without storage a reload begins again
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
      return await this.ask("start", { name: this.name, record });
    } catch (error) {
      alarm(`The game in the address cannot be opened: ${error.message}`);
      return null;
    }
  }

  // The record of the game that was kept; null if there is none.
  get kept() {
    return kept(`tilery-${this.name}`);
  }

  // What the address asks for: a game, or bots to watch; else the game that was kept, or a new one against bots, and in it
  // the tutorial if the address asks for that. A game that is only looked at is not kept in the place of one's own.
  async start() {
    const watch = location.hash === "#watch", opened = await this.shared();
    this.looks = watch || Boolean(opened);
    if (opened) return;
    const view = (!watch && await this.goOn()) || await this.fresh(watch);
    if (location.hash !== "#tutorial") return;
    await this.ask("lesson", { seat: view.people[0] ?? null, version: view.version, number: 0 });
  }

  // The game that was kept; null if there is none, or one of another version.
  async goOn() {
    try {
      return this.kept && await this.ask("start", { name: this.name, record: JSON.parse(this.kept) });
    } catch {
      return null;
    }
  }

  async fresh(watch) {
    const { options } = await this.ask("options", { name: this.name });
    const bots = Array(watch ? 2 : options.find(option => option.name === "players").default).fill("mcts:300");
    const seats = watch ? bots : [null, ...bots.slice(1)];
    return this.ask("start", { name: this.name, options: watch ? { players: 2 } : {}, seats });
  }
}

// A <tilery-board> that plays with its own engine, to be put anywhere on a page. name: of the game. worker: a Worker of
// worker.mjs. bytes: tilery.wasm, or the module of the game. about: {rules, lessons, levels}, the page of the game, its
// tutorial and its bots by strength. weights: a promise of the bytes of the game's network, for strong bots and hints; the
// game begins without it, unless it is one against such a bot. Where the network is not to be had, searches play.
export async function begin(name, worker, bytes, about, weights = null) {
  const local = new Local(name, worker, about), loaded = local.ask("load", { bytes, lessons: about.lessons });
  const learned = weights?.then(network => loaded.then(() => local.learn(network))).catch(() => null);
  await loaded;
  if (/eval=/.test(local.kept + location.hash)) await learned;
  await local.start();
  const board = document.createElement("tilery-board");
  board.transport = local;
  return board;
}

// The whole page. compressed: the module, and weights: the network, in base64 of gzip. Without the weights a page that a
// server gives asks for the file next to it.
export async function run(name, worker, compressed, about, weights) {
  const bytes = text => unzipped(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer);
  const served = location.protocol.startsWith("http") ? fetch(`${name}.tnn.gz`).then(found => found.arrayBuffer()) : null;
  const board = await begin(name, worker, await bytes(compressed), about, weights ? bytes(weights) : served);
  board.toggleAttribute("full", true);
  document.body.append(board);
}
