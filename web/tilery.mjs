// The engine for JavaScript: the C table of tilery/capi.h, comfortable. Works in browsers and in node.
//
//     import { load } from "./tilery.mjs";
//     const engine = await load(bytes);                    // or a URL, a Response, a WebAssembly.Module
//     const game = engine.game("pueblo", { players: 3 });
//     const state = game.newInitialState();
//     while (!state.isTerminal()) state.apply(state.legalActions()[0]);
//     state.scores();
//
// docs/play.md describes it, tilery.d.mts its types.

// The members of the table after version, struct_size, name and state_size, in the order of the header.
export const MEMBERS = [
  "last_error", "new_game", "free_game", "num_players", "num_distinct_actions", "max_game_length", "initial_state",
  "current_player", "is_terminal", "num_legal_actions", "legal_actions", "legal_action", "is_legal",
  "chance_outcomes", "scores", "returns", "apply_action", "apply_checked", "seed_rng", "next", "below",
  "random_action", "playout", "determinize", "information_state_string", "observation_tensor", "action_to_string",
  "string_to_action", "to_string", "serialize", "deserialize", "hash_state", "same_position", "observation_size",
  "fewest_points_win", "options", "apply_nth", "why_illegal", "action_seen_by", "information_state_hash",
  "public_state_string", "player_to_string", "describe_action", "new_policy", "free_policy", "choose",
  "num_chance_actions", "max_decisions", "max_chance_nodes", "hides_information", "picks", "describe_pick", "picture",
  "rules", "analyse", "new_driver", "free_driver", "drive", "play", "driver_state", "driver_rng",
  "draw", "score_sources", "score_events", "scores_if_over", "load_weights", "new_search", "view",
];

export const CHANCE = -1;
export const TERMINAL = -4;
const VERSION = 1;
const BUFFER_TOO_SMALL = -5;
const EVERYBODY = -1;
const NO_ACTION = -1;
const DECODER = new TextDecoder();
const NAMES = { "-1": "IllegalActionError", "-2": "ParseError", "-3": "OptionError", "-4": "StateDataError" };

// What the engine refuses; `name` says of what kind, as in Python.
export class TileryError extends Error {
  constructor(message, status) {
    super(message);
    this.name = NAMES[status] ?? "TileryError";
    this.status = status;
  }
}

// The engine from the bytes of tilery.wasm, from a compiled module, or from where they are.
export async function load(source) {
  let bytes = await source;
  if (typeof bytes === "string" || bytes instanceof URL) bytes = await fetch(bytes);
  if (typeof Response !== "undefined" && bytes instanceof Response) bytes = await bytes.arrayBuffer();
  const made = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: wasi(() => exports) });
  const exports = (made.instance ?? made).exports;
  exports._initialize();
  return new Engine(exports);
}

