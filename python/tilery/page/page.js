// The page: one game as one seat may know it, drawn from what a transport returns.
import { Drawing, Symbols, arrange } from "./drawing.js";
import { Replay, signed } from "./replay.js";
import { buttonOf, kept, make, setUp } from "./setup.js";
import { Steps } from "./steps.js";
import { Zoom, boxAround } from "./zoom.js";

const OVER = -4; // the actor of a game that is over
const NARROW = 760; // pixels: what is beside the board goes below it
const PACE = 300; // milliseconds for which each move of others is shown
const WHEEL = 120; // milliseconds between two turns by the wheel
const IMPATIENT = 1.5; // seconds of thinking after which a bot can be told to move
const READABLE = 11; // pixels
const TURN = 60; // pixels of a drag that turns a solid by a quarter
const pointsFor = (player, events) => events.filter(event => event.player === player).reduce((sum, { points }) => sum + points, 0);
const drawingOf = ({ picture, panel }) => picture + JSON.stringify(panel.groups);
const kindOf = pick => pick.split(":")[0];
const lastOf = (moves, player) => moves.findLastIndex(([mover]) => mover === player); // -1: that of anybody
const sideOf = picture => Number(picture?.match(/data-solid="(\d)"/)?.[1]); // not a number for what is no solid
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
// By how much larger an element of a drawing is than it says, as its attributes tell: the browser need not lay out anything.
const scaleOf = element => Array.from(element.transform.baseVal).reduce((scale, { matrix: { a, b } }) => scale * Math.hypot(a, b), element.tagName === "svg" ? 1 : scaleOf(element.parentNode));
const wait = seconds => new Promise(done => setTimeout(done, 1000 * seconds));

export class Page {
  // transport.request(name, data) returns what tilery.play.host returns. root: the element with the markup of the page.
  // full: whether the document is there for this page alone.
  constructor(transport, root, full = false) {
    this.transport = transport;
    this.root = root;
    this.full = full;
    this.find = selector => root.querySelector(selector);
    this.view = null;
    this.seat = null; // the first person's
    this.steps = new Steps([]);
    this.hints = [];
    this.hovered = null; // {pick, left}: what the pointer is on, and the actions that it may begin
    this.shown = null; // the position looked at instead of the present one
    this.uncovered = false; // whether hands may be shown to the seat
    this.touch = false;
    this.life = new AbortController(); // of the page
    this.keys = false; // whether the person chooses by keys
    this.ghost = null; // the token of the action that is previewed
    this.previews = new Map();
    this.turned = 0; // which of the actions left is previewed
    this.queue = []; // numbers of the positions after moves of others that are still to be shown
    this.replaying = null; // the picture of the position after a move of others that is shown
    this.side = null; // that a solid is seen from, if the person has turned it
    this.turns = 0; // by how many quarters it was turned for that last; often right for the next picture
    this.symbols = new Symbols(this.find("#symbols defs"));
    this.board = new Drawing(this.find("#board"), this.symbols);
    this.finger = matchMedia("(pointer: coarse)").matches ? 44 : 24; // pixels that can be hit
    this.smallTargets = new Set(); // picks of targets that are smaller
    this.groups = new Map(); // of the panel: by whose they are and what is written above them but numbers, {section, shown: [thing as JSON, element]}
    this.things = new Map(); // what the panel shows in the place of a pick
    this.lit = []; // places that points were for
    this.gains = []; // points by the person's last move and since, by seat
    this.listed = []; // the lines of the list of moves, as texts
    this.watching = true; // where nobody plays: whether the bots play on
    this.replay = transport.replay ? new Replay(this, transport.replay) : null; // of a recorded game
  }

  async run() {
    this.find("#hint").onclick = () => this.askHint();
    this.find("#undo").onclick = () => this.send("undo");
    this.find("#resign").onclick = () => this.send("resign");
    this.find("#new").onclick = () => this.attempt(() => this.begin());
    this.find("#open").onchange = event => this.openRecord(event.target);
    this.find("#record").onclick = () => this.attempt(() => this.saveRecord());
    this.find("#share").onclick = () => this.attempt(async () => {
      const { record } = await this.ask("record");
      this.find("#say").textContent = await this.transport.share(record);
    });
    this.find("#rule").onclick = () => this.attempt(() => this.showRules());
    this.find("#seats").onpointerenter = () => this.foresee();
    this.find("#seats").onpointerover = event => this.showTheirs([...this.find("#seats").children].indexOf(event.target.closest("li")));
    this.find("#seats").onpointerleave = () => this.showTheirs(-1);
    for (const button of this.find("#turn").children) button.onclick = () => this.turnSolid(Number(button.value));
    this.find("#teach").onclick = () => this.send("lesson", { number: this.view?.lesson ? null : 0 });
    this.find("#cover button").onclick = () => this.uncover();
    this.find("#cover").addEventListener("cancel", event => event.preventDefault());
    this.zoom = new Zoom(this.find("#board"), () => {
      this.legible();
      this.reachable();
    });
    this.find("#pace").value = this.pace;
    this.find("#pace").onchange = event => kept("tilery-pace", event.target.value);
    this.find("#board").addEventListener("wheel", event => this.wheeled(event), { capture: true, passive: false });
    this.find("#board").addEventListener("pointerdown", event => { this.grabbed = event.clientX; });
    this.find("#board").addEventListener("pointermove", event => this.dragged(event));
    for (const part of ["#board", "#panel", "#choices"]) {
      const element = this.find(part);
      element.addEventListener("click", event => { if (this.skip()) event.stopPropagation(); }, { capture: true });
      element.addEventListener("pointerdown", event => {
        this.touch = event.pointerType !== "mouse";
        this.keys = false;
      });
      element.addEventListener("click", event => this.clicked(event.target.closest(".on") ?? event.target.closest("[data-pick], [data-spot]")));
      element.addEventListener("pointerover", event => { if (event.pointerType === "mouse") this.pointed(event.target.closest("[data-pick]")); });
      element.addEventListener("pointermove", event => this.explain(event));
      element.addEventListener("pointerleave", event => {
        this.explain(event);
        this.preview(this.planned);
      });
    }
    (this.full ? document : this.root).addEventListener("keydown", event => this.pressed(event), { signal: this.life.signal });
    this.resized();
    this.sizes = new ResizeObserver(() => this.resized());
    for (const element of [this.root, this.find("#board")]) this.sizes.observe(element);
    while (!this.life.signal.aborted) {
      try {
        const version = this.view?.version ?? -1;
        await this.take(await this.ask("view", { version }));
        if (this.find("#error").dataset.kind === "gone") this.find("#error").hidden = true;
      } catch (error) {
        if (error.forbidden) this.seat = null;
        else this.fail(error);
        await wait(error.forbidden ? 0 : 2);
      }
    }
  }

