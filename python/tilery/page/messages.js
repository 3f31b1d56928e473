// A game behind messages: in a worker of the page, or in the kernel of a notebook.

export class Messages {
  // send(message) sends {number, name, data}; receive() takes what comes back.
  constructor(send) {
    this.send = send;
    this.waiting = new Map();
    this.number = Math.floor(2 ** 40 * Math.random()); // several pages may share a channel
    this.news = () => {};
  }

  // A reply {number, answer} or {number, error, stale, forbidden}; without a number, the news that something changed.
  receive(message) {
    if (message.number === undefined) return this.news();
    const { done, failed } = this.waiting.get(message.number) ?? {};
    this.waiting.delete(message.number);
    if (message.error === undefined) return done?.(message.answer);
    return failed?.(Object.assign(new Error(message.error), message));
  }

  ask(name, data = {}) {
    return new Promise((done, failed) => {
      this.waiting.set(this.number, { done, failed });
      this.send({ number: this.number, name, data });
      this.number += 1;
    });
  }

  // As the server: a view of the version that the page has is returned after the next change.
  async request(name, data) {
    let answer = await this.ask(name, data);
    while (name === "view" && answer.version === data.version) {
      await new Promise(done => { this.news = done; });
      answer = await this.ask(name, data);
    }
    return answer;
  }
}
