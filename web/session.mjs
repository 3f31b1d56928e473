// A game in progress in JavaScript, as tilery.play.Session in Python: the same luck, undo and results, so that one page
// serves both.
import { CHANCE, Rng, TERMINAL, TileryError } from "./tilery.mjs";

const FEW = 12; // the most actions that are shown with the points that they give
const HINT = "mcts:2000,memory=256";

// How many tokens two lines begin with alike.
function common(line, other) {
  const at = line.findIndex((token, i) => token !== other[i]);
  return at < 0 ? line.length : at;
}

// Lines and another one, without those that a longer one begins with.
function withLine(lines, line) {
  if (lines.some(each => common(line, each) === line.length)) return lines;
  return [...lines.filter(each => common(each, line) < each.length), line];
}

export class Session {
  // seats: for each player null, a person, or the text of a policy. tokens: of the game so far. variations: of its
  // record. names: of the people, for each player a text or null; [] if nobody has one. resigned: who has given up.
  constructor(engine, game, seats, seed, { tokens = [], variations = [], names = [], resigned = null } = {}) {
    if (seats.length !== game.numPlayers) throw new TileryError(`seats must be one for each of ${game.numPlayers} players, got ${seats.length}`);
    for (const bot of seats) if (bot !== null) game.policy(bot);
    this.engine = engine;
    this.game = game;
    this.seats = [...seats];
    this.seed = seed;
    this.names = names.some(Boolean) ? [...names] : [];
    this.version = 0;
    this.trouble = "";
    this.lines = []; // what was played before going back, from the beginning of the game
    this.finished = null; // the first line that ended the game, with its results
    this.described = new Map(); // picks in words
    this.start();
    for (const token of tokens) this.apply(game.stringToAction(token));
    this.settle();
    this.lines = variations.map(({ after, actions }) => [...tokens.slice(0, after), ...actions.split(" ")]);
    if (this.people.includes(resigned)) this.resigned = resigned;
  }

  describe(pick) {
    if (!this.described.has(pick)) this.described.set(pick, this.game.describePick(pick));
    return this.described.get(pick);
  }

  // An action in words, with the names that a position gives to picks: the labels of its panel.
  wordsOf(action, labels, picks = this.game.picks(action)) {
    return picks.reduce((words, pick) => (pick in labels ? words.replace(this.describe(pick), labels[pick]) : words), this.game.describeAction(action));
  }

  get actor() {
    return this.resigned === null ? this.state.currentPlayer() : TERMINAL;
  }
  // Who has won, those who share the win together; nobody yet: [].
  get winners() {
    const returns = this.state.returns(), best = Math.max(...returns), players = [...returns.keys()];
    if (this.resigned !== null) return players.filter(player => player !== this.resigned);
    return this.state.isTerminal() ? players.filter(player => returns[player] === best) : [];
  }
  get people() {
    return this.seats.flatMap((bot, seat) => (bot === null ? [seat] : []));
  }
  get waitsForPerson() {
    return this.actor >= 0 && this.seats[this.actor] === null;
  }

  // --- What happens. ---

  start(actions = []) {
    const { engine, game, seed } = this, players = [...this.seats.keys()];
    this.version += 1;
    this.resigned = null;
    this.state = game.newInitialState();
    this.states = [this.state.clone()];
    this.moves = [];
    this.chance = Rng.ofPurpose(engine, seed, 0);
    this.luck = players.map(player => Rng.ofPurpose(engine, seed, 1 + player));
    this.arrive();
    for (const action of actions) this.apply(action);
  }

  // Takes the luck of what comes next from the streams.
  arrive() {
    if (this.actor >= 0) {
      this.number = this.luck[this.actor].clone();
      this.luck[this.actor].next();
    } else if (this.actor === CHANCE) this.outcome = this.state.randomAction(this.chance);
  }

  apply(action) {
    const { state } = this, player = this.actor, forced = player !== CHANCE && state.numLegalActions() === 1;
    const seen = this.seats.map((_, p) => state.actionSeenBy(p, action));
    const events = state.scoreEvents(action), words = this.wordsOf(action, player >= 0 ? state.panel(player).labels : {});
    state.apply(action);
    this.moves.push({ player, action, seen, words, forced, events });
    this.states.push(state.clone());
    if (this.actor === TERMINAL) this.finished ??= { line: this.tokens(), scores: state.scores(), returns: state.returns() };
    this.version += 1;
    this.arrive();
  }

