// A recorded game that the page holds: nothing is asked of any server, and nobody plays on.
import "./board.js";

// Makes its board. text: what tilery.pictures.steps tells, as JSON, compressed and in base64.
async function replay(text) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const { view, positions, pieces, rules, ...replay } = await new Response(stream).json();
  const drawing = numbers => numbers.map(number => pieces[number]).join("");
  const replies = {
    position: ({ number, turns = 0 }) => {
      const { picture, panel, ...more } = positions[number];
      return { ...more, picture: drawing(picture[turns % picture.length]), panel: { ...panel, ...JSON.parse(drawing(panel.drawn)) } };
    },
    view: ({ version }) => (version === view.version ? new Promise(() => {}) // nothing changes
      : { ...view, ...replies.position({ number: view.moves.length }) }),
    rules: () => rules,
  };
  const board = document.createElement("tilery-board");
  board.transport = { replay, drawing, request: async (name, data) => replies[name](data) };
  board.toggleAttribute("full", true);
  document.body.append(board);
}
