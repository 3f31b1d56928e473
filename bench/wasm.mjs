// The bare loop of bench/play.cpp in WebAssembly: random games of seed 1 by the C table, and their checksum.
//
//     node bench/wasm.mjs FOLDER GAME N [OPTION=VALUE ...]
//
// Prints a line of JSON with the CPU time of the games, once the engine of JavaScript has compiled what they need.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [, , folder, name, number, ...words] = process.argv;
const { load } = await import(pathToFileURL(`${folder}/tilery.mjs`));
const engine = await load(fs.readFileSync(`${folder}/tilery.wasm`));
const game = engine.game(name, Object.fromEntries(words.map(word => word.split("="))));
const MAX_PLAYERS = 5;
const { c, handle, numPlayers, stateSize } = game;

const games = Number(number), start = game.newInitialState().address;
const state = engine.allocate(stateSize), rng = engine.allocate(16);
const results = engine.allocate(4 * games * numPlayers), counts = engine.allocate(8 * games);

function play(n) {
  const { bytes } = engine;
  for (let i = 0; i < n; i += 1) {
    bytes.copyWithin(state, start, start + stateSize);
    c.seed_rng(rng, 1n, BigInt(i));
    c.playout(handle, state, rng, counts + 8 * i);
    c.scores(handle, state, results + 4 * i * numPlayers);
  }
}

const mask = 2n ** 64n - 1n;
function mix(z) {
  z = ((z ^ (z >> 30n)) * 0xBF58476D1CE4E5B9n) & mask;
  z = ((z ^ (z >> 27n)) * 0x94D049BB133111EBn) & mask;
  return z ^ (z >> 31n);
}

for (const until = performance.now() + 1000; performance.now() < until;) play(Math.min(games, 100));
const before = process.cpuUsage();
play(games);
const { user, system } = process.cpuUsage(before);
const scores = new Int32Array(engine.exports.memory.buffer, results, games * numPlayers);
const played = new Uint32Array(engine.exports.memory.buffer, counts, 2 * games);
let checksum = 0n;
for (let i = 0; i < games; i += 1) {
  let hash = BigInt(played[2 * i + 1]);
  for (let p = 0; p < MAX_PLAYERS; p += 1) {
    hash = mix(hash ^ BigInt.asUintN(64, BigInt(p < numPlayers ? scores[i * numPlayers + p] : 0)));
  }
  checksum = mix(checksum ^ hash);
}
console.log(JSON.stringify({ seconds: (user + system) / 1e6, checksum: checksum.toString(16) }));