  settle() {
    while (this.actor !== TERMINAL) {
      if (this.actor === CHANCE) this.apply(this.outcome);
      else if (this.waitsForPerson && this.state.numLegalActions() === 1) this.apply(this.state.legalActions()[0]);
      else return;
    }
  }

  play(token) {
    if (!this.waitsForPerson) throw new TileryError("no person is to act");
    this.apply(this.game.stringToAction(token));
    this.settle();
  }

  // Lets the bot to act take its action.
  playBot() {
    try {
      this.apply(this.state.choose(this.seats[this.actor], this.number.clone()));
      this.settle();
    } catch (error) {
      this.trouble = `the bot in seat ${this.actor}: ${error.message}`;
      this.version += 1;
    }
  }

  // A person gives up, and all others win.
  resign(player) {
    if (this.actor === TERMINAL || this.seats[player] !== null) throw new TileryError("the game is over");
    this.resigned = player;
    this.version += 1;
  }

  undo(player) {
    if (this.resigned !== null) {
      this.resigned = null;
      this.version += 1;
      return;
    }
    const number = this.moves.findLastIndex(move => move.player === player && !move.forced);
    if (number < 0) throw new TileryError(`player ${player} has not chosen anything yet`);
    if (this.finished && String(this.finished.line) === String(this.tokens())) this.finished = null;
    this.goBack(number);
  }

  goBack(number) {
    if (!this.states[number]) throw new TileryError(`the game has ${this.moves.length} actions, not ${number}`);
    this.lines = withLine(this.lines, this.tokens());
    this.start(this.moves.slice(0, number).map(move => move.action));
    this.settle();
  }

  takeSeat(seat, bot) {
    if (this.seats[seat] === undefined) throw new TileryError(`there is no seat ${seat}`);
    if (bot !== null) this.game.policy(bot);
    this.seats[seat] = bot;
    this.trouble = "";
    this.version += 1;
    this.settle();
  }

  hints(policy = HINT) {
    const { game, state } = this, n = game.numPlayers;
    const { player, actions } = state.analyse(policy, new Rng(this.engine, this.moves.length));
    return actions.slice(0, 3).map(({ action, token, share, utilities }) => ({
      token,
      words: this.wordsOf(action, state.panel(player).labels),
      picks: game.picks(action),
      share,
      wins: (utilities[player] * (n - 1) + 1) / n,
    }));
  }

  tokens() {
    return this.moves.map(move => this.game.actionToString(move.action));
  }

  // The record of the game (rule G-8) as one line of JSON, with the lines that session.py writes.
  record() {
    const { game, seed } = this, present = this.tokens(), { line: main, ...results } = this.finished ?? { line: present };
    const variations = withLine(this.lines, present).map(line => [line, common(line, main)]).filter(([line, after]) => after < line.length);
    return JSON.stringify({
      format: "tilery/1",
      game: game.name,
      rules: game.rules,
      actions: main.join(" "),
      ...results,
      ...(variations.length ? { variations: variations.map(([line, after]) => ({ after, actions: line.slice(after).join(" ") })) } : {}),
      seed,
      index: 0,
      seats: this.seats,
      ...(this.names.length ? { names: this.names } : {}),
      ...(this.resigned === null ? {} : { resigned: this.resigned }),
    });
  }

  // What the page says of the lesson of a tutorial; null for a game.
  get lesson() {
    return null;
  }

  // --- What a seat may know: view.py in JavaScript. ---

  // An action as a player saw it, -1 for one they could not see; null sees all.
  seen(move, viewer) {
    return viewer === null ? move.action : move.seen[viewer];
  }

  // Made once for each version: a page asks for it in several ways.
  view(viewer) {
    if (this.viewed?.version !== this.version || this.viewed.viewer !== viewer) this.viewed = this.makeView(viewer);
    return this.viewed;
  }

