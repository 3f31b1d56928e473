// The page in a notebook: a widget of anywidget, whose game is in the kernel.
import { Messages } from "./messages.js";
import { Page } from "./page.js";

const PATIENCE = 10_000; // milliseconds until the person is told that the kernel does not answer

class Kernel extends Messages {
  hurries = true; // bots think on a thread of their own

  constructor(model) {
    super(message => model.send(message));
  }

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

// markup, style: of the page. In a shadow tree, so that neither it nor the notebook changes the other.
export function widget(markup, style) {
  return {
    render({ model, el }) {
      const host = document.createElement("div"), shadow = host.attachShadow({ mode: "open" });
      host.dataset.lmSuppressShortcuts = "true"; // keys on the board are not commands of JupyterLab
      const { jpThemeLight } = document.body.dataset;
      if (jpThemeLight !== undefined) host.style.colorScheme = jpThemeLight === "false" ? "dark" : "light";
      shadow.innerHTML = `<style>${style}</style><div class="page" tabindex="-1">${markup}</div>`;
      el.append(host);
      const kernel = new Kernel(model), page = new Page(kernel, shadow.querySelector(".page"));
      const receive = message => kernel.receive(message);
      model.on("msg:custom", receive);
      page.run();
      return () => {
        page.end();
        model.off("msg:custom", receive);
        host.remove();
      };
    },
  };
}
