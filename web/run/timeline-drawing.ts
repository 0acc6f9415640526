/** Draws the calls of a recording over its events, in a canvas. */
import { op, type Recording } from '../recording/recording.js';

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
export function spansOf({ length, ops, what }: Recording): readonly Span[] {
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
  readonly recording: Recording;
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

function drawCalls({ context, width, height, recording, spans, range: [from, to], colours, nameOf }: Drawing): void {
  const scale = width / (to - from);
  /** By depth, the first pixel that is still free: calls narrower than one are drawn once. */
  const free: number[] = [];
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  for (const { begin, end, depth, owner } of spans) {
    if (begin >= to) break;
    if (end <= from) continue;
    const y = top + depth * rowHeight;
    if (y > height) continue;
    const left = Math.max(0, (begin - from) * scale);
    const right = Math.min(width, (end - from) * scale);
    if (right <= (free[depth] ?? -1)) continue;
    free[depth] = Math.ceil(right);
    // The return of a call without a value stores none.
    const isUndefined = recording.ops[end - 1] === op.return && recording.textOf(end - 1) === '';
    context.fillStyle = isUndefined ? colours.failedBar : colours.bar;
    context.fillRect(left, y, Math.max(1, right - left - 1), rowHeight - 2);
    if (right - left < 36) continue;
    context.fillStyle = colours.barText;
    context.fillText(fitted(context, nameOf(owner), right - left - 8), left + 4, y + rowHeight / 2 - 0.5);
  }
}

/** Failures and further rows, as ticks below the bar of their call. */
function drawMarks({ context, width, height, recording, range: [from, to], colours }: Drawing): void {
  const { ops, again, depths } = recording;
  const scale = width / (to - from);
  /** By depth, the last pixels with a redo and a failure. */
  const lastPixel: number[] = [];
  const end = Math.min(recording.length, Math.ceil(to));
  for (let at = Math.max(0, Math.floor(from)); at < end; at++) {
    const isFail = ops[at] === op.fail;
    const isRedo = again[at] === 1;
    if (!isFail && !isRedo) continue;
    const x = Math.floor((at - from) * scale);
    const depth = depths[at] ?? 0;
    const lane = depth * 2 + (isFail ? 1 : 0);
    if (lastPixel[lane] === x) continue;
    lastPixel[lane] = x;
    const y = top + depth * rowHeight;
    if (y > height) continue;
    context.fillStyle = isFail ? colours.fail : colours.redo;
    context.fillRect(x, y, Math.min(3, Math.max(1, scale - 1)), 5);
  }
}

function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end = Math.floor(end * 0.85);
  return end > 1 ? `${text.slice(0, end)}…` : '';
}
