/** The C table of tilery/capi.h in JavaScript; docs/play.md shows how to use it. */

/** What current_player returns when no player is to act. */
export const CHANCE: -1;
export const TERMINAL: -4;
/** The members of the table, in the order of the header. */
export const MEMBERS: readonly string[];

/** What the engine refuses. `name` is that of the error in Python, such as "IllegalActionError". */
export class TileryError extends Error {
  readonly status: number | undefined;
}

/** Load tilery.wasm: its bytes, a compiled module, a response, or where it is. */
export function load(
  source: BufferSource | WebAssembly.Module | Response | string | URL | Promise<BufferSource | Response>,
): Promise<Engine>;

export interface Engine {
  /** A game with these options, as tilery.load() in Python. Throws a TileryError for a wrong name or option. */
  game(name: string, options?: Record<string, string | number | boolean>): Game;
}

export interface Option {
  name: string;
  default: unknown;
  about: string;
  kind: "int" | "bool" | "choice" | "file" | "value";
  low?: number;
  high?: number;
  choices?: string[];
  allowed?: string;
}

/** One change of a player's points, and the reason for it. */
export interface ScoreEvent {
  player: number;
  points: number;
  source: string;
  rule: string;
  on: string[];
}

/** The rules with all options fixed. Never changes. */
export interface Game {
  readonly name: string;
  readonly rules: Record<string, unknown>;
  readonly numPlayers: number;
  readonly numDistinctActions: number;
  readonly maxGameLength: number;
  readonly fewestPointsWin: boolean;
  readonly hidesInformation: boolean;
  /** Bytes of a state in memory. */
  readonly stateSize: number;
  options(): Option[];
  newInitialState(): State;
  actionToString(action: number): string;
  stringToAction(token: string): number;
  /** Where points can come from: each source of scoreEvents(). */
  scoreSources(): string[];
  describeAction(action: number): string;
  picks(action: number): string[];
  describePick(pick: string): string;
  /** The state of bytes that serialize() wrote, here or in Python, under the same rules. */
  deserialize(bytes: Uint8Array): State;
  loadWeights(bytes: Uint8Array): void;
  /** Free the game. Its states must not be used any more. */
  free(): void;
}

/** One position, a value: clone() is the undo. Its memory is freed when it is collected. */
export interface State {
  readonly game: Game;
  clone(): State;
  /** The player to act, CHANCE or TERMINAL. */
  currentPlayer(): number;
  isTerminal(): boolean;
  isChanceNode(): boolean;
  numLegalActions(): number;
  /** Ascending; the outcomes at a chance node; empty when the game is over. */
  legalActions(): number[];
  isLegal(action: number): boolean;
  /** Apply a legal action or a possible outcome; anything else throws and changes nothing. */
  apply(action: number): this;
  /** [id, weight] of each outcome of a chance node. */
  chanceWeights(): [number, number][];
  scores(): number[];
  scoresIfOver(): number[];
  returns(): number[];
  randomAction(rng: Rng): number;
  /** Play at random to the end, in place. */
  playout(rng: Rng): this;
  determinize(player: number, rng: Rng): State;
  informationState(player: number): Record<string, unknown>;
  /** The id of an action about to be applied, or -1 if the player sees only that something happens. */
  actionSeenBy(player: number, action: number): number;
  /** The points that an action gives, each with its reason. */
  scoreEvents(action: number): ScoreEvent[];
  whyIllegal(action: number): string;
  /** The position as text; with a player, what that player knows. */
  toString(player?: number): string;
  /** The position as SVG; see state.to_svg() in Python. */
  picture(settings?: {
    player?: number;
    last?: number;
    targets?: boolean;
    part?: "all" | "board" | "panel";
    ghost?: number;
    turns?: number;
  }): string;
  /** What belongs next to the board; see state.panel() in Python. */
  panel(player?: number): Panel;
  serialize(): Uint8Array;
  hash(): bigint;
  equals(other: State): boolean;
  /** The choice of a policy of docs/bots.md, such as "mcts:1000", by one number of the rng. */
  choose(policy: string, rng: Rng): number;
  analyse(policy: string, rng: Rng, most?: number): Analysis;
}

/** What belongs next to the board; see state.panel() in Python. */
export interface Panel {
  title: string;
  to_act: number;
  players: { seat: number; name: string; colour: string; points: number; lines: string[] }[];
  picks: string[];
  spots: string[];
  prices?: number[];
  unit?: string;
  labels: Record<string, string>;
  /** What is drawn there: SVG that uses these shapes. */
  shapes: string;
  groups: { words: string; seat: number | null; things: { pick: string; words: string; svg: string }[] }[];
  standing?: ScoreEvent[];
}

export interface Analysis {
  player: number;
  simulations: number;
  best: number;
  actions: { action: number; token: string; visits: number; share: number; prior: number; utilities: number[] }[];
}

/** The random stream (seed, index) of docs/interface.md. */
export class Rng {
  constructor(engine: Engine, seed?: number | bigint, index?: number | bigint);
  /** The stream of a purpose in a game between policies (docs/bots.md). */
  static ofPurpose(engine: Engine, seed: number | bigint, purpose: number, index?: number | bigint): Rng;
  clone(): Rng;
  next(): bigint;
  below(n: number): number;
}
