// Actions as paths of things to point at: which come next, and which action a path is.

export class Steps {
  // actions: [{token, words, picks}], no path of picks a prefix of another.
  constructor(actions) {
    this.actions = actions;
    this.clear();
  }

  // The actions whose paths begin with what was picked so far.
  get left() {
    return this.actions.filter(action => this.path.every((pick, i) => action.picks[i] === pick));
  }

  // The next picks, each once.
  get next() {
    return new Set(this.left.filter(({ picks }) => picks.length > this.path.length).map(({ picks }) => picks[this.path.length]));
  }

  // The same steps after the first `length` picks.
  at(length) {
    return Object.assign(new Steps(this.actions), { path: this.path.slice(0, length) });
  }

  // The picks to highlight: the next ones, or, with a whole action, those of its last choice.
  get instead() {
    if (!this.action) return this.next;
    const before = this.at(this.path.length);
    before.back();
    return before.next;
  }

  // The action that the path is, if it is a whole one.
  get action() {
    return this.left.find(action => action.picks.length === this.path.length);
  }

  // Picks one of `next`, and what follows without a choice. Returns whether the path is an action now.
  pick(pick) {
    if (!this.next.has(pick)) return false;
    this.path.push(pick);
    this.#follow();
    return this.action !== undefined;
  }

  // Picks what has no alternative.
  #follow() {
    while (!this.action && this.next.size === 1) this.path.push(...this.next.keys());
  }

  // Takes back the last pick that was a choice.
  back() {
    do this.path.pop();
    while (this.path.length > 0 && this.next.size === 1);
    if (!this.chosen) this.clear();
  }

  // Whether something was picked that has an alternative.
  get chosen() {
    return this.path.some((_, length) => this.at(length).next.size > 1);
  }

  clear() {
    this.path = [];
    this.#follow();
  }
}
