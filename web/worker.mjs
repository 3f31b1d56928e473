// The thread of a page that holds its own engine: it handles requests as tilery.play.host does.
import { load, TERMINAL, TileryError } from "./tilery.mjs";
import { Session } from "./session.mjs";

let engine, session;

// The record of a page, to be played on after a reload, or a new game.
function begin({ name, options, seats, seed, record }) {
  const game = engine.game(name, record ? plain(record.rules) : options);
  const before = session;
  const who = record ? record.seats ?? Array(game.numPlayers).fill(null) : seats;
  session = new Session(engine, game, who, record ? record.seed ?? 0 : seed, record?.actions.split(" ").filter(Boolean), record?.variations);
  session.version += before?.version ?? 0;
  before?.game.free();
  return session.view(session.people[0]);
}

// The rules of a record as options that a game is made from: lists are written as JSON.
const plain = rules => Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== null)
  .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : value]));

function check(seat, version) {
  if (!session.people.includes(seat)) throw Object.assign(new TileryError(`seat ${seat} is not a person's`), { forbidden: true });
  if (version !== undefined && version !== session.version) throw Object.assign(new TileryError("the game has moved on"), { stale: true });
}

const calls = {
  begin,
  async load({ bytes }) {
    engine = await load(bytes);
    return {};
  },
  options: ({ name }) => ({ options: engine.game(name).options() }),
  view: ({ seat }) => session.view(seat ?? session.people[0]),
  play({ seat, version, token }) {
    check(seat, version);
    if (session.actor !== seat) throw new TileryError(`it is not the turn of player ${seat}`);
    session.play(token);
    return session.view(seat);
  },
  bot({ version }) {
    if (version === session.version && session.actor >= 0 && !session.waitsForPerson && !session.trouble) session.playBot();
    return { version: session.version };
  },
  undo({ seat, version }) {
    check(seat, version);
    session.undo(seat);
    return session.view(seat);
  },
  back({ seat, version, number }) {
    check(seat, version);
    session.goBack(number);
    return session.view(seat);
  },
  position({ seat, number }) {
    check(seat);
    return session.position(seat, number);
  },
  preview({ seat, version, token }) {
    check(seat);
    return version === session.version && session.actor === seat ? session.preview(seat, token) : { picture: null };
  },
  hint({ seat, version }) {
    check(seat, version);
    return { version, hints: session.hints() };
  },
  seat({ seat, version, other, bot }) {
    check(seat, version);
    if (bot !== null && String(session.people) === String(other)) throw new TileryError("the last person stays, since nobody else can go on with the game");
    session.takeSeat(other, bot);
    return session.view(session.people.includes(seat) ? seat : session.people[0]);
  },
  record({ seat }) {
    check(seat);
    if (session.actor !== TERMINAL) throw new TileryError("the record shows all hands, so it is there when the game is over");
    return { record: session.record() };
  },
  rules: () => ({ options: session.game.rules }),
  keep: () => ({ record: session.record() }),
};

onmessage = async ({ data: { number, name, data } }) => {
  try {
    postMessage({ number, answer: await calls[name](data) });
  } catch (error) {
    postMessage({ number, error: error.message, stale: error.stale, forbidden: error.forbidden });
  }
};
