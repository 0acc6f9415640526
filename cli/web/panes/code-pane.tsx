/** A pane with code in CodeMirror: shows which lines are lit, tells which are pointed at. */
import { EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView, hoverTooltip } from '@codemirror/view';
import { effect, type ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { readerExtensions } from './editor.js';
import { type LineMarks, lineMarks, showMarks } from './line-marks.js';
import type { CodeLanguage } from './tokens.js';

export interface CodePaneProps {
  readonly name: string;
  readonly title: string;
  readonly language: CodeLanguage;
  readonly text: string | Text;
  readonly marks: ReadonlySignal<LineMarks>;
  /** Where to scroll, by lines from 1; a new object scrolls again. */
  readonly reveal: ReadonlySignal<{ readonly lines: readonly number[] }>;
  /** A line from 1 and a unit from 0; undefined when the pointer leaves. */
  readonly onHover: (line: number | undefined, unit: number) => void;
  readonly onCursor: (line: number, unit: number) => void;
  /** The results of a line's statements, shown beside the pointer; undefined for nothing. */
  readonly tipOf: (line: number, unit: number) => string | undefined;
  /** The gutter with the numbers of the lines. */
  readonly numbers?: Extension | undefined;
  readonly problem?: string | undefined;
  readonly isFront: boolean;
  readonly children?: ComponentChildren;
}

export function CodePane(props: CodePaneProps) {
  const { name, title, language, text, marks, reveal, onHover, onCursor, tipOf, numbers, problem, isFront, children } =
    props;
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem !== undefined) return;
    const events = EditorView.domEventHandlers({
      mousemove: (event, view) => {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at === null) return onHover(undefined, 0);
        const line = view.state.doc.lineAt(at);
        onHover(line.number, at - line.from);
      },
      mouseleave: () => onHover(undefined, 0),
    });
    const cursor = EditorView.updateListener.of((update) => {
      // Text that is replaced moves the cursor, too: only a person's own moves count.
      const isOwn = update.transactions.some((transaction) => transaction.isUserEvent('select'));
      if (!update.selectionSet || !isOwn) return;
      const { head } = update.state.selection.main;
      const line = update.state.doc.lineAt(head);
      onCursor(line.number, head - line.from);
    });
    const extensions = [readerExtensions(language, title, numbers), lineMarks, events, cursor, valueTips(tipOf)];
    const view = new EditorView({ parent: host.current!, state: EditorState.create({ doc: text, extensions }) });
    const stops = [effect(() => showMarks(view, marks.value)), effect(() => revealLines(view, reveal.value.lines))];
    return () => {
      for (const stop of stops) stop();
      view.destroy();
    };
  }, [text, problem]);
  return (
    <section class={`pane pane-${name}${isFront ? ' front' : ''}`} aria-label={title}>
      <header class="pane-head">
        <h2>{title}</h2>
        {children}
      </header>
      {problem === undefined ? <div class="pane-code" ref={host} /> : <p class="pane-problem">{problem}</p>}
    </section>
  );
}

function valueTips(tipOf: CodePaneProps['tipOf']): Extension {
  return hoverTooltip((view, position) => {
    const line = view.state.doc.lineAt(position);
    const text = tipOf(line.number, position - line.from);
    if (text === undefined || text === '') return null;
    return {
      pos: position,
      above: true,
      create: () => {
        const dom = document.createElement('div');
        dom.className = 'value-tip';
        dom.textContent = text;
        return { dom };
      },
    };
  });
}

/** Scrolls so that the first of some lines is in view, unless one of them is. */
function revealLines(view: EditorView, lines: readonly number[]): void {
  const { doc } = view.state;
  const [first] = lines;
  if (first === undefined || first > doc.lines) return;
  const { top, bottom } = view.scrollDOM.getBoundingClientRect();
  const isInView = lines.some((line) => {
    if (line > doc.lines) return false;
    const block = view.lineBlockAt(doc.line(line).from);
    const y = block.top + view.documentTop;
    return y >= top && y + block.height <= bottom;
  });
  if (!isInView) view.dispatch({ effects: EditorView.scrollIntoView(doc.line(first).from, { y: 'center' }) });
}