  end() {
    this.life.abort();
    clearTimeout(this.impatience);
    clearTimeout(this.next);
    this.sizes.disconnect();
  }

  resized() {
    this.root.classList.toggle("narrow", this.root.clientWidth <= NARROW);
    const narrow = this.root.classList.contains("narrow"), { clientWidth, clientHeight } = this.find("#board");
    const before = this.size;
    this.size = `${clientWidth} ${narrow ? "" : clientHeight}`; // when narrow the board is as high as what is offered
    if (this.size !== before) this.zoom.start();
    if (!this.drawn) return;
    this.zoom.measure();
    this.zoom.show();
    this.legible();
    this.reachable();
    if (this.size !== before) this.offer();
  }

  // Takes a view, unless it is older than the one there is, or that of a person who is not to act.
  async take(view) {
    if (this.side !== null) await this.redraw(view);
    const { viewer, actor, people } = view, person = people.includes(actor);
    const shared = view.hides && people.length > 1 && actor !== OVER; // by people who may not see each other's cards
    if (this.view && viewer === this.view.viewer && view.version < this.view.version) return;
    if (person && this.seat !== actor) {
      this.seat = actor;
      this.uncovered = false;
    }
    if (person && viewer !== actor) {
      if (shared && !this.uncovered) this.cover();
      else await this.look();
      return;
    }
    const news = !this.view || view.version !== this.view.version || viewer !== this.view.viewer;
    const before = this.view?.viewer === viewer && !shared ? this.view.moves : null, picture = this.view?.picture;
    // The response to a move, and to the request for news that it ends, are often the same view.
    const known = !news && this.drawn === drawingOf(view) && ["trouble", "seconds"].every(key => view[key] === this.view[key])
      && String(view.seats) === String(this.view.seats);
    if (news) {
      const events = view.moves.slice(lastOf(view.moves, viewer)).flatMap(([, , , events]) => events);
      this.lit = events.flatMap(({ on }) => on);
      this.gains = view.scores.map((_, player) => pointsFor(player, events));
      view.actions.forEach((action, i) => { action.price = view.panel.prices?.[i] ?? 0; });
      this.steps = new Steps(view.lesson?.done ? [] : view.actions);
      this.previews.clear();
      if (this.ghost !== null) this.drawn = null; // what is drawn is another position
      this.ghost = null;
      this.turned = 0;
      this.hints = [];
      this.shown = await this.replay?.begin(view) ?? null;
      this.find("#error").hidden = true;
    }
    this.view = view;
    this.heard = Date.now();
    clearTimeout(this.impatience);
    if (view.thinking) this.impatience = setTimeout(() => { if (!this.replaying && !this.find("#cover").open) this.drawChoices(); }, 1000 * IMPATIENT + 50);
    this.seat = viewer;
    if (shared && !this.uncovered) this.cover();
    else if (!known) this.draw();
    this.root.dataset.ready = view.version;
    this.root.dataset.over = view.actor === OVER ? "yes" : "";
    if (before && news) this.show(before, view.moves, picture);
    if (before && news && view.actor === OVER) this.find("aside").scrollTop = 0; // how it ended is said at the top
    if (news) this.tell(view);
    this.watch();
  }

