// Handles requests of tests/web/test_wasm.py: a line of JSON in, a line out.
import fs from "node:fs";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const [, , folder, sources] = process.argv;
const { load, Rng, MEMBERS } = await import(pathToFileURL(`${folder}/tilery.mjs`));
const { Session } = await import(pathToFileURL(`${sources}/session.mjs`));
const engine = await load(fs.readFileSync(`${folder}/tilery.wasm`));

const hex = bytes => Buffer.from(bytes).toString("hex");

// What a call throws.
function refusal(call) {
  try {
    call();
  } catch (error) {
    return error.message;
  }
  return null;
}

// A game at random: the bytes, hash, scores and pictures on the way.
function play({ name, options, seed, index }) {
  const game = engine.game(name, options), state = game.newInitialState(), rng = new Rng(engine, seed, index);
  const steps = [];
  while (!state.isTerminal()) {
    const player = state.currentPlayer(), action = state.randomAction(rng);
    steps.push([game.actionToString(action), player]);
    state.apply(action);
  }
  const answer = { steps, scores: state.scores(), returns: state.returns(), bytes: hex(state.serialize()), hash: String(state.hash()) };
  game.free();
  return answer;
}

// Returns the legal actions, words, views and bytes of the position after some actions.
function tell({ name, options, tokens, player, bytes }) {
  const game = engine.game(name, options), state = game.newInitialState();
  for (const token of tokens) state.apply(game.stringToAction(token));
  const copy = game.deserialize(state.serialize()), legal = state.legalActions();
  const answer = {
    legal,
    tokens: legal.map(action => game.actionToString(action)),
    words: legal.map(action => game.describeAction(action)),
    picks: legal.map(action => game.picks(action)),
    seen: legal.map(action => state.actionSeenBy(player, action)),
    weights: state.chanceWeights(),
    information: state.informationState(player),
    text: state.toString(player),
    all: state.toString(),
    picture: state.picture({ player, targets: true }),
    everything: state.picture(),
    board: state.picture({ player, part: "board", ghost: state.currentPlayer() >= 0 ? legal[0] : -1 }),
    beside: state.picture({ player, targets: true, part: "panel" }),
    panel: state.panel(player),
    token: refusal(() => state.clone().apply("a1")),
    bytes: hex(state.determinize(player, new Rng(engine, 5)).serialize()),
    equal: copy.equals(state),
    rules: game.rules,
    options: game.options(),
    hides: game.hidesInformation,
    why: state.whyIllegal(-1),
    sources: game.scoreSources(),
    events: legal.map(action => state.scoreEvents(action)),
  };
  game.free();
  return answer;
}

const loaded = new Set();

function chosen({ name, options, tokens, policies, seed, network }) {
  const game = engine.game(name, options), state = game.newInitialState();
  if (network && !loaded.has(network)) game.loadWeights(fs.readFileSync(network));
  loaded.add(network);
  for (const token of tokens) state.apply(game.stringToAction(token));
  const choices = policies.map(policy => state.choose(policy, new Rng(engine, seed)));
  const searched = policies.filter(policy => /^(uct|mcts)/.test(policy));
  const analyses = searched.map(policy => state.analyse(policy, new Rng(engine, seed)));
  return { choices, analyses };
}

function refused({ name, options, actions, tokens, data }) {
  const errors = [], attempt = work => {
    try {
      work();
      errors.push(null);
    } catch (error) {
      errors.push([error.name, error.message]);
    }
  };
  attempt(() => engine.game("chess"));
  attempt(() => engine.game(name, { players: 99 }));
  attempt(() => engine.game(name, { nonsense: 1 }));
  const game = engine.game(name, options), state = game.newInitialState(), before = hex(state.serialize());
  actions.forEach(action => attempt(() => state.apply(action)));
  tokens.forEach(token => attempt(() => game.stringToAction(token)));
  data.forEach(bytes => attempt(() => game.deserialize(Buffer.from(bytes, "hex"))));
  attempt(() => state.informationState(99));
  attempt(() => state.choose("best", new Rng(engine)));
  attempt(() => state.analyse("random", new Rng(engine)));
  return { errors, same: hex(state.serialize()) === before };
}

// A session as the page has it: choices of person 0 are the first action.
function session({ name, options, seats, seed, turns }) {
  const game = engine.game(name, options), played = new Session(engine, game, seats, seed);
  for (let turn = 0; turn < turns && played.actor >= 0; turn += 1) {
    if (played.waitsForPerson) played.play(game.actionToString(played.state.legalActions()[0]));
    else played.playBot();
  }
  const view = played.view(played.people[0] ?? 0);
  const hints = played.actor >= 0 ? played.hints("mcts:30") : [];
  return { record: played.record(), view, hints, trouble: played.trouble };
}

function speed({ name, options, games }) {
  const game = engine.game(name, options), rng = new Rng(engine, 7), start = process.cpuUsage();
  for (let i = 0; i < games; i += 1) game.newInitialState().playout(rng);
  const { user, system } = process.cpuUsage(start);
  return { rate: games / ((user + system) / 1e6) };
}

const calls = { play, tell, chosen, refused, session, speed, members: () => MEMBERS };
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { call, ...data } = JSON.parse(line);
  let answer;
  try {
    answer = calls[call](data);
  } catch (error) {
    answer = { failed: `${error.stack}` };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
