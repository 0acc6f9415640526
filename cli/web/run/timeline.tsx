/** The timeline of a run: click and arrow keys go to events, a drag zooms. */
import { useSignal } from '@preact/signals';
import type { TargetedPointerEvent } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { RecordedEvents } from '../recording/recording.js';
import type { RunState } from './run-state.js';
import { drawTimeline, rowHeight, spansOf } from './timeline-drawing.js';

const mostRows = 12;

export function Timeline({ run, recording }: { readonly run: RunState; readonly recording: RecordedEvents }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  /** The pixels of a drag. */
  const brush = useSignal<readonly [number, number] | undefined>(undefined);
  const spans = useMemo(() => spansOf(recording), [recording]);
  const at = run.at.value;
  const range = run.range.value;
  const theme = run.page.theme.value;
  const deepest = useMemo(() => spans.reduce((most, { depth }) => Math.max(most, depth), 0), [spans]);
  const height = Math.min(mostRows, deepest + 1) * rowHeight + 10;
  /** The timeline without the event that is looked at: a million events take some 20 ms. */
  const base = useMemo(() => document.createElement('canvas'), []);
  const shown = useRef({ at, range });
  shown.current = { at, range };
  const paint = () => paintTimeline(canvas.current, base, shown.current.at, shown.current.range);
  useEffect(() => {
    const element = canvas.current!;
    const draw = () => {
      const width = element.clientWidth;
      const density = devicePixelRatio || 1;
      for (const each of [element, base]) {
        each.width = Math.round(width * density);
        each.height = Math.round(height * density);
      }
      const context = base.getContext('2d')!;
      context.scale(density, density);
      const nameOf = (owner: number) => shortName(run.page.links.value.ownerName(owner));
      drawTimeline({ context, width, height, recording, spans, range, colours: coloursOf(element), nameOf });
      paint();
    };
    const frame = requestAnimationFrame(draw);
    const resized = new ResizeObserver(() => requestAnimationFrame(draw));
    resized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      cancelAnimationFrame(frame);
      resized.disconnect();
      scheme.removeEventListener('change', draw);
    };
  }, [recording, spans, range, theme, height]);
  useEffect(paint, [at]);

  const eventAt = (x: number, { clientWidth }: Element) => {
    const [from, to] = range;
    return Math.floor(from + (x / clientWidth) * (to - from));
  };
  const onUp = ({ offsetX, currentTarget }: TargetedPointerEvent<HTMLCanvasElement>): void => {
    const [start, end] = brush.value ?? [offsetX, offsetX];
    brush.value = undefined;
    if (Math.abs(end - start) < 4) return run.goTo(eventAt(end, currentTarget));
    const left = eventAt(Math.min(start, end), currentTarget);
    const [from, to] = [left, eventAt(Math.max(start, end), currentTarget) + 1];
    run.range.value = [Math.max(0, from), Math.min(recording.length, Math.max(to, from + 4))];
  };
  return (
    <div class="timeline">
      <canvas
        ref={canvas}
        style={{ height: `${height}px` }}
        tabIndex={0}
        role="slider"
        aria-label="Timeline"
        aria-valuemin={1}
        aria-valuemax={recording.length}
        aria-valuenow={at + 1}
        aria-valuetext={`event ${at + 1} of ${recording.length}: ${run.textOf(at)}`}
        onKeyDown={(event) => onKey(run, event)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          brush.value = [event.offsetX, event.offsetX];
        }}
        onPointerMove={(event) => {
          if (brush.value !== undefined) brush.value = [brush.value[0], event.offsetX];
        }}
        onPointerUp={onUp}
        onDblClick={() => (run.range.value = [0, recording.length])}
        onWheel={(event) => {
          if (event.ctrlKey) {
            event.preventDefault();
            zoom(run, event.deltaY < 0 ? 0.8 : 1.25, eventAt(event.offsetX, event.currentTarget));
          } else if (event.deltaX !== 0) move(run, Math.sign(event.deltaX) * 0.05);
        }}
      />
      {brush.value !== undefined && Math.abs(brush.value[1] - brush.value[0]) >= 4 && (
        <div
          class="brush"
          style={{
            left: `${Math.min(...brush.value)}px`,
            width: `${Math.abs(brush.value[1] - brush.value[0])}px`,
            height: `${height}px`,
          }}
        />
      )}
    </div>
  );
}

function coloursOf(element: Element) {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--timeline-${name}`);
  return {
    bar: colour('bar'),
    barText: colour('text'),
    failedBar: colour('undefined'),
    fail: colour('fail'),
    redo: colour('redo'),
  };
}

/** The timeline, with a line at an event. */
function paintTimeline(
  canvas: HTMLCanvasElement | null,
  base: HTMLCanvasElement,
  at: number,
  [from, to]: readonly [number, number],
): void {
  if (canvas === null || base.width === 0) return;
  const context = canvas.getContext('2d')!;
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(base, 0, 0);
  const density = devicePixelRatio || 1;
  context.fillStyle = getComputedStyle(canvas).getPropertyValue('--timeline-now');
  context.fillRect(
    Math.round(((at + 0.5 - from) / (to - from)) * canvas.width) - density,
    0,
    2 * density,
    canvas.height,
  );
}

/** Arrow keys step; with Shift over calls, with Alt to failures. */
function onKey(run: RunState, event: KeyboardEvent): void {
  const length = run.recording.value?.length ?? 0;
  const kind = event.shiftKey ? 'over' : event.altKey ? 'fail' : 'any';
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => run.step(1, kind),
    ArrowLeft: () => run.step(-1, kind),
    Home: () => run.goTo(0),
    End: () => run.goTo(length - 1),
    PageDown: () => run.goTo(run.at.value + 100),
    PageUp: () => run.goTo(run.at.value - 100),
    '+': () => zoom(run, 0.5, run.at.value),
    '=': () => zoom(run, 0.5, run.at.value),
    '-': () => zoom(run, 2, run.at.value),
    '0': () => (run.range.value = [0, length]),
  };
  const action = keys[event.key];
  if (action === undefined) return;
  event.preventDefault();
  // Digits choose panes elsewhere.
  event.stopPropagation();
  action();
}

/** Shows a part of the events around one that keeps its place. */
function zoom(run: RunState, factor: number, around: number): void {
  const length = run.recording.value?.length ?? 1;
  const [from, to] = run.range.value;
  const width = Math.max(4, Math.min(length, (to - from) * factor));
  const start = Math.max(0, Math.min(length - width, around - ((around - from) / (to - from)) * width));
  run.range.value = [Math.floor(start), Math.ceil(start + width)];
}

function move(run: RunState, part: number): void {
  const length = run.recording.value?.length ?? 1;
  const [from, to] = run.range.value;
  const width = to - from;
  const start = Math.max(0, Math.min(length - width, from + part * width));
  run.range.value = [Math.floor(start), Math.floor(start) + width];
}

/** A function's name without the group of the compiler. */
export function shortName(name: string): string {
  return name.replace(/^g\d+\.data\./, '');
}
