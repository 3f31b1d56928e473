// The additions of the page of a recorded game: steps to any action, and the remarks of a review.
import { make } from "./setup.js";

const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const LEAPS = { PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
const [WIDTH, HEIGHT] = [1000, 100]; // of the graph
// A figure with its error, both to that many digits; `signed` adds a sign.
const around = (value, error, digits) => `${value.toFixed(digits)}${error ? `\u00a0\u00b1\u00a0${error.toFixed(digits)}` : ""}`;
export const signed = (value, error = 0, digits = 0) => (value < 0 ? `\u2212${around(-value, error, digits)}` : `+${around(value, error, digits)}`);

export class Replay {
  // page: that it belongs to. review: of the game, or null. closer: the address of a page that says more, or null.
  constructor(page, { review, closer }) {
    Object.assign(this, { page, review, closer });
    this.steps = review ? [{ expected: review.parts.start }, ...review.moments] : []; // by position
    this.marks = [...this.steps.keys()].filter(number => this.steps[number].mark);
    this.number = -1; // of the position in sight
    this.line = -1; // the action of the better line that is shown in its place
    this.slider = page.find("#replay input");
    this.graph = page.find("#graph svg");
    this.slider.oninput = () => page.lookAt(Number(this.slider.value));
    for (const button of page.find("#replay").querySelectorAll("button")) button.onclick = () => page.stepTo(Number(button.value));
    this.graph.onpointerdown = this.graph.onpointermove = event => {
      const { left, width } = this.graph.getBoundingClientRect();
      if (event.buttons) page.stepTo(Math.round(((event.clientX - left) / width) * this.slider.max) - this.number);
    };
    window.addEventListener("hashchange", () => page.stepTo(this.addressed - this.number), { signal: page.life.signal });
    page.root.classList.add("recorded");
    page.find("#replay").hidden = false;
  }

  get addressed() {
    return Number(location.hash.slice(1)) || 0;
  }

  // The position to begin with; null for the last one.
  begin({ moves }) {
    this.slider.max = moves.length;
    if (this.closer) fetch(this.closer).then(answer => answer.ok && location.replace(this.closer + location.hash));
    return this.addressed < moves.length ? this.page.transport.request("position", { number: this.addressed }) : null;
  }

  draw() {
    const { page, review, slider } = this, { number } = page.shown ?? page.view, first = this.number < 0;
    if (number !== this.number) page.lit = (page.view.moves[number - 1]?.[3] ?? []).flatMap(({ on }) => on);
    if (this.line >= 0) page.drawn = null; // what is drawn is the better line
    this.line = -1;
    this.number = number;
    this.offer();
    slider.value = number;
    page.find("#replay output").textContent = `${number} / ${slider.max}`;
    if (location.protocol !== "about:") history.replaceState(null, "", `#${number}`); // a frame of a report has no address
    if (!review) return;
    if (first) this.drawReview();
    if (number > 0) page.find("#said").open = false;
    const shares = this.steps[number].expected.wins.map((share, seat) => `${page.name(seat)}: ${Math.round(100 * share)} %`.replaceAll(" ", "\u00a0")).join(", ");
    this.graph.ariaLabel = page.find("#graph figcaption").textContent = `Share of the win: ${shares}`;
    page.find("#now").setAttribute("transform", `translate(${this.x(number)} 0)`);
  }

  x(number) {
    return ((number / Math.max(1, this.slider.max)) * WIDTH).toFixed(1);
  }

  // The summary and the graph.
  drawReview() {
    const { page, steps, review: { players, parts, judged, spent } } = this, seats = players.map((_, seat) => page.name(seat));
    const row = (kind, name, cells) => make("tr", {}, make("th", { textContent: name, scope: "row" }), ...cells.map(content => make(kind, {}, ...content)));
    const cells = part => seats.map((_, seat) => [signed(part.points[seat], part.points_error[seat], 1), make("br"),
      make("small", { textContent: `${signed(100 * part.wins[seat], 100 * part.wins_error[seat])}\u00a0%` })]);
    page.find("#said").append(
      ...players.map(({ words }, seat) => make("p", { className: `seat${seat}`, textContent: page.named(words) })),
      make("table", { hidden: spent.worlds === undefined }, make("caption", { textContent: "Points, and share of the win" }),
        make("thead", {}, row("th", "from", page.seatHeads().map(head => [head]))),
        make("tbody", {}, ...Object.entries(parts).map(([name, part]) => row("td", page.named(name.replace(/(.+) of (player \d)/, "$2's $1")), cells(part))))),
      make("p", { className: "judged", textContent: `${judged}${this.closer ? " A closer look is taken ..." : ""}` }));
    const y = share => (HEIGHT - 4 - Math.max(0, Math.min(1, share)) * (HEIGHT - 8)).toFixed(1);
    const curve = (seat, by = 0) => steps.map(({ expected: { wins, wins_error: errors } }, number) => `${this.x(number)},${y(wins[seat] + by * errors[seat])}`);
    this.graph.innerHTML = seats.map((_, seat) => `<g class="seat${seat}"><polygon points="${[...curve(seat, 1), ...curve(seat, -1).reverse()].join(" ")}"/>
      <polyline points="${curve(seat).join(" ")}"/></g>`).join("") + this.marks.map(number => `<rect class="${steps[number].mark}" x="${this.x(number) - 3}" width="6" height="12"/>`).join("")
      + `<line id="now" y2="${HEIGHT}"/>`;
    page.find("#said").hidden = page.find("#graph").hidden = page.find("#marks").hidden = false;
  }

  // The mark of the action before a position, for the list of moves.
  marked(number) {
    const mark = this.steps[number]?.mark;
    return mark ? [" ", make("span", { className: `mark ${mark}`, textContent: `${SIGNS[mark]} ${mark}` })] : [];
  }

  // Sets what the buttons do now.
  offer() {
    const { page, marks, number, better, line } = this, [before, next, show] = page.find("#marks").children;
    for (const [button, to] of [[before, marks.findLast(each => each < number)], [next, marks.find(each => each > number)]]) {
      button.onclick = () => page.lookAt(to);
      button.disabled = to === undefined;
    }
    show.textContent = line < 0 ? "Better turn" : line + 1 < better.length ? "Go on" : "Back";
    show.onclick = () => this.showBetter();
    show.disabled = better.length === 0;
  }

  // Returns what is said of the action before.
  tell() {
    const { page, number, better } = this, { player, change, loss, mark } = this.steps[number] ?? {};
    const [by, , words, events] = page.view.moves[number - 1] ?? [-1, "", "The game begins", []], lines = [];
    if (mark) lines.push([...this.marked(number), ` lost ${around(loss.points, loss.points_error, 1)} points of lead, ${around(100 * loss.wins, 100 * loss.wins_error, 0)}\u00a0% of the win`]);
    if (player < 0) lines.push([`luck: ${change.points.map((points, seat) => `${signed(points, 0, 1)} ${page.name(seat)}`).join(", ")}`]);
    if (this.line < 0) lines.push(...page.pointsOf(events).map(each => [each.words]));
    page.find("#brings").replaceChildren(...lines.map(each => make("li", {}, ...each)));
    if (this.line >= 0) return `Better: ${better.slice(0, this.line + 1).map(each => each.words).join(", then ")}.`;
    return `${number > 0 ? `${page.name(by)}: ` : ""}${words}.`;
  }

  // The better alternatives to the action before.
  get better() {
    return this.review?.lines[this.number] ?? [];
  }

  // Shows that one action further each time, and then what was played.
  showBetter() {
    const { page, better } = this;
    this.line = this.line + 1 < better.length ? this.line + 1 : -1;
    const { picture, panel } = better[this.line] ?? {}, { drawing } = page.transport;
    page.drawPicture(picture && drawing(picture), panel && JSON.parse(drawing(panel)));
    this.offer();
    page.drawChoices();
  }

  // Returns whether a key is that of a button, which is its title, or leaps.
  pressed(key) {
    const button = this.review && this.page.find(`#marks [title="${CSS.escape(key.toLowerCase())}"]`);
    button?.click();
    if (LEAPS[key]) this.page.stepTo(LEAPS[key]);
    return Boolean(button ?? LEAPS[key]);
  }
}