  // Tells the page around the board.
  tell({ version, actor, scores, winners, moves }) {
    for (const name of ["tilery-change", ...(actor === OVER ? ["tilery-over"] : [])]) {
      this.root.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail: { version, actor, scores, winners, moves } }));
    }
  }

  // --- What the others did since. ---

  // Milliseconds for each move; 0 shows the last position at once.
  get pace() {
    return Number(kept("tilery-pace") ?? PACE);
  }

  // Shows the moves of others one by one.
  async show(before, moves, picture) {
    if (moves.length <= before.length || String(moves.slice(0, before.length)) !== String(before)) {
      this.queue = [];
      return;
    }
    const others = [...moves.keys()].filter(i => i >= before.length && moves[i][0] >= 0 && moves[i][0] !== this.seat);
    if (this.view.people.length === 0) return; // the pace is that of the bots
    this.queue.push(...others.map(i => i + 1));
    if (this.replaying || this.pace === 0 || this.queue.length < 2) {
      if (!this.replaying) this.queue = [];
      return;
    }
    this.drawPicture(this.replaying = picture);
    while (this.queue.length > 0 && !this.life.signal.aborted) {
      const number = this.queue.shift(), [player, , words] = this.view.moves[number - 1] ?? [];
      const shown = await this.seen("position", { number }).catch(() => null);
      if (!shown || !this.replaying || words === undefined) break;
      this.drawPicture(this.replaying = shown.picture);
      this.find("#say").textContent = `${this.name(player)}: ${words}`;
      await wait(this.pace / 1000);
    }
    if (this.replaying) this.skip();
  }

  // Ends the show; returns whether there was one.
  skip() {
    if (!this.replaying) return false;
    this.replaying = null;
    this.queue = [];
    this.ghost = null;
    this.drawn = null;
    this.draw();
    return true;
  }

  // Fetches the present position for the seat.
  look() {
    return this.attempt(async () => this.take(await this.ask("view", { version: -1 })));
  }

  // Hides what the person before may know until the next one is at the screen.
  cover() {
    for (const part of ["#board", "#panel", "#choices", "#brings", "#hints", "#moves", "#say", "#text pre"]) this.find(part).replaceChildren();
    this.drawn = this.ghost = null; // a preview that comes now is not shown
    this.find("#cover p").textContent = `${this.view?.names[this.seat] ?? `Player ${this.seat}`}, show your cards when only you can see the screen.`;
    if (!this.find("#cover").open) this.find("#cover").showModal();
  }

  uncover() {
    this.find("#cover").close();
    this.uncovered = true;
    this.look();
  }

  // --- Requests. ---

  ask(name, data = {}) {
    return this.transport.request(name, { seat: this.seat, ...data });
  }

  async attempt(work) {
    try {
      await work();
    } catch (error) {
      if (error.stale) await this.look();
      this.fail(error);
    }
  }

  fail(error) {
    this.find("#error").textContent = error.message;
    this.find("#error").dataset.kind = error.gone ? "gone" : "";
    this.find("#error").hidden = false;
  }

  // One change at a time: what is clicked before the answer is there would be about a position that has passed.
  async send(name, data = {}) {
    if (this.root.dataset.busy) return;
    this.root.dataset.busy = "yes";
    await this.attempt(async () => this.take(await this.ask(name, { version: this.view.version, ...data })));
    delete this.root.dataset.busy;
    this.watch(); // a view taken meanwhile may have found it busy
  }

  async askHint() {
    if (this.seat === null || this.view.actor !== this.seat) return;
    this.find("#hint").disabled = true;
    await this.attempt(async () => {
      const { version, hints } = await this.ask("hint", { version: this.view.version });
      if (version === this.view.version) this.hints = hints;
    });
    this.draw();
    this.find("#hints").scrollIntoView({ block: "nearest" });
  }

  async lookAt(number) {
    await this.attempt(async () => {
      this.shown = number < this.view.moves.length ? await this.seen("position", { number }) : null;
    });
    this.draw();
    this.watch();
  }

  // The answer to a request for a picture, from the side that the person chose.
  async seen(name, data) {
    const ask = turns => this.ask(name, { ...data, turns }), { turns } = this, answer = await ask(turns);
    const by = this.side === null ? 0 : (this.side - sideOf(answer.picture) + 4) % 4;
    if (!(by > 0)) return answer;
    this.turns = (turns + by) % 4;
    return ask(this.turns);
  }

  // Gives a position the picture from the side that is chosen when that arrives.
  async redraw(position) {
    let side;
    do {
      ({ side } = this);
      ({ picture: position.picture } = await this.seen("position", { number: position.number }));
    } while (side !== this.side);
  }

  // A drag across a solid that is not looked at closer turns it.
  dragged(event) {
    const by = event.clientX - this.grabbed;
    if (event.buttons === 0 || this.zoom.scale > 1 || this.find("#turn").hidden || !(Math.abs(by) > TURN)) return;
    this.grabbed = event.clientX;
    this.zoom.moved = true; // and is no click
    this.turnSolid(by < 0 ? -1 : 1);
  }

  // Turns what is drawn as a solid by quarters; from then on it is seen from the same side.
  async turnSolid(by) {
    const at = this.shown ?? this.view;
    if (!at || this.find("#turn").hidden) return;
    this.side = ((this.side ?? sideOf(at.picture)) + by + 4) % 4;
    this.previews.clear();
    await this.attempt(() => this.redraw(at));
    if (at === this.view || at === this.shown) this.draw();
  }

  async saveRecord() {
    const { record } = await this.ask("record");
    const address = URL.createObjectURL(new Blob([record + "\n"], { type: "application/jsonl" }));
    make("a", { href: address, download: `${this.view.game}.jsonl` }).click();
    URL.revokeObjectURL(address);
  }

  // The rules by number, the options of this game, and what the symbols in sight mean.
  async showRules() {
    const { rules, options } = await this.ask("rules");
    const dialog = this.find("#rules"), text = value => (typeof value === "string" ? value : JSON.stringify(value));
    dialog.querySelector("ul").replaceChildren(...Object.entries(options).map(([name, value]) => make("li", { textContent: `${name}: ${text(value)}` })));
    dialog.querySelector("article").innerHTML = rules;
    dialog.querySelector("dl").replaceChildren(...[...new Set([...this.board.ids, ...this.panelIds])].flatMap(id => {
      const symbol = make("dt", { innerHTML: `<svg width="40" height="40" aria-hidden="true"><use href="#${id}"/></svg>` });
      const words = this.symbols.meaning(symbol.querySelector("use"));
      return words ? [symbol, make("dd", { textContent: this.named(words) })] : [];
    }));
    dialog.showModal();
    for (const svg of dialog.querySelectorAll("dt svg")) {
      const { x, y, width, height } = svg.getBBox();
      svg.setAttribute("viewBox", `${x - 1} ${y - 1} ${width + 2} ${height + 2}`);
    }
  }

  // Asks who plays by which rules, and begins a game. The one before stays in the file, if there is one.
  async begin() {
    const { options, levels = [] } = await this.ask("options"), { options: rules } = await this.ask("rules");
    setUp(this.find("#setup"), options, levels, { rules, seats: this.view.seats, names: this.view.names }, data => this.send("begin", data));
  }

  // Shows what each player would have if the game ended here.
  async foresee() {
    const { view, shown } = this, number = shown?.number ?? view?.moves.length;
    if (!view || view.hides || view.actor === OVER) return;
    const { scores } = await this.ask("outlook", { number }).catch(() => ({ scores: [] }));
    if (this.view !== view || this.shown !== shown) return;
    [...this.find("#seats").children].forEach((seat, player) => {
      if (scores[player] !== undefined) seat.querySelector("small").textContent = `${scores[player]} if it ended now`;
    });
  }

  async openRecord(input) {
    const [file] = input.files, lines = file ? (await file.text()).trim().split("\n") : [];
    input.value = "";
    if (file) await this.send("open", { record: lines.at(-1) });
  }

  // Where nobody plays, asks for the next move after the pace of moves.
  watch() {
    clearTimeout(this.next);
    const { view } = this;
    if (view.people.length > 0 || view.actor < 0 || view.thinking || view.trouble || this.shown || !this.watching) return;
    this.next = setTimeout(() => this.send("step"), this.pace);
  }

  // --- Choosing. ---

  clicked(target) {
    if (!target || this.shown || this.root.dataset.busy) return;
    const { pick, spot = pick } = target.dataset;
    if (this.steps.instead.has(pick) || new Steps(this.steps.actions).next.has(pick)) this.pick(pick);
    else this.attempt(() => this.askWhy(spot));
  }

  // Says why what was pointed at is not possible.
  async askWhy(spot) {
    if (this.seat === null || this.view.actor !== this.seat) return;
    const { why } = await this.ask("why", { version: this.view.version, picks: [...this.steps.path, spot] });
    this.find("#say").textContent = why ? `Not possible: ${why}` : "That is no part of an action now.";
  }

  // The action that is shown before it is played: a whole one that waits for its confirmation, or one of those that are
  // left when the board has nothing more to point at.
  get planned() {
    const { steps } = this;
    if (this.shown || !this.view || this.view.actor !== this.seat) return null;
    if (steps.action) return steps.action;
    if (!steps.chosen || [...steps.next.keys()].some(pick => this.onBoard.has(pick))) return null;
    return this.turnedOf(steps.left);
  }

  turnedOf(actions) {
    return actions[((this.turned % actions.length) + actions.length) % actions.length];
  }

  get onBoard() {
    return new Set(Array.from(this.find("#board").querySelectorAll("[data-pick]"), each => each.dataset.pick));
  }

  // Shows the board as it would be after an action, and says words with it; null shows it as it is.
  async preview(action, words) {
    const token = action?.token ?? null, say = () => { if (words !== undefined) this.find("#say").textContent = words; };
    if (token === this.ghost || this.replaying) return say();
    this.ghost = token;
    if (token !== null && !this.previews.has(token)) {
      const answer = await this.seen("preview", { version: this.view.version, token }).catch(() => null);
      if (!answer?.picture) return undefined; // the game has moved on
      this.previews.set(token, answer);
    }
    if (token !== this.ghost || this.replaying) return undefined;
    say(); // not before: the board would be drawn twice
    const shown = this.previews.get(token), panel = shown?.panel, fits = panel?.groups.length === this.view.panel.groups.length;
    this.drawBrings(shown);
    this.drawPicture(shown?.picture, fits ? panel : undefined); // with a panel of another size what is read would jump
    if (!shown) this.drawBadges();
    this.root.dataset.preview = token ?? "";
    return undefined;
  }

  // Shows a picture and a panel in the place of those of the position, if there are any.
  drawPicture(picture, panel) {
    const at = this.shown ?? this.view;
    this.drawPanel(panel ?? at.panel, panel !== undefined); // first: it measures what was there
    this.board.show(picture ?? at.picture, picture !== undefined);
    this.zoom.show();
    this.legible();
  }

  // Points in words, those of one source and player together: "+4 you: cities (CA-12)".
  pointsOf(events) {
    const lines = new Map();
    for (const { player, points, source, rule, on } of events) {
      const key = `${player} ${source} ${rule}`, line = lines.get(key) ?? { player, source, rule, points: 0, on: [] };
      lines.set(key, { ...line, points: line.points + points, on: [...line.on, ...on] });
    }
    return [...lines.values()].map(line => ({ ...line, words: `${signed(line.points)} ${this.name(line.player)}: ${line.source} (${line.rule})` }));
  }

  // The points of the previewed action, and what comes after it.
  drawBrings(shown) {
    const lines = shown ? this.pointsOf(shown.events).map(({ words }) => words) : [];
    const next = shown?.next ?? [], scoring = next.filter(({ events }) => events.length > 0);
    for (const { words, events } of scoring) lines.push(`then ${words}: ${this.sums(events)}`);
    if (scoring.length > 0 && scoring.length < next.length) lines.push("then anything else: no points");
    if (shown && lines.length === 0) {
      const { panel: { title }, actor } = shown, other = actor >= 0 && actor !== this.seat;
      lines.push(`then: ${other ? `${this.name(actor)}, ` : ""}${title.replace(/^[^:]*: /, "")}`);
    }
    this.find("#brings").replaceChildren(...lines.map(textContent => make("li", { textContent })));
  }

  // The points of each player: "+3 you, +1 greedy".
  sums(events) {
    const sums = this.view.scores.map((_, player) => pointsFor(player, events));
    return sums.flatMap((points, player) => (points === 0 ? [] : [`${signed(points)} ${this.name(player)}`])).join(", ") || "no points";
  }

  // The next of the actions that can be previewed, such as the tile turned.
  turn(by = 1) {
    this.turned += by;
    this.preview(this.planned);
    this.drawChoices();
  }

  // The wheel turns what the pointer shows, if it can be turned; otherwise it looks closer.
  wheeled(event) {
    const hovered = this.hovered && !this.planned && !this.shown && !this.root.dataset.busy;
    if (!hovered && !(this.planned && !this.steps.action && this.steps.left.length > 1)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.timeStamp - (this.wheeledAt ?? 0) < WHEEL) return; // a touchpad sends many
    this.wheeledAt = event.timeStamp;
    const by = event.deltaY < 0 ? -1 : 1;
    if (!hovered) return this.turn(by);
    this.turned += by;
    return this.preview(this.turnedOf(this.hovered.left), this.labelOf([this.turnedOf(this.hovered.left)]));
  }

  // On touch screens a whole action waits for its confirmation: a second tap, or the button.
  pick(pick) {
    if (this.steps.action && this.steps.path.at(-1) === pick) return this.confirm();
    if (this.steps.path.at(-1) === pick && this.planned) return this.turn();
    if (this.steps.action) this.steps.back();
    if (!this.steps.next.has(pick) && this.steps.chosen) { // another beginning
      const again = new Steps(this.steps.actions);
      if (again.next.has(pick)) this.steps = again;
    }
    if (!this.steps.next.has(pick)) return this.draw();
    if (this.hovered?.pick !== pick) this.turned = 0;
    this.hovered = null;
    if (this.steps.pick(pick) && !this.touch) return this.confirm();
    return this.draw(true);
  }

  confirm() {
    const { planned } = this;
    return planned && this.send("play", { token: planned.token });
  }

  back() {
    if (this.shown) this.lookAt(this.view.moves.length);
    else if (this.steps.chosen) this.steps.back();
    else this.hints = [];
    this.turned = 0;
    this.draw(true);
  }

  pointed(target) {
    this.hovered = null;
    if (!target || this.shown || !this.steps.next.has(target.dataset.pick)) return;
    if (!this.planned) this.turned = 0;
    const left = this.steps.left.filter(action => action.picks[this.steps.path.length] === target.dataset.pick);
    // The first of several is shown where they differ in what is picked next to the board.
    const apart = left.length > 1 && left.some(action => this.onBoard.has(action.picks[this.steps.path.length + 1]));
    const turns = left.length > 1 && !apart && target.closest("#board"), first = this.labelOf([left[0]]);
    if (!apart && left.length > 1) this.hovered = { pick: target.dataset.pick, left };
    this.preview(apart ? null : left[0], turns ? `${first}; the wheel shows others` : this.labelOf(left, target.dataset.pick));
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || this.find("dialog[open]")) return undefined;
    const [at] = event.composedPath();
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)) return undefined;
    const target = at.closest?.("[data-pick]");
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const turn = { "[": -1, "]": 1 }[event.key];
    if (turn) return this.turnSolid(turn);
    if (this.skip()) return undefined;
    if (this.replay?.pressed(event.key)) return event.preventDefault();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && (this.shown || (step < 0 && !target))) this.stepTo(step);
    else if (event.key === "Escape" && !this.replay) this.back();
    else if (event.key === "r" && this.planned) this.turn();
    else if (event.key === "u" && this.seat !== null) this.send("undo");
    else if (event.key === "h") this.askHint();
    else if (event.key === "?") this.attempt(() => this.showRules());
    else if (this.zoom.pressed(event.key)) ;
    else if (moves[event.key] && !this.replay) this.moveFocus(target, moves[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && target && target.tagName !== "BUTTON") {
      this.touch = false;
      this.keys = true;
      this.clicked(target);
    } else return undefined;
    return event.preventDefault();
  }

  // Shows the position that many actions later, or earlier if `step` is negative.
  stepTo(step) {
    const count = this.view.moves.length, at = this.shown?.number ?? count, number = Math.max(0, Math.min(count, at + step));
    if (number !== at) this.lookAt(number);
  }

  // To the nearest target in a direction.
  moveFocus(from, [dx, dy]) {
    this.keys = true;
    const middle = element => {
      const box = element.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const targets = [...this.root.querySelectorAll("#board .on, #choices [data-pick]")];
    if (!from) return targets[0]?.focus();
    const [x, y] = middle(from);
    const far = element => {
      const [u, v] = middle(element), along = (u - x) * dx + (v - y) * dy, across = Math.abs((u - x) * dy + (v - y) * dx);
      return along < 2 ? Infinity : along + 2 * across;
    };
    const nearest = targets.filter(each => each !== from).sort((a, b) => far(a) - far(b))[0];
    if (nearest && far(nearest) < Infinity) nearest.focus();
    return undefined;
  }

  // --- What things are, and cost. ---

  // A text of the engine with the names of players.
  named(words) {
    return words.replace(/(player (\d))('s)?/gi, (found, plain, player, own = "") => {
      const name = this.name(Number(player));
      if (name === plain.toLowerCase()) return found;
      return name === "you" && own ? "your" : name + own;
    });
  }

  // The price of actions, as "2" or "1–3", with the unit if it is wanted; "" if nothing.
  priceOf(actions, unit = "") {
    const prices = actions.map(({ price }) => price ?? 0), [low, high] = [Math.min(...prices), Math.max(...prices)];
    if (high <= 0) return "";
    return `${low < high ? `${low}\u2013` : ""}${high}${unit && ` ${high === 1 ? unit.replace(/s$/, "") : unit}`}`;
  }
  // An action in words, or the pick with which several go on, and what they cost.
  labelOf(actions, pick) {
    const price = this.priceOf(actions, this.view.panel.unit);
    return (actions.length === 1 ? actions[0].words : this.view.labels[pick]) + (price && ` (${price})`);
  }

  // Says next to the pointer what a symbol means, unless a preview is there, and who would get points for the place.
  explain(event) {
    const tip = this.find("#tip"), { clientX: x, clientY: y } = event;
    const away = event.pointerType !== "mouse" || event.type === "pointerleave" || !this.view;
    const under = away ? [] : this.root.getRootNode().elementsFromPoint(x, y);
    const place = under.map(({ dataset }) => dataset?.pick ?? dataset?.spot).find(Boolean);
    const events = ((this.shown ?? this.view)?.panel.standing ?? []).filter(({ on }) => on.includes(place));
    const lines = this.ghost === null ? under.map(each => this.symbols.meaning(each)).filter(Boolean).slice(0, 1).map(words => this.named(words)) : [];
    lines.push(...this.pointsOf(events).map(({ words }) => `${words}, if the game ended now`));
    tip.hidden = lines.length === 0;
    tip.replaceChildren(...lines.map(textContent => make("div", { textContent })));
    const { offsetWidth, offsetHeight } = tip;
    tip.style.left = `${Math.max(4, Math.min(x + 16, document.documentElement.clientWidth - offsetWidth - 4))}px`;
    tip.style.top = `${y + 20 + offsetHeight > innerHeight ? y - offsetHeight - 8 : y + 20}px`;
    if (place === this.described) return;
    this.described = place;
    for (const element of this.find("#board").querySelectorAll("[data-pick], [data-spot]")) {
      const owner = events.find(({ on }) => on.includes(element.dataset.pick ?? element.dataset.spot))?.player;
      element.classList.toggle("owned", owner !== undefined);
      element.style.setProperty("--owner", this.view.panel.players[owner]?.colour ?? "");
    }
  }

  // Lights up what a player has on the board and beside it; -1 for nobody.
  showTheirs(player) {
    this.root.classList.toggle("whose", player >= 0);
    for (const element of this.root.querySelectorAll("#board :is(use, [data-seat]), #panel [data-seat]")) {
      const theirs = element.dataset.seat ?? this.symbols.meaning(element)?.match(/player (\d)/)?.[1];
      element.classList.toggle("theirs", theirs === String(player));
    }
  }

  // --- Drawing. ---

  draw(focus = false) {
    if (!this.view || this.find("#cover").open) return;
    const focused = this.root.getRootNode().activeElement;
    this.replay?.draw();
    this.drawSeats();
    this.drawBoard();
    this.drawLesson();
    this.drawChoices();
    this.drawHints();
    this.drawMoves();
    this.drawSheet();
    this.find("#text pre").textContent = (this.shown ?? this.view).text;
    const mine = this.view.actor === this.seat && !this.shown;
    this.find("#hint").disabled = !mine;
    this.find("#undo").disabled = this.view.resigned === null && !this.view.moves.some(([player]) => player === this.seat);
    this.find("#record").hidden = this.view.hides && this.view.people.length > 1 && this.view.actor !== OVER;
    this.find("#resign").hidden = this.seat === null || this.view.actor === OVER || Boolean(this.view.lesson);
    this.find("#review").hidden = this.view.actor !== OVER || Boolean(this.view.lesson) || !this.transport.review;
    this.find("#review").href = this.transport.review ?? "";
    this.find("#share").hidden = this.view.actor !== OVER || !this.transport.share;
    const [title] = this.view.panel.title.match(/^[^:,]+/);
    this.find("#title").textContent = title[0].toUpperCase() + title.slice(1);
    if (this.full) document.title = this.find("#title").textContent;
    if (focus && mine && this.keys) this.find("#choices .go, #board .on, #choices [data-pick]")?.focus();
    else if (focused && !this.root.getRootNode().activeElement) this.root.focus({ preventScroll: true }); // its element has gone
    this.preview(this.planned);
  }

  name(player) {
    if (player < 0) return "chance";
    if (this.view.names[player]) return this.view.names[player];
    const bots = this.view.seats.map(bot => bot?.split(",")[0]), bot = bots[player];
    if (bot) return bots.indexOf(bot) === bots.lastIndexOf(bot) ? bot : `${bot} (player ${player})`;
    return this.view.people.length === 1 ? "you" : `player ${player}`;
  }

  drawSeats() {
    const { scores, panel, winners } = this.shown ?? this.view, heads = this.seatHeads();
    this.find("#seats").replaceChildren(...scores.map((points, player) => make("li", {
      className: `seat${player}${this.view.actor === player ? " to-act" : ""}${winners.includes(player) ? " winner" : ""}`,
      title: panel.players[player]?.lines.join("; ") ?? "",
    }, heads[player], make("b", { textContent: points }), ...(!this.shown && this.gains[player] ? [make("i", { textContent: signed(this.gains[player]) })] : []), ` ${this.name(player).replace(/ \(player \d\)$/, "")}`, make("small", { textContent: panel.players[player]?.lines[0] ?? "" }))));
    this.find("#fewest").hidden = !this.view.fewest;
  }

  drawBoard() {
    const board = this.find("#board"), at = this.shown ?? this.view;
    if (this.drawn !== drawingOf(at)) {
      this.zoom.hold(() => this.drawPicture());
      this.drawn = drawingOf(at);
      this.things = new Map(at.panel.groups.flatMap(({ things }) => things).map(thing => [thing.pick, thing]));
      const solid = this.board.svg.dataset.solid !== undefined;
      this.find("#turn").hidden = !solid;
      board.classList.toggle("solid", solid);
      this.ghost = null;
      this.root.dataset.preview = "";
      this.find("#tip").hidden = true;
      this.find("#brings").replaceChildren();
      if (this.replaying) this.drawPicture(this.replaying);
    }
    const next = this.shown ? new Set() : this.steps.instead, chosen = this.shown ? [] : this.steps.path;
    for (const element of board.querySelectorAll("[data-pick]")) { // what is next to the board has buttons
      const { pick } = element.dataset, on = next.has(pick);
      element.classList.toggle("on", on);
      element.classList.toggle("chosen", chosen.includes(pick));
      element.role = on ? "button" : null;
      if (on) Object.assign(element, { tabIndex: 0, ariaLabel: this.view.labels[pick] });
      else element.removeAttribute("tabindex");
    }
    this.reachable();
    this.offer();
    this.light();
    this.drawBadges();
  }

  // The groups next to the board. Those that have not changed stay; groups without words are only there to be picked.
  drawPanel({ groups, shapes }, preview) {
    const panel = this.find("#panel"), before = this.groups;
    if (shapes !== this.shapes) this.panelIds = this.symbols.take(make("div", { innerHTML: `<svg>${shapes}</svg>` }).firstChild);
    this.shapes = shapes;
    panel.style.height = preview ? panel.style.height || `${panel.getBoundingClientRect().height}px` : ""; // what is below it stays there
    let last = null; // whose the group before is
    this.groups = new Map();
    for (const { words, seat, things } of groups.filter(each => each.words)) {
      const name = seat === null || seat === last ? "" : this.name(seat), whose = seat === null ? "" : `seat${seat}${seat === this.seat ? " own" : ""}`;
      const title = make("h2", {}, ...(name ? [make("b", { textContent: name }), " "] : []), words);
      let key = `${whose} ${words.replace(/\d+/g, "")}`;
      while (this.groups.has(key)) key += "+";
      last = seat;
      const { section, shown } = before.get(key) ?? { section: make("section", { className: whose }), shown: [] }, old = Map.groupBy(shown, ([thing]) => thing);
      const kept = things.map(each => {
        const thing = JSON.stringify(each);
        return old.get(thing)?.shift() ?? [thing, this.spanOf(each)];
      });
      arrange(section, [title, ...kept.map(([, span]) => span)]);
      this.groups.set(key, { section, shown: kept });
    }
    arrange(panel, Array.from(this.groups.values(), ({ section }) => section));
    panel.hidden = this.groups.size === 0;
  }

  spanOf(thing) {
    const span = make("span", { className: "thing" }, ...this.thingOf(thing));
    if (thing.pick) span.dataset.pick = thing.pick;
    return span;
  }

  // A thing of the panel: its picture, and the words beside it.
  thingOf({ svg, words }) {
    return [...(svg ? [make("span", { className: "icon", innerHTML: svg })] : []), ...(words ? [make("small", { textContent: words })] : [])];
  }

  // Marks the places that points were for, and in the colour of their seat those that others chose since the person did.
  light() {
    const { moves } = this.view, mine = lastOf(moves, this.seat), since = new Map();
    for (const [player, , , , picks] of this.shown || mine < 0 ? [] : moves.slice(mine + 1)) picks.forEach(pick => since.set(pick, player));
    for (const element of this.find("#board").querySelectorAll("[data-pick], [data-spot]")) {
      const place = element.dataset.pick ?? element.dataset.spot;
      element.classList.toggle("lit", this.lit.includes(place));
      element.classList.toggle("since", since.has(place));
      this.view.scores.forEach((_, player) => element.classList.toggle(`seat${player}`, since.get(place) === player));
    }
  }

  // The players in little room: the numbers on their pieces, in their colours.
  seatHeads() {
    const names = this.view.scores.map((_, player) => this.name(player));
    return names.map((name, player) => make("b", { className: `seat${player}`, textContent: player, title: name, role: "img", ariaLabel: name }));
  }

  // Where points came from, by player, when the game is over.
  drawSheet() {
    const { moves, scores, actor, fewest } = this.view, sheet = this.find("#sheet");
    const lines = this.pointsOf(moves.flatMap(([, , , events]) => events)), sources = new Map();
    for (const { source, rule } of lines) sources.set(source, (sources.get(source) ?? new Set()).add(rule.replace("-", "\u2011")));
    sheet.hidden = actor !== OVER || lines.length === 0 || Boolean(this.replay && this.shown);
    if (sheet.hidden) return;
    const row = (name, cells, kind = "td") => make("tr", {}, make("th", { textContent: name, scope: "row" }), ...cells.map(cell => make(kind, {}, cell)));
    const of = (player, source) => lines.filter(line => line.player === player && line.source === source).reduce((sum, { points }) => sum + points, 0);
    sheet.replaceChildren(make("caption", { textContent: fewest ? "Points: the fewest win" : "Points" }),
      make("thead", {}, row("for", this.seatHeads(), "th")),
      make("tbody", {}, ...[...sources].map(([source, rules]) => row(`${source} (${[...rules].join(", ")})`, scores.map((_, player) => of(player, source)))), row("all", scores)));
  }

  // Shows the values of hints, and the points of whole actions, on the things they begin with.
  drawBadges() {
    const board = this.find("#board"), badges = new Map(), { path } = this.steps;
    for (const old of board.querySelectorAll(".badge")) old.remove();
    if (this.shown) return;
    const badge = (pick, text, lower = 6, kind = "badge", size = 17) => { if (!badges.has(pick)) badges.set(pick, { text, lower, kind, size }); };
    for (const { picks, wins } of this.hints) {
      if (path.every((each, i) => picks[i] === each)) badge(picks[path.length], `${Math.round(100 * wins)}\u202f%`); // a narrow space: neighbours are near
    }
    // The points of those that are whole actions: the person's if no other gets any, or each player's in the order of seats.
    const whole = this.steps.left.filter(({ picks, events }) => events && picks.length === path.length + 1);
    const points = whole.map(({ events }) => this.view.scores.map((_, player) => pointsFor(player, events)));
    const own = points.every(each => each.every((sum, player) => player === this.seat || sum === 0));
    const sums = points.map(each => (own ? signed(each[this.seat]) : each.join(":")));
    if (new Set(sums).size > 1) whole.forEach(({ picks }, i) => badge(picks[path.length], sums[i]));
    // The price of each place; where it may begin several things, that is not known yet.
    if (this.steps.chosen || new Set(this.steps.left.map(({ picks }) => picks[0])).size < 2 || whole.length > 0) {
      const behind = Map.groupBy(this.steps.left, ({ picks }) => picks[path.length]);
      for (const pick of this.steps.next.keys()) {
        const price = this.priceOf(behind.get(pick));
        if (price) badge(pick, price, 18, "badge price", 13);
      }
    }
    // All is measured before anything is added, which would make the browser lay out the drawing again for each.
    const least = this.readable / this.zoom.unit, places = Array.from(board.querySelectorAll(".on"), each => [badges.get(each.dataset.pick), each.getBBox()]);
    for (const [found, { x, y, width, height }] of places) {
      if (!found || found.drawn) continue;
      const at = `x="${x + width / 2}" y="${y + height / 2 + found.lower}" font-size="${Math.max(found.size, least)}"`;
      this.board.svg.insertAdjacentHTML("beforeend", `<text class="${found.kind}" ${at}>${found.text}</text>`);
      found.drawn = true;
    }
  }

  // The least size of what is written on the board, in pixels: it grows with what is looked at closer.
  get readable() {
    return READABLE * this.zoom.scale / this.zoom.base;
  }

  // Makes what is written on the board large enough to read, as long as it is not looked at closer. It grows around its
  // middle, and what would cover something written before is left out. What is large enough already is not touched: any
  // change makes the browser lay out the drawing again.
  legible() {
    const { unit } = this.zoom, large = [];
    for (const text of this.find("#board").querySelectorAll("text:not(.badge)")) {
      const own = Number(text.closest("[font-size]")?.getAttribute("font-size") ?? 16), least = this.readable / unit / scaleOf(text);
      const size = own < least ? `${least.toFixed(1)}px` : "", dy = Math.max(0, 0.35 * (least - own)).toFixed(1);
      if (text.style.fontSize !== size) text.style.fontSize = size;
      if ((text.getAttribute("dy") ?? "0.0") !== dy) text.setAttribute("dy", dy);
      if (own < least) large.push(text);
      else if (text.style.visibility) text.style.visibility = "";
    }
    const boxes = large.map(text => text.getBoundingClientRect()), seen = [];
    large.forEach((text, i) => {
      const covers = seen.some(box => meet(box, boxes[i])), visibility = covers ? "hidden" : "";
      if (text.style.visibility !== visibility) text.style.visibility = visibility;
      if (!covers) seen.push(boxes[i]);
    });
  }

  // Makes round targets large enough to be hit, as far as those around them leave room.
  reachable() {
    const round = [...this.find("#board").querySelectorAll("circle.on")], places = round.map(({ cx, cy }) => [cx.baseVal.value, cy.baseVal.value]);
    const { scale, base } = this.zoom, wanted = (this.finger / 2) * (scale / base) / this.zoom.unit;
    round.forEach((target, i) => {
      const apart = places.filter((_, j) => j !== i).map(([x, y]) => Math.hypot(x - places[i][0], y - places[i][1]));
      const radius = `${Math.max(target.r.baseVal.value, Math.min(wanted, ...apart.map(each => each / 2))).toFixed(1)}px`;
      if (target.style.r !== radius) target.style.r = radius;
    });
  }

  // Offers the scale at which the smallest target can be hit, and moves what can be picked into view. Where all targets lie
  // within three fingers, such as those on one tile, that would be too close: those that are small have buttons.
  offer() {
    if (this.shown) return;
    if (this.view.actor === OVER) { // all is to be seen, and nothing to be hit
      this.zoom.start();
      this.zoom.show();
      this.legible();
    }
    const targets = [...this.find("#board").querySelectorAll(".target:is(.on, :not(circle))")].map(element => [element, element.getBoundingClientRect()]);
    const on = targets.filter(([element]) => element.matches(".on")), shown = this.zoom.scale / this.zoom.first;
    const sizeOf = ([, { width, height }]) => Math.min(width, height) / shown, small = Math.min(...targets.map(sizeOf));
    const { width, height } = boxAround(targets.map(([, box]) => box)), close = Math.max(width, height) < 3 * this.finger * shown;
    const others = on.filter(([element]) => !element.matches(".chosen")); // what is chosen can be confirmed by a button
    this.smallTargets = new Set(others.filter(each => close && sizeOf(each) < this.finger - 0.1).map(([{ dataset }]) => dataset.pick));
    if (!close && small < this.finger - 0.1) this.zoom.offer(this.finger / small);
    this.zoom.reveal(on.map(([element]) => element));
  }

  drawLesson() {
    const { lesson } = this.view, box = this.find("#lesson");
    box.hidden = !lesson;
    this.find("#teach").textContent = lesson ? "Leave" : "Tutorial";
    if (!lesson) return;
    box.firstChild.textContent = `${lesson.number + 1} of ${lesson.count}: ${lesson.title}${lesson.rule && ` (${lesson.rule})`}`;
    box.lastChild.textContent = lesson.done ? `Right. ${lesson.why}` : lesson.text;
  }

  drawChoices() {
    const buttons = [], { view, steps } = this, board = this.find("#board");
    const button = (text, onclick, more) => {
      const made = buttonOf(text, onclick, more);
      buttons.push(made);
      return made;
    };
    // As the panel shows it.
    const tool = (pick, label, price, more) => {
      const made = button(view.labels[pick], undefined, more), thing = this.things.get(pick);
      if (thing) made.replaceChildren(...this.thingOf(thing), make("span", { className: "unseen", textContent: label }));
      else if (price || more) made.ariaLabel = label;
      if (price) made.dataset.price = price;
      if (thing || price || more) made.title = label;
      return made;
    };
    let say = "";
    if (this.replay) {
      say = `${this.replay.tell()}${this.shown ? "" : ` ${this.ending()}`}`;
    } else if (this.shown) {
      say = `The position after ${this.shown.number} actions.`;
      button("Back to the game", () => this.lookAt(view.moves.length), { className: "go" });
      button("Play on from here", () => this.send("back", { number: this.shown.number }));
    } else if (view.lesson?.done) {
      say = "";
    } else if (view.actor === OVER) {
      say = this.ending();
    } else if (view.people.length === 0 && !view.trouble) {
      say = `${this.name(view.actor)} is to act: ${view.panel.title.replace(/^[^:]*: /, "")}.`;
      const on = yes => {
        this.watching = yes;
        this.drawChoices();
        this.watch();
      };
      if (this.watching) button("Pause", () => on(false), { className: "go" });
      else {
        button("Play", () => on(true), { className: "go" });
        button("One move", () => this.send("step"));
      }
    } else if (view.actor !== this.seat) {
      say = view.trouble || `${this.name(view.actor)} is thinking ...`;
      if (this.transport.hurries && view.thinking && view.seconds + (Date.now() - this.heard) / 1000 >= IMPATIENT) {
        button("Move now", () => this.ask("hurry", { version: view.version }).catch(() => null));
      }
      if (view.trouble || view.seconds >= 10) {
        for (const bot of ["random", "mcts:1000"]) button(`Let ${bot} play on`, () => this.send("seat", { other: view.actor, bot }));
        button("Play this seat myself", () => this.send("seat", { other: view.actor, bot: null }));
      }
    } else if (steps.action) {
      say = this.labelOf([steps.action]);
      button("Confirm", () => this.confirm(), { className: "go" });
      for (const pick of this.smallTargets) tool(pick, view.labels[pick]).dataset.pick = pick;
      button("Back", () => this.back());
    } else {
      const who = this.name(this.seat), { planned } = this, there = this.onBoard;
      say = planned ? this.labelOf([planned])
        : steps.chosen ? `${steps.path.map(pick => view.labels[pick]).join(", ")}: what comes next is marked`
          : `${who === "you" ? "Your turn" : who + " is to act"}: ${view.panel.title.replace(/^[^:]*: /, "")}.`;
      if (planned) button("Confirm", () => this.confirm(), { className: "go", title: "or turn it: r, or click it again" });
      const pictured = [...steps.next.keys()].sort((a, b) => this.things.has(b) - this.things.has(a)); // first
      for (const pick of pictured.filter(each => !there.has(each) || this.smallTargets.has(each))) {
        const behind = steps.left.filter(({ picks }) => picks[steps.path.length] === pick);
        tool(pick, this.labelOf(behind, pick), planned ? "" : this.priceOf(behind)).dataset.pick = pick;
      }
      const kinds = new Set(Array.from(steps.next.keys(), kindOf)), idle = steps.chosen ? [] : view.panel.spots;
      for (const spot of idle.filter(each => kinds.has(kindOf(each)))) {
        tool(spot, `${view.labels[spot]}: not possible now`, "", { className: "idle", ariaDisabled: true }).dataset.spot = spot;
      }
      if (steps.chosen) button("Back", () => this.back());
    }
    if (view.lesson && !this.shown) {
      const { number, count, puzzles, done } = view.lesson, go = done ? { className: "go" } : {};
      const learn = to => this.send("lesson", { number: to });
      if (number + 1 < count) button(done ? "Next" : "Skip", () => learn(number + 1), go);
      else button("Back to the game", () => learn(null), go);
      if (done) button("Again", () => this.send("undo"));
      if (number < puzzles && puzzles < count) button("Puzzles", () => learn(puzzles));
    }
    if (!this.shown && view.trouble && view.actor === this.seat) this.fail(new Error(view.trouble));
    if (!this.shown && !steps.chosen) say = this.playedFor() + say;
    this.find("#say").textContent = say;
    this.find("#thinking").style.visibility = view.thinking && !this.shown ? "" : "hidden";
    const there = [...this.find("#choices").children];
    // A button that would be the same stays, so that a click on it is not lost where views come fast.
    if (there.length === buttons.length && buttons.every((made, i) => made.isEqualNode(there[i]))) {
      buttons.forEach((made, i) => { there[i].onclick = made.onclick; });
    } else this.find("#choices").replaceChildren(...buttons);
  }

  // Who has won, and why.
  ending() {
    const { winners, resigned, fewest } = this.view, names = winners.map(player => this.name(player));
    if (names.length === 0) return "The record ends before the game does.";
    const win = names.length > 1 || names[0] === "you" ? "win" : "wins";
    const how = resigned !== null ? `, since ${this.name(resigned)} resigned` : fewest ? " with the fewest points" : "";
    return `The game is over: ${new Intl.ListFormat("en-GB").format(names)} ${win}${how}.`;
  }

  // The actions played for the person since they chose last.
  playedFor() {
    const { moves } = this.view, since = moves.slice(moves.findLastIndex(([player, , , , , forced]) => player === this.seat && !forced) + 1);
    const words = since.flatMap(([, , what, , , forced]) => (forced ? [what] : [])).join(", then ");
    return words && `Played for you, the only action: ${words}. `;
  }

  drawHints() {
    this.find("#hints").hidden = this.hints.length === 0 || Boolean(this.shown);
    this.find("#hints").replaceChildren(...this.hints.map(hint => {
      const show = () => this.preview(hint), hide = () => this.preview(this.planned);
      const begin = () => {
        this.steps.clear();
        this.steps.path = [...hint.picks];
        this.draw(true);
      };
      const seen = { onpointerenter: show, onfocus: show, onpointerleave: hide, onblur: hide };
      return make("li", {}, buttonOf(`${hint.words}: wins ${Math.round(100 * hint.wins)} %`, begin, seen));
    }));
  }

  drawMoves() {
    const { moves } = this.view, list = this.find("#moves"), at = this.shown?.number ?? moves.length;
    const names = this.view.scores.map((_, player) => this.name(player)), lines = moves.map(move => JSON.stringify([names, move]));
    const focused = list.contains(this.root.getRootNode().activeElement);
    let same = 0; // how many lines are there already
    while (same < Math.min(lines.length, list.children.length) && lines[same] === this.listed[same]) same += 1;
    while (list.children.length > same) list.lastChild.remove();
    list.append(...moves.slice(same).map((move, i) => this.lineOf(move, same + i)));
    this.listed = lines;
    // Of several chance moves in a row the last is shown.
    let run = 0;
    const runs = moves.map(([player]) => (run = player < 0 ? run + 1 : 0));
    for (let i = moves.length - 1, end = 0; i >= 0; i -= 1) {
      const last = !(runs[i + 1] > runs[i]), button = list.children[i].firstChild;
      end = last ? runs[i] : end; // how long the run is
      list.children[i].hidden = end > 2 && runs[i] < end;
      if (runs[i] > 0) button.textContent = moves[i][2] + (last && runs[i] > 2 ? ` (and ${runs[i] - 1} before)` : "");
    }
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const here = list.children[at - 1];
    if (here) here.hidden = false;
    here?.firstChild.setAttribute("aria-current", "step");
    if (focused) here?.firstChild.focus();
    list.scrollTop = here ? here.offsetTop - list.clientHeight / 2 : 0;
  }

  // A move and what it brought, in the list of moves.
  lineOf([player, token, words, events, , forced], i) {
    const before = this.view.moves.slice(0, i).findLast(([other]) => other >= 0)?.[0]; // whose turn it was
    const points = this.pointsOf(events).map(line => buttonOf(line.words, async () => {
      await this.lookAt(i + 1);
      this.lit = line.on;
      this.light();
    }, { className: "points" }));
    const who = player >= 0 ? `${this.name(player)}: ` : "", note = forced ? " (played for you, the only action)" : "";
    const marks = this.replay?.marked(i + 1) ?? [];
    const move = buttonOf(who + words + note, () => this.lookAt(i + 1), { title: token }, ...marks);
    const ariaLabel = player >= 0 && player !== before ? `turn of ${this.name(player)}` : null;
    return make("li", { className: `seat${player}`, ariaLabel }, move, ...points);
  }
}
