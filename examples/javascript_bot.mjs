// A bot in JavaScript that speaks docs/protocol.md, version 2, without an engine: it asks for the legal actions, and takes
// one at random, by the number that comes with each question.
//
//     tilery bot check "cmd:node examples/javascript_bot.mjs"
//     tilery match pueblo "cmd:node examples/javascript_bot.mjs" random
//
// For the rules in JavaScript see tilery.mjs (docs/play.md): state.deserialize(bytes) reads what message.state holds.
import { createInterface } from "node:readline";

const OPTIONS = [{ name: "first", kind: "bool", default: false, about: "take the first legal action, not a random one" }];
const given = { first: false };

function best({ legal, number }) {
  const i = given.first ? 0 : (BigInt(number) * BigInt(legal.length)) >> 64n;
  return legal[Number(i)];
}

const answers = {
  hello({ protocols = [1] }) {
    const second = protocols.includes(2) ? { protocol: 2, options: OPTIONS } : {};
    return { type: "ready", name: "JavaScript", wants: ["legal"], ...second };
  },
  new: () => ({ type: "ready" }),
  options({ values }) {
    const unknown = Object.keys(values).filter((name) => !(name in given));
    if (unknown.length > 0) return { type: "error", reason: `there is no option ${unknown[0]}` };
    Object.assign(given, values);
    return { type: "ready" };
  },
  choose: (message) => ({ type: "action", token: best(message) }),
  analyse: (message) => ({ type: "analysis", best: best(message) }),
  quit: () => process.exit(0),
};

// "stop" comes too late for a bot that answers at once; it and what later versions add need no answer.
createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const answer = Object.hasOwn(answers, message.type) ? answers[message.type](message) : undefined;
  if (answer !== undefined) console.log(JSON.stringify(answer));
});
