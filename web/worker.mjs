// The thread of a page that holds its own engine: it handles requests as tilery.play.host does.
import { load, TERMINAL, TileryError } from "./tilery.mjs";
import { Session, Taught } from "./session.mjs";

let engine, session, course, champion;
let aside = null; // the game that waits while a lesson is taught
const luck = () => Number(crypto.getRandomValues(new BigUint64Array(1))[0] >> 11n); // a seed

// Plays on: the game of a record, or a new one.
function replace(game, seats, seed, more) {
  const next = new Session(engine, game, seats, seed, more), before = aside;
  aside = null;
  const view = goOnWith(next);
  before?.game.free();
  return view;
}

// Shows another session. The one before is over, unless it waits.
function goOnWith(next) {
  const before = session;
  next.version += before?.version ?? 0;
  session = next;
  if (before && before !== aside) before.game.free();
  return session.view(session.people[0] ?? null);
}

// The rules of a record as options that a game is made from: lists are written as JSON.
const plain = rules => Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== null)
  .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : value]));

// Seats of programs, which are not here, are taken by people.
const known = (game, bot) => {
  try {
    return bot === null || Boolean(game.policy(bot)) ? bot : null;
  } catch {
    return null;
  }
};

function check(seat, version) {
  const anybody = seat === null && session.people.length === 0;
  if (!session.people.includes(seat) && !anybody) throw Object.assign(new TileryError(`seat ${seat} is not a person's`), { forbidden: true });
  if (version !== undefined && version !== session.version) throw Object.assign(new TileryError("the game has moved on"), { stale: true });
}

// What a person asks of the present position.
const asked = work => data => {
  check(data.seat, data.version);
  return work(data);
};

// What they do; the answer is what they see then.
const done = work => asked(data => {
  work(data);
  return session.view(data.seat);
});

const calls = {
  // The game that a page begins with: name, and a record or options, seats and a seed.
  start({ name, options, seats, seed, record }) {
    if (record) return calls.open({ record: JSON.stringify(record), name });
    return replace(engine.game(name, options), seats, seed ?? luck());
  },
  begin: asked(({ options, seats, names, seed }) => replace(engine.game(session.game.name, plain(options)), seats, seed ?? luck(), { names })),
  open({ seat, version, record: text, name = session?.game.name }) {
    if (seat !== undefined) check(seat, version);
    const record = JSON.parse(text);
    if (record.format !== "tilery/1") throw new TileryError("that is no record of a game");
    if (record.game !== name) throw new TileryError(`this page plays ${name}, and that is a game of ${record.game}`);
    const game = engine.game(name, plain(record.rules)), players = Array(game.numPlayers).fill(null);
    const seats = Array.isArray(record.seats) && record.seats.length === players.length ? record.seats.map(bot => known(game, bot)) : players;
    const names = Array.isArray(record.names) && record.names.length === players.length ? record.names : [];
    const tokens = record.actions.split(" ").filter(Boolean), { variations, resigned } = record;
    return replace(game, seats, record.index ? 0 : record.seed ?? 0, { tokens, variations, names, resigned });
  },
  step: done(() => {
    if (session.people.length > 0 || session.actor < 0) throw new TileryError("nobody watches bots play here");
    session.trouble = "";
    session.playBot();
  }),
  async load({ bytes, lessons }) {
    engine = await load(bytes);
    course = lessons;
    return {};
  },
  // Takes the bytes of the game's network, by which the champion plays: its policy gives hints from now on.
  learn({ name, bytes, policy }) {
    const game = engine.game(name);
    game.loadWeights(new Uint8Array(bytes));
    game.free();
    champion = policy;
    return {};
  },
  lesson: asked(({ seat, number }) => {
    if (number === null) {
      const game = aside ?? session;
      aside = null;
      return game === session ? session.view(seat) : goOnWith(game);
    }
    if (!course[number]) throw new TileryError(`there are ${course.length} lessons, not one of number ${number}`);
    const next = new Taught(engine, engine.game(session.game.name, plain(course[number].options)), course, number);
    aside ??= session;
    return goOnWith(next);
  }),
  options: ({ name = session?.game.name }) => ({ options: engine.game(name).options() }),
  view: ({ seat }) => session.view(seat ?? session.people[0] ?? null),
  play: done(({ seat, token }) => {
    if (session.actor !== seat) throw new TileryError(`it is not the turn of player ${seat}`);
    session.play(token);
  }),
  bot({ version }) {
    if (version === session.version && session.actor >= 0 && !session.waitsForPerson && !session.trouble) session.playBot();
    return { version: session.version };
  },
  undo: done(({ seat }) => session.undo(seat)),
  resign: done(({ seat }) => session.resign(seat)),
  back: done(({ number }) => session.goBack(number)),
  position: asked(({ seat, number, turns }) => session.position(seat, number, turns)),
  outlook: asked(({ number }) => {
    if (session.game.hidesInformation) throw new TileryError("hidden cards may count at the end");
    return { scores: session.states[number].scoresIfOver() };
  }),
  preview({ seat, version, token, turns }) {
    check(seat);
    return version === session.version && session.actor === seat ? session.preview(seat, token, turns) : { picture: null };
  },
  why: asked(({ seat, picks }) => {
    if (session.actor !== seat) throw new TileryError(`it is not the turn of player ${seat}`);
    return { why: session.why(picks) };
  }),
  hint: asked(({ version }) => ({ version, hints: session.hints(champion) })),
  seat: asked(({ seat, other, bot }) => {
    if (bot !== null && String(session.people) === String(other)) throw new TileryError("the last person stays, since nobody else can go on with the game");
    session.takeSeat(other, bot);
    return session.view(session.people.includes(seat) ? seat : session.people[0]);
  }),
  record: asked(() => {
    if (session.game.hidesInformation && session.people.length > 1 && session.actor !== TERMINAL) throw new TileryError("the record shows all hands, so it is there when the game is over");
    return { record: session.record() };
  }),
  rules: () => ({ options: session.game.rules }),
  keep: () => ({ record: (aside ?? session).record() }),
};

onmessage = async ({ data: { number, name, data } }) => {
  try {
    postMessage({ number, answer: await calls[name](data) });
  } catch (error) {
    postMessage({ number, error: error.message, stale: error.stale, forbidden: error.forbidden });
  }
};
