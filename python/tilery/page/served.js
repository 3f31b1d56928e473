// The page of `tilery play`: the game is in a Python process, and requests go there.
export class Served {
  hurries = true; // bots think on a thread of their own

  // address: of the page, which ends with "/"; "" for that of the document.
  constructor(address = "") {
    this.address = address;
    this.review = `${address}review`; // of a game that is over
  }

  // Returns the response to a request, or throws: a Gone if there is no server, an Error with what it said.
  async request(name, data) {
    let reply;
    try {
      reply = await fetch(this.address + name, { method: "POST", body: JSON.stringify(data) });
    } catch {
      throw Object.assign(new Error("The game is not there any more. If tilery play has ended, start it again with "
        + "--record and the same file to play on."), { gone: true });
    }
    const answer = await reply.json();
    if (!reply.ok) throw Object.assign(new Error(answer.error), { stale: reply.status === 409, forbidden: reply.status === 403 });
    return answer;
  }
}
