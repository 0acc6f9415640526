/** Draws the calls of a recording over its events, in a canvas. */
import { op, type RecordedEvents } from '../recording/recording.js';
import { Density, shareOfHeight } from './timeline-density.js';

export const rowHeight = 16;
const top = 4;

interface TimelineColours {
  readonly bar: string;
  readonly barText: string;
  readonly failedBar: string;
  readonly fail: string;
  readonly redo: string;
}

interface Span {
  readonly begin: number;
  end: number;
  /** How many calls are around it. */
  readonly depth: number;
  /** The number of its plan or function. */
  readonly owner: number;
}

/** The calls of a recording, in the order of their begins. */
export function spansOf({ length, ops, what }: RecordedEvents): readonly Span[] {
  const spans: Span[] = [];
  const open: Span[] = [];
  for (const [at, kind] of ops.entries()) {
    if (kind === op.call) {
      const span = { begin: at, end: length, depth: open.length, owner: what[at] ?? 0 };
      spans.push(span);
      open.push(span);
    } else if (kind === op.return) {
      const span = open.pop();
      if (span !== undefined) span.end = at + 1;
    }
  }
  return spans;
}

interface Drawing {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly recording: RecordedEvents;
  readonly spans: readonly Span[];
  readonly range: readonly [number, number];
  readonly colours: TimelineColours;
  /** The names of calls, by owner. */
  readonly nameOf: (owner: number) => string;
}

/** Draws all but the event that is looked at. */
export function drawTimeline(drawing: Drawing): void {
  drawing.context.clearRect(0, 0, drawing.width, drawing.height);
  drawCalls(drawing);
  drawMarks(drawing);
}

function drawCalls(drawing: Drawing): void {
  const { context, width, height, spans, range, colours, nameOf } = drawing;
  const [from, to] = range;
  const scale = width / (to - from);
  /** Calls that are narrower than a pixel: with a value, and without. */
  const narrow = new Density(width);
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  for (const span of spans) {
    const { begin, end, depth, owner } = span;
    if (begin >= to) break;
    if (end <= from || top + depth * rowHeight > height) continue;
    const left = Math.max(0, (begin - from) * scale);
    const right = Math.min(width, (end - from) * scale);
    if (right - left < 2) {
      narrow.add(depth, left, isUndefined(span, drawing));
      continue;
    }
    const y = top + depth * rowHeight;
    context.fillStyle = isUndefined(span, drawing) ? colours.failedBar : colours.bar;
    context.fillRect(left, y, right - left - 1, rowHeight - 2);
    if (right - left < 36) continue;
    context.fillStyle = colours.barText;
    context.fillText(fitted(context, nameOf(owner), right - left - 8), left + 4, y + rowHeight / 2 - 0.5);
  }
  for (const { row, x, share } of narrow.cells())
    drawShares(drawing, [x, top + row * rowHeight, rowHeight - 2], share, [colours.bar, colours.failedBar]);
}

/** The return of a call without a value stores none. */
function isUndefined({ end }: Span, { recording }: Drawing): boolean {
  return recording.ops[end - 1] === op.return && recording.textOf(end - 1) === '';
}

const markHeight = 6;

/** Failures and further rows, below the bar of their call: ticks, or shares of a pixel. */
function drawMarks(drawing: Drawing): void {
  const { context, width, height, recording, range, colours } = drawing;
  const [from, to] = range;
  const { ops, again, depths } = recording;
  const scale = width / (to - from);
  const density = new Density(width);
  const end = Math.min(recording.length, Math.ceil(to));
  for (let at = Math.max(0, Math.floor(from)); at < end; at++) {
    const isFail = ops[at] === op.fail;
    if (!isFail && again[at] !== 1) continue;
    const depth = depths[at] ?? 0;
    const y = top + depth * rowHeight;
    if (y > height) continue;
    const x = (at - from) * scale;
    if (scale < 2) density.add(depth, x, isFail);
    else {
      context.fillStyle = isFail ? colours.fail : colours.redo;
      context.fillRect(Math.floor(x), y, Math.min(3, scale - 1), markHeight);
    }
  }
  for (const { row, x, share } of density.cells())
    drawShares(drawing, [x, top + row * rowHeight, markHeight], share, [colours.redo, colours.fail]);
}

/** A column of two colours, the second below. */
function drawShares(
  { context }: Drawing,
  [x, y, height]: readonly [number, number, number],
  share: number,
  [first, second]: readonly [string, string],
): void {
  const below = shareOfHeight(share, height, 2);
  context.fillStyle = first;
  context.fillRect(x, y, 1, height - below);
  context.fillStyle = second;
  context.fillRect(x, y + height - below, 1, below);
}

function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end = Math.floor(end * 0.85);
  return end > 1 ? `${text.slice(0, end)}…` : '';
}
