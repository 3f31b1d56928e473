// The page in a notebook: a widget of anywidget, whose game is in the kernel.
import "./board.js";
import { Messages } from "./messages.js";

const PATIENCE = 10_000; // milliseconds until the person is told that the kernel does not answer

class Kernel extends Messages {
  hurries = true; // bots think on a thread of their own

  // A board that is alive hides the pictures that stand for boards without a kernel.
  receive(message) {
    if (!document.querySelector("#tilery-alive")) {
      document.head.append(Object.assign(document.createElement("style"), { id: "tilery-alive", textContent: ".tilery-static { display: none; }" }));
    }
    return super.receive(message);
  }

  ask(name, data) {
    return new Promise((done, failed) => {
      const gone = () => failed(Object.assign(new Error("The kernel does not answer: it runs another cell, or it has ended. "
        + "If it has ended, run the cell of this board again."), { gone: true }));
      const late = setTimeout(gone, PATIENCE);
      super.ask(name, data).then(done, error => (error.number === undefined ? gone() : failed(error))).finally(() => clearTimeout(late));
    });
  }
}

// The functions that anywidget asks for.
export default {
  render({ model, el }) {
    const board = document.createElement("tilery-board"), kernel = new Kernel(message => model.send(message));
    const receive = message => kernel.receive(message);
    const { jpThemeLight } = document.body.dataset;
    if (jpThemeLight !== undefined) board.setAttribute("theme", jpThemeLight === "false" ? "dark" : "light");
    board.transport = kernel;
    model.on("msg:custom", receive);
    el.append(board);
    return () => {
      model.off("msg:custom", receive);
      board.remove();
    };
  },
};
