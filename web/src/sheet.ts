/** What is drawn of a map: more than its window shows, so that moving the map is moving what was drawn. */
import type { Camera, Size } from "./camera";

const BEYOND = 1 / 3; // of the window, on each side of it: as far as a hand moves it mostly
const MOST = 24e6; // pixels of a canvas: a larger window has nothing beyond it

export class Sheet {
  readonly canvases: HTMLCanvasElement[];
  private element = document.createElement("div");
  private drawn: Camera | null = null;
  private window: Size = { width: 1, height: 1 };
  private share = BEYOND;

  constructor(host: HTMLElement, names: string[]) {
    this.element.className = "sheet";
    this.canvases = names.map((name) => {
      const canvas = document.createElement("canvas");
      canvas.className = name;
      this.element.append(canvas);
      return canvas;
    });
    host.append(this.element);
  }

  /** Of the sheet, on each side. */
  get beyond(): Size {
    return { width: Math.round(this.share * this.window.width), height: Math.round(this.share * this.window.height) };
  }
  get size(): Size {
    const { width, height } = this.beyond;
    return { width: this.window.width + 2 * width, height: this.window.height + 2 * height };
  }
  /** What the middle of it shows; null: nothing was drawn yet. */
  get camera(): Camera | null {
    return this.drawn;
  }

  /** A new drawing begins. Of `within` only the part in the window is drawn on. */
  lay(c: Camera, window: Size, within: HTMLCanvasElement): void {
    this.drawn = c;
    const pixels = window.width * window.height * devicePixelRatio ** 2, share = pixels * (1 + 2 * BEYOND) ** 2 > MOST ? 0 : BEYOND;
    this.element.style.transform = "";
    if (window.width === this.window.width && window.height === this.window.height && share === this.share) return;
    this.window = window;
    this.share = share;
    const { beyond, size } = this;
    place(this.element, -beyond.width, -beyond.height, size);
    for (const canvas of this.canvases)
      if (canvas === within) place(canvas, beyond.width, beyond.height, window);
      else place(canvas, 0, 0, size);
  }

  /** Moves it to where a camera sees it; false: it does not reach so far. */
  slide(c: Camera): boolean {
    const { drawn, beyond } = this;
    if (!drawn || drawn.k !== c.k) return false;
    const x = (drawn.x - c.x) * c.k, y = (c.y - drawn.y) * c.k;
    if (Math.abs(x) > beyond.width || Math.abs(y) > beyond.height) return false;
    this.element.style.transform = `translate(${x}px, ${y}px)`;
    return true;
  }

  /** Pictures of what the window shows of a sheet that lies as it was drawn, from the lowest up. */
  pictures(): HTMLCanvasElement[] {
    return this.canvases.map((canvas) => {
      const copy = document.createElement("canvas"), dpr = devicePixelRatio;
      copy.width = this.window.width * dpr;
      copy.height = this.window.height * dpr;
      const left = canvas.offsetLeft - this.beyond.width, top = canvas.offsetTop - this.beyond.height;
      if (canvas.width && canvas.height) copy.getContext("2d")!.drawImage(canvas, left * dpr, top * dpr);
      return copy;
    });
  }

  remove(): void {
    this.element.remove();
  }
}

function place(element: HTMLElement, left: number, top: number, size: Size): void {
  Object.assign(element.style, { left: `${left}px`, top: `${top}px`, width: `${size.width}px`, height: `${size.height}px` });
}
