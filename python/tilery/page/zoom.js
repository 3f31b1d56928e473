// A drawing that can be looked at closer: by wheel, pinch, double tap and keys, and moved by dragging.

const MOST = 8; // times as large as the whole drawing
const DRAG = 5; // pixels: less is a click

export class Zoom {
  // element: what holds the drawing, an SVG with its whole viewBox as `data-whole`.
  constructor(element) {
    this.element = element;
    this.scale = 1;
    this.centre = [0.5, 0.5]; // as shares of the drawing
    this.pointers = new Map();
    this.moved = false; // whether the pointer that is down has dragged the drawing
    this.picked = [false, false]; // whether each of the last two clicks was on a target
    element.addEventListener("wheel", event => {
      event.preventDefault();
      this.by(event.deltaY < 0 ? 1.15 : 1 / 1.15, event);
    }, { passive: false });
    element.addEventListener("dblclick", event => { if (!this.picked.includes(true)) this.by(this.scale > 1 ? 1 / this.scale : 2.5, event); });
    element.addEventListener("pointerdown", event => {
      if (this.pointers.size === 0) this.moved = false;
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    element.addEventListener("pointermove", event => this.#move(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) element.addEventListener(name, event => this.pointers.delete(event.pointerId));
    element.addEventListener("click", event => {
      this.picked = [this.picked[1], event.target.closest(".on, .chosen") !== null];
      if (this.moved) event.stopPropagation(); // a drag is no click on what is below its end
    }, { capture: true });
  }

  // The size of the whole drawing.
  #whole(svg) {
    return svg.dataset.whole.split(" ").map(Number);
  }

  // Shows what is to be seen of the drawing.
  show() {
    const svg = this.element.querySelector("svg"), [x, y, width, height] = this.#whole(svg);
    const [wide, high] = [width / this.scale, height / this.scale];
    const along = (at, size, all) => Math.max(0, Math.min(all - size, at * all - size / 2));
    const view = [x + along(this.centre[0], wide, width), y + along(this.centre[1], high, height), wide, high];
    const shown = view.map(each => Math.round(100 * each) / 100).join(" ");
    if (svg.getAttribute("viewBox") !== shown) svg.setAttribute("viewBox", shown); // setting it lays out the picture again
    this.element.classList.toggle("closer", this.scale > 1);
  }

  // A point of the screen as shares of the drawing, and pixels for all of its width and height.
  #place({ clientX, clientY }) {
    const svg = this.element.querySelector("svg"), [x, y, width, height] = this.#whole(svg), matrix = svg.getScreenCTM();
    const at = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return { at: [(at.x - x) / width, (at.y - y) / height], size: [width * matrix.a, height * matrix.d] };
  }

  // Closer by a factor, with the point of an event where it is; without one, with the middle.
  by(factor, event) {
    if (!this.element.querySelector("svg")) return;
    const before = event && this.#place(event).at;
    this.scale = Math.max(1, Math.min(MOST, this.scale * factor));
    this.show();
    if (!event) return;
    const after = this.#place(event).at;
    this.#shift(before[0] - after[0], before[1] - after[1]);
  }

  #shift(x, y) {
    const half = 0.5 / this.scale, inside = value => Math.max(half, Math.min(1 - half, value));
    this.centre = [inside(this.centre[0] + x), inside(this.centre[1] + y)];
    this.show();
  }

  #move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY], [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    if (this.pointers.size === 2) {
      const [, other] = [...this.pointers].find(([id]) => id !== event.pointerId);
      const apart = point => Math.max(1, Math.hypot(point[0] - other[0], point[1] - other[1]));
      this.moved = true;
      this.by(apart(now) / apart(before), { clientX: (now[0] + other[0]) / 2, clientY: (now[1] + other[1]) / 2 });
    } else if (this.scale > 1 && (this.moved || Math.hypot(dx, dy) > DRAG)) {
      this.moved = true;
      const { size } = this.#place(event);
      this.#shift(-dx / size[0], -dy / size[1]);
    } else return;
    this.pointers.set(event.pointerId, now);
  }

  // The keys + - 0; returns whether it was one of them.
  pressed(key) {
    if (key === "+" || key === "=") this.by(1.3);
    else if (key === "-") this.by(1 / 1.3);
    else if (key === "0") this.by(1 / this.scale);
    else return false;
    return true;
  }
}