// What the C++ library asks of the system: the time, and a place for the last words of a program that ends.
function wasi(exports) {
  const view = () => new DataView(exports().memory.buffer);
  const functions = {
    clock_time_get(_clock, _precision, time) {
      view().setBigUint64(time, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    proc_exit(code) {
      throw new Error(`the engine ended with ${code}`);
    },
  };
  return new Proxy(functions, { get: (all, name) => all[name] ?? (() => 52) }); // 52: not there
}

class Engine {
  constructor(exports) {
    this.exports = exports;
    this.table = exports.__indirect_function_table;
  }

  // A game of this name with these options, as tilery.load() in Python.
  game(name, options = {}) {
    return new Game(this, name, options);
  }

  get bytes() {
    return new Uint8Array(this.exports.memory.buffer);
  }
  get view() {
    return new DataView(this.exports.memory.buffer);
  }

  allocate(size) {
    const address = this.exports.malloc(Math.max(size, 8));
    if (address === 0) throw new TileryError("out of memory", -7);
    return address;
  }

  read(address, length) {
    return DECODER.decode(this.bytes.subarray(address, address + length));
  }

  // The text at an address, up to its zero.
  text(address) {
    const { bytes } = this;
    return this.read(address, bytes.indexOf(0, address) - address);
  }

  // Calls use(address, length) with a text in memory, which is freed afterwards.
  withText(text, use) {
    const bytes = new TextEncoder().encode(text), address = this.allocate(bytes.length + 1);
    try {
      this.bytes.set(bytes, address);
      this.bytes[address + bytes.length] = 0;
      return use(address, bytes.length);
    } finally {
      this.exports.free(address);
    }
  }
}

// Numbers of a JavaScript caller as the engine takes them; a token is not the number that JavaScript makes of it.
const integer = value => {
  if (typeof value !== "number") {
    throw new TileryError(`expected a number, got ${JSON.stringify(value)}; stringToAction() reads tokens`, -6);
  }
  return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : -2147483648;
};

export class Game {
  constructor(engine, name, options) {
    this.engine = engine;
    const api = engine.withText(String(name), address => engine.exports.tilery_find_api(address));
    if (api === 0) throw new TileryError(`there is no game ${JSON.stringify(name)}`, -6);
    const { view } = engine;
    if (view.getUint32(api, true) !== VERSION || view.getUint32(api + 4, true) < 16 + 4 * MEMBERS.length) {
      throw new TileryError("tilery.wasm and tilery.mjs are of different versions", -7);
    }
    this.name = name;
    this.stateSize = view.getUint32(api + 12, true);
    this.c = {};
    MEMBERS.forEach((member, i) => { this.c[member] = engine.table.get(view.getUint32(api + 16 + 4 * i, true)); });
    this.box = engine.allocate(64); // for what calls write besides their result
    this.room = 65536;
    this.buffer = engine.allocate(this.room);
    this.handle = this.#make(options);
    this.numPlayers = this.c.num_players(this.handle);
    this.numDistinctActions = this.c.num_distinct_actions(this.handle);
    this.maxGameLength = this.c.max_game_length(this.handle);
    this.fewestPointsWin = this.c.fewest_points_win(this.handle) === 1;
    this.hidesInformation = this.c.hides_information(this.handle) === 1;
    this.rules = JSON.parse(this.write("rules", this.handle));
    this.policies = new Map();
  }

  #make(options) {
    const { engine } = this, addresses = [];
    const list = engine.allocate(4 * Object.keys(options).length);
    try {
      for (const [name, value] of Object.entries(options)) {
        const bytes = new TextEncoder().encode(`${name}=${value}\0`), address = engine.allocate(bytes.length);
        engine.bytes.set(bytes, address);
        engine.view.setUint32(list + 4 * addresses.length, address, true);
        addresses.push(address);
      }
      this.check(this.c.new_game(list, addresses.length, this.box));
    } finally {
      [list, ...addresses].forEach(address => engine.exports.free(address));
    }
    return engine.view.getUint32(this.box, true);
  }

  // Throws what a negative status says.
  check(status) {
    if (status < 0) throw new TileryError(this.engine.text(this.c.last_error()), status);
    return status;
  }

  // The bytes that a call writes into a buffer, which grows as needed.
  writeBytes(member, ...words) {
    const { engine } = this;
    for (;;) {
      const status = this.c[member](...words, this.buffer, this.room, this.box);
      const length = engine.view.getUint32(this.box, true);
      if (status !== BUFFER_TOO_SMALL) {
        this.check(status);
        return engine.bytes.slice(this.buffer, this.buffer + length);
      }
      engine.exports.free(this.buffer);
      this.room = 2 * length + 2;
      this.buffer = engine.allocate(this.room);
    }
  }

  write(member, ...words) {
    return DECODER.decode(this.writeBytes(member, ...words));
  }

  // All options of the game: their kinds, defaults, values and meaning.
  options() {
    return JSON.parse(this.write("options"));
  }
  newInitialState() {
    const state = new State(this);
    this.check(this.c.initial_state(this.handle, state.address));
    return state;
  }
  actionToString(action) {
    return this.write("action_to_string", this.handle, integer(action));
  }
  stringToAction(token) {
    this.check(this.engine.withText(String(token), (address, length) =>
      this.c.string_to_action(this.handle, address, length, this.box)));
    return this.engine.view.getInt32(this.box, true);
  }
  // Loads a network from the bytes of its file, so that the policy "nn" can play by it.
  loadWeights(bytes) {
    const address = this.engine.allocate(bytes.length);
    try {
      this.engine.bytes.set(bytes, address);
      this.check(this.c.load_weights(address, bytes.length));
    } finally {
      this.engine.exports.free(address);
    }
  }
  // Where points can come from: each source of scoreEvents().
  scoreSources() {
    return JSON.parse(this.write("score_sources", this.handle));
  }
  describeAction(action) {
    return this.write("describe_action", this.handle, integer(action));
  }
  picks(action) {
    return JSON.parse(this.write("picks", this.handle, integer(action)));
  }
  describePick(pick) {
    return this.engine.withText(String(pick), address => this.write("describe_pick", this.handle, address));
  }
  // The state of bytes that serialize() or Python's state.serialize() wrote.
  deserialize(bytes) {
    const { engine } = this, state = new State(this), address = engine.allocate(bytes.length);
    try {
      engine.bytes.set(bytes, address);
      this.check(this.c.deserialize(this.handle, address, bytes.length, state.address));
    } finally {
      engine.exports.free(address);
    }
    return state;
  }
  // A policy of docs/bots.md by its text: made once, kept with the game.
  policy(text) {
    if (!this.policies.has(text)) {
      this.check(this.engine.withText(text, address => this.c.new_policy(this.handle, address, this.box)));
      this.policies.set(text, this.engine.view.getUint32(this.box, true));
    }
    return this.policies.get(text);
  }
  // Frees the memory of the game. Its states must not be used any more.
  free() {
    for (const policy of this.policies.values()) this.c.free_policy(policy);
    this.policies.clear();
    this.c.free_game(this.handle);
    for (const address of [this.box, this.buffer]) this.engine.exports.free(address);
    this.handle = 0;
  }
}

const registry = new FinalizationRegistry(({ exports, address }) => exports.free(address));

export class State {
  constructor(game) {
    this.game = game;
    this.address = game.engine.allocate(game.stateSize);
    registry.register(this, { exports: game.engine.exports, address: this.address });
  }

  clone() {
    const copy = new State(this.game), { bytes } = this.game.engine;
    bytes.copyWithin(copy.address, this.address, this.address + this.game.stateSize);
    return copy;
  }
  currentPlayer() {
    return this.game.c.current_player(this.game.handle, this.address);
  }
  isTerminal() {
    return this.currentPlayer() === TERMINAL;
  }
  isChanceNode() {
    return this.currentPlayer() === CHANCE;
  }
  numLegalActions() {
    return this.game.c.num_legal_actions(this.game.handle, this.address);
  }
  legalActions() {
    const { game } = this, { engine } = game, count = this.numLegalActions(), list = engine.allocate(4 * count);
    try {
      game.check(game.c.legal_actions(game.handle, this.address, list, count, game.box));
      return Array.from(new Int32Array(engine.exports.memory.buffer, list, count));
    } finally {
      engine.exports.free(list);
    }
  }
  isLegal(action) {
    return this.game.c.is_legal(this.game.handle, this.address, integer(action)) === 1;
  }
  // Applies a legal action or a possible outcome; throws and changes nothing otherwise.
  apply(action) {
    this.game.check(this.game.c.apply_checked(this.game.handle, this.address, integer(action)));
    return this;
  }
  // [[id, weight], ...] of a chance node.
  chanceWeights() {
    const { game } = this, { engine } = game, count = this.isChanceNode() ? this.numLegalActions() : 0;
    const list = engine.allocate(8 * count);
    try {
      game.check(game.c.chance_outcomes(game.handle, this.address, list, list + 4 * count, count, game.box, game.box + 4));
      const ids = new Int32Array(engine.exports.memory.buffer, list, count);
      const weights = new Uint32Array(engine.exports.memory.buffer, list + 4 * count, count);
      return Array.from(ids, (id, i) => [id, weights[i]]);
    } finally {
      engine.exports.free(list);
    }
  }
  scores() {
    return this.#points("scores");
  }
  // The points if the game ended now; where something is hidden, a player knows only their own.
  scoresIfOver() {
    return this.#points("scores_if_over");
  }
  #points(member) {
    this.game.check(this.game.c[member](this.game.handle, this.address, this.game.box) ?? 0);
    return Array.from(new Int32Array(this.game.engine.exports.memory.buffer, this.game.box, this.game.numPlayers));
  }
  returns() {
    this.game.c.returns(this.game.handle, this.address, this.game.box);
    return Array.from(new Float64Array(this.game.engine.exports.memory.buffer, this.game.box, this.game.numPlayers));
  }
  randomAction(rng) {
    return this.game.check(this.game.c.random_action(this.game.handle, this.address, rng.address));
  }
  // Plays at random to the end, in place.
  playout(rng) {
    this.game.c.playout(this.game.handle, this.address, rng.address, 0);
    return this;
  }
  // A state drawn from those that the player cannot tell from this one.
  determinize(player, rng) {
    const drawn = this.clone();
    this.game.check(this.game.c.determinize(this.game.handle, drawn.address, integer(player), rng.address));
    return drawn;
  }
  informationState(player) {
    return JSON.parse(this.game.write("information_state_string", this.game.handle, this.address, integer(player)));
  }
  actionSeenBy(player, action) {
    const { game } = this;
    game.check(game.c.action_seen_by(game.handle, this.address, integer(player), integer(action), game.box));
    return game.engine.view.getInt32(game.box, true);
  }
  // The points that an action gives, each with its reason; see state.score_events() in Python.
  scoreEvents(action) {
    return JSON.parse(this.game.write("score_events", this.game.handle, this.address, integer(action)));
  }
  // Why an action may not be applied, beginning with the number of a rule; "" if it may.
  whyIllegal(action) {
    return this.game.write("why_illegal", this.game.handle, this.address, integer(action));
  }
  // The position as text; with a player, what that player knows.
  toString(player) {
    const { game } = this;
    if (player === undefined) return game.write("to_string", game.handle, this.address);
    return game.write("player_to_string", game.handle, this.address, integer(player));
  }
  // The position as SVG; see state.to_svg() in Python.
  picture({ player = EVERYBODY, last = NO_ACTION, targets = false, part = "all", ghost = NO_ACTION, turns = 0 } = {}) {
    const number = ["all", "board", "panel"].indexOf(part) + 4 * integer(turns);
    return this.#draw(integer(player), integer(last), targets ? 1 : 0, number, integer(ghost));
  }
  // What belongs next to the board; see state.panel() in Python.
  panel(player = EVERYBODY) {
    return JSON.parse(this.#draw(integer(player), NO_ACTION, 1, 3, NO_ACTION));
  }
  #draw(...words) {
    return this.game.write("draw", this.game.handle, this.address, ...words);
  }
  serialize() {
    return this.game.writeBytes("serialize", this.game.handle, this.address);
  }
  hash() {
    return BigInt.asUintN(64, this.game.c.hash_state(this.game.handle, this.address));
  }
  equals(other) {
    return this.game.c.same_position(this.game.handle, this.address, other.address) === 1;
  }
  // The choice of a policy ("mcts:1000") by one number of the rng.
  choose(policy, rng) {
    return this.game.check(this.game.c.choose(this.game.policy(policy), this.address, rng.address));
  }
  // What a search ("mcts:1000") finds, as policy.analyse() in Python; the `most` most visited actions.
  analyse(policy, rng, most = 20) {
    return JSON.parse(this.game.write("analyse", this.game.policy(policy), this.address, most, rng.address));
  }
}

