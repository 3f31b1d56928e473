// A drawing that can be looked at closer: by wheel, pinch, double tap and keys, and moved by dragging.

const MOST = 8; // times as large as the whole drawing
const DRAG = 5; // pixels: less is a click
const MARGIN = 30; // pixels around what is moved into view

// The box around boxes.
export function boxAround(boxes) {
  const left = Math.min(...boxes.map(box => box.left)), top = Math.min(...boxes.map(box => box.top));
  const right = Math.max(...boxes.map(box => box.right)), bottom = Math.max(...boxes.map(box => box.bottom));
  return { left, top, right, bottom, width: right - left, height: bottom - top };
}

export class Zoom {
  // element: what holds the drawing, an SVG with its whole viewBox as `data-whole`. resized: called when what is written
  // and what can be hit in it has to become larger or smaller.
  constructor(element, resized) {
    this.element = element;
    this.resized = resized;
    this.first = this.scale = 1; // the scale that was offered, and the present one
    this.base = 1; // that at which what is written and what can be hit is large enough
    this.centre = [0.5, 0.5]; // as shares of the drawing
    this.pointers = new Map();
    this.moved = false; // whether the pointer that is down has dragged the drawing
    this.picked = [false, false]; // whether each of the last two clicks was on a target
    element.addEventListener("wheel", event => {
      event.preventDefault();
      this.by(event.deltaY < 0 ? 1.15 : 1 / 1.15, event);
    }, { passive: false });
    element.addEventListener("dblclick", event => { if (!this.picked.includes(true)) this.by(this.scale > 1 ? 1 / this.scale : Math.max(this.first, 2.5), event); });
    element.addEventListener("focusin", ({ target }) => { if (target.matches(":focus-visible")) this.reveal([target]); });
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

  // Shows the whole drawing, until it is offered closer, unless the person has chosen a scale.
  start() {
    if (this.scale === this.first) this.first = this.scale = this.base = 1;
  }

  // The size of the whole drawing.
  #whole(svg) {
    return svg.dataset.whole.split(" ").map(Number);
  }

  // Shows what is to be seen of the drawing.
  show() {
    const svg = this.element.querySelector("svg"), [x, y, width, height] = this.#whole(svg);
    const shape = `${width} / ${Math.round(height * this.first)}`;
    if (shape !== this.shape) {
      this.shape = shape;
      this.element.style.aspectRatio = shape; // where its height is free
      this.measure();
    }
    const [wide, high] = this.#size(width, height);
    const along = (at, size, all) => Math.max(0, Math.min(all - size, at * all - size / 2));
    const view = [x + along(this.centre[0], wide, width), y + along(this.centre[1], high, height), wide, high];
    const shown = view.map(each => Math.round(100 * each) / 100).join(" ");
    if (svg.getAttribute("viewBox") !== shown) svg.setAttribute("viewBox", shown); // setting it lays out the picture again
    this.element.classList.toggle("closer", this.scale > 1);
    const base = Math.min(this.scale, this.first);
    if (base === this.base) return;
    this.base = base;
    this.resized();
  }

  // Takes the size of what holds the drawing: asking for it later may lay out the page.
  measure() {
    this.room = [this.element.clientWidth, this.element.clientHeight];
  }

  // The pixels of a unit of the drawing.
  get unit() {
    const [, , width, height] = this.#whole(this.element.querySelector("svg"));
    return this.scale * Math.min(this.room[0] / width, this.room[1] / height) || 1; // while it is hidden
  }

  // How much of a drawing of this size is in view.
  #size(width, height) {
    return this.scale === 1 ? [width, height] : [Math.min(width, this.room[0] / this.unit), Math.min(height, this.room[1] / this.unit)];
  }

  // Offers the drawing closer by a factor, unless the person has chosen another scale.
  offer(factor) {
    const chosen = this.scale !== this.first;
    this.first = Math.min(MOST, this.first * factor);
    if (!chosen) this.scale = this.first;
    this.show();
  }

  // Draws, and keeps what is looked at closer where it is, however the drawing grows around it.
  hold(draw) {
    const mark = this.scale > 1 ? this.element.querySelector("use") : null, before = mark?.getScreenCTM();
    draw();
    if (!mark?.isConnected) return;
    const after = mark.getScreenCTM(), grown = before.a / after.a;
    if (Math.abs(grown - 1) > 0.001) {
      this.first = Math.max(1, this.first * grown);
      this.scale = Math.max(1, this.scale * grown);
      this.show();
    }
    const now = mark.getScreenCTM(), { size } = this.#place({ clientX: 0, clientY: 0 });
    this.#shift((now.e - before.e) / size[0], (now.f - before.f) / size[1]);
  }

  // Moves the drawing so that all these elements are in view; if they do not fit, so far that one of them is.
  reveal(elements) {
    if (this.scale === 1 || elements.length === 0) return;
    const view = this.element.getBoundingClientRect(), boxes = elements.map(each => each.getBoundingClientRect()), all = boxAround(boxes);
    const out = (low, high, from, to, room) => Math.min(0, low - from - room) + Math.max(0, high - to + room);
    const fits = all.width <= view.width && all.height <= view.height;
    const [[x, y]] = (fits ? [all] : boxes).map(box => [
      out(box.left, box.right, view.left, view.right, Math.min(MARGIN, (view.width - box.width) / 2)),
      out(box.top, box.bottom, view.top, view.bottom, Math.min(MARGIN, (view.height - box.height) / 2)),
    ]).sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
    const { size } = this.#place({ clientX: 0, clientY: 0 });
    this.#shift(x / size[0], y / size[1]);
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
    const svg = this.element.querySelector("svg"), [, , width, height] = this.#whole(svg), [wide, high] = this.#size(width, height);
    const inside = (value, half) => Math.max(half, Math.min(1 - half, value));
    this.centre = [inside(this.centre[0] + x, wide / width / 2), inside(this.centre[1] + y, high / height / 2)];
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
    const zero = (this.scale > 1 ? 1 : this.first) / this.scale; // the whole, and back
    const factor = { "+": 1.3, "=": 1.3, "-": 1 / 1.3, 0: zero }[key];
    if (factor) this.by(factor);
    return factor !== undefined;
  }
}