  makeView(viewer) {
    const { game, state } = this, mine = this.actor === viewer;
    const actions = mine ? state.legalActions().map(action => [action, game.picks(action)]) : [];
    const picks = [...new Set(actions.flatMap(([, path]) => path))], here = this.position(viewer, this.moves.length);
    return {
      version: this.version,
      game: game.name,
      players: game.numPlayers,
      viewer,
      seats: this.seats,
      people: this.people,
      names: this.names,
      hides: game.hidesInformation,
      fewest: game.fewestPointsWin,
      actor: this.actor,
      resigned: this.resigned,
      lesson: this.lesson,
      moves: this.moves.map(move => [move, this.seen(move, viewer)]).map(([{ player, words, events, forced }, action]) => (action < 0
        ? [player, "*?", "something hidden", events, [], false]
        : [player, game.actionToString(action), words, events, player < 0 ? [] : game.picks(action), forced && player === viewer])),
      ...here,
      actions: actions.map(([action, path]) => ({
        token: game.actionToString(action), words: this.wordsOf(action, here.panel.labels, path), picks: path,
        ...(actions.length <= FEW ? { events: this.shown(viewer).scoreEvents(action) } : {}),
      })),
      labels: Object.fromEntries([...picks, ...here.panel.spots].map(pick => [pick, here.panel.labels[pick] ?? this.describe(pick)])),
      trouble: this.trouble,
      thinking: this.people.length > 0 && !this.lesson && this.actor >= 0 && !this.waitsForPerson && !this.trouble,
      seconds: 0,
    };
  }

  // A state that shows a player who is to act no more than they know: what is hidden from them is drawn again.
  shown(viewer) {
    if (viewer !== this.actor || !this.game.hidesInformation) return this.state;
    return this.state.determinize(viewer, new Rng(this.engine, 0));
  }

  preview(viewer, token, turns = 0) {
    const { game } = this, action = game.stringToAction(token), state = this.shown(viewer), after = state.clone();
    after.apply(action);
    const panel = after.panel(viewer), few = after.currentPlayer() === viewer && after.numLegalActions() <= FEW;
    return {
      picture: this.state.picture({ player: viewer, part: "board", ghost: action, turns }),
      panel,
      events: state.scoreEvents(action),
      actor: after.currentPlayer(),
      next: (few ? after.legalActions() : []).map(each => ({ words: this.wordsOf(each, panel.labels), events: after.scoreEvents(each) })),
    };
  }

  // Why no action with these picks is legal; "" if one is, or if none has them.
  why(picks) {
    let found = "";
    for (let action = 0; action < this.game.numDistinctActions; action += 1) {
      const path = this.game.picks(action);
      if (!picks.every(pick => path.includes(pick))) continue;
      const reason = this.state.whyIllegal(action);
      if (!reason) return "";
      found ||= reason;
    }
    return found;
  }

  position(viewer, number, turns = 0) {
    const state = this.states[number];
    if (!state) throw new TileryError(`the game has ${this.moves.length} actions, not ${number}`);
    const taken = this.moves.slice(0, number).filter(move => move.player >= 0 && this.seen(move, viewer) >= 0);
    const latest = taken.slice(-2).filter(move => move.player === taken.at(-1).player).reverse();
    const player = viewer ?? undefined; // all hands
    const drawn = last => state.picture({ player, last, targets: true, part: "board", turns });
    const plain = drawn(-1);
    return {
      number,
      picture: latest.map(move => drawn(move.action)).find(picture => picture !== plain) ?? plain,
      panel: state.panel(player),
      text: state.toString(player),
      scores: state.scores(),
      winners: number === this.moves.length ? this.winners : [],
    };
  }
}

// A lesson, as tilery.tutorial.Taught in Python: player 0 is a person, and only what is right is played.
export class Taught extends Session {
  constructor(engine, game, course, number) {
    const lesson = course[number], before = lesson.actions.split(" ").filter(Boolean);
    super(engine, game, [null, ...Array(game.numPlayers - 1).fill("random")], 0, { tokens: before });
    Object.assign(this, { taught: lesson, place: number, count: course.length, puzzles: course.filter(each => each.title !== "Puzzle").length, before: before.length });
  }

  get lesson() {
    const { title, text, rule, why } = this.taught, done = this.moves.length > this.before;
    return { number: this.place, count: this.count, puzzles: this.puzzles, title, text, rule, done, why: done ? why : "" };
  }

  play(token) {
    this.game.stringToAction(token);
    if (this.lesson.done || !new RegExp(`^(?:${this.taught.do})$`).test(token)) throw new TileryError(`Not quite. ${this.taught.text}`);
    super.play(token);
  }

  goBack() {
    super.goBack(this.before);
  }
}