const mask = 2n ** 64n - 1n;
const rotate = (x, n) => ((x << n) | (x >> (64n - n))) & mask;
function mix(z) {
  z = ((z ^ (z >> 30n)) * 0xBF58476D1CE4E5B9n) & mask;
  z = ((z ^ (z >> 27n)) * 0x94D049BB133111EBn) & mask;
  return z ^ (z >> 31n);
}
const GOLDEN = 0x9E3779B97F4A7C15n;

// The random stream (seed, index) of docs/interface.md, in the memory of the engine; both are numbers or BigInts
// in [0, 2**64).
export class Rng {
  constructor(engine, seed = 0, index = 0) {
    const s0 = mix((BigInt(seed) + GOLDEN) & mask), s1 = mix((BigInt(index) + s0 + GOLDEN) & mask);
    this.engine = engine;
    this.address = engine.allocate(16);
    registry.register(this, { exports: engine.exports, address: this.address });
    this.words = [s0, (s0 | s1) === 0n ? 1n : s1];
  }

  // The stream of a purpose in a game (docs/bots.md): 0 chance, 1 + p the policy of seat p, 16 + p determinizations.
  static ofPurpose(engine, seed, purpose, index = 0) {
    return new Rng(engine, mix((BigInt(seed) + BigInt(purpose + 1) * GOLDEN) & mask), index);
  }

  get words() {
    const { view } = this.engine;
    return [view.getBigUint64(this.address, true), view.getBigUint64(this.address + 8, true)];
  }
  set words([s0, s1]) {
    const { view } = this.engine;
    view.setBigUint64(this.address, s0, true);
    view.setBigUint64(this.address + 8, s1, true);
  }

  clone() {
    const copy = new Rng(this.engine);
    copy.words = this.words;
    return copy;
  }
  // The next number, a BigInt of 64 bits.
  next() {
    const [s0, s1] = this.words, t = s1 ^ s0;
    this.words = [rotate(s0, 49n) ^ t ^ ((t << 21n) & mask), rotate(t, 28n)];
    return (rotate((s0 + s1) & mask, 17n) + s0) & mask;
  }
  // A number in [0, n), by one draw.
  below(n) {
    return Number((this.next() * BigInt(n)) >> 64n);
  }
}
