/** Marks of a pane on its lines: light, heat, notes at line ends. */
import { RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import type { DecorationSet, EditorView, PluginValue, ViewUpdate } from '@codemirror/view';
import { Decoration, ViewPlugin, WidgetType } from '@codemirror/view';

/** A stretch of lines: from 1, columns in UTF-16 units from 0, the end exclusive. */
export interface LitRange {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

export interface LineMarks {
  /** Numbers of lines, from 1. */
  readonly lit: ReadonlySet<number>;
  readonly ranges: readonly LitRange[];
  /** Lines whose statement does not stand where its author wrote it. */
  readonly moved: ReadonlySet<number>;
  /** The line of the step that is shown. */
  readonly current: number | undefined;
  /** Notes by line. */
  readonly notes: ReadonlyMap<number, LineNote>;
}

/** The results of an evaluation on a line. */
export interface LineNote {
  /** 0 to 1; undefined without a measure. */
  readonly heat?: number;
  /** Whether it was evaluated, failed at its last time, or never reached. */
  readonly coverage?: 'passed' | 'failed' | 'unreached';
  /** How often. */
  readonly count?: number;
  /** At the line's end. */
  readonly text?: string;
}

const noMarks: LineMarks = { lit: new Set(), moved: new Set(), ranges: [], current: undefined, notes: new Map() };

const setMarks = StateEffect.define<LineMarks>();

const marksField = StateField.define<LineMarks>({
  create: () => noMarks,
  update: (marks, { effects }) => effects.find((effect) => effect.is(setMarks))?.value ?? marks,
});

/** Shows other marks on a pane. */
export function showMarks(view: EditorView, marks: LineMarks): void {
  if (view.state.field(marksField) !== marks) view.dispatch({ effects: setMarks.of(marks) });
}

class NoteWidget extends WidgetType {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override eq(other: NoteWidget): boolean {
    return other.text === this.text;
  }

  toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'line-note';
    element.textContent = this.text;
    return element;
  }
}

const litText = Decoration.mark({ class: 'lit-text' });

/** Only the lines in view are decorated: a plan may have 100,000. */
class MarksInView implements PluginValue {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = build(view);
  }

  update(update: ViewUpdate): void {
    const isChanged = update.startState.field(marksField) !== update.state.field(marksField);
    if (isChanged || update.docChanged || update.viewportChanged) this.decorations = build(update.view);
  }
}

function build(view: EditorView): DecorationSet {
  const { lit, moved, ranges, current, notes } = view.state.field(marksField);
  const { doc } = view.state;
  // The builder takes them in their order in the text.
  const inOrder = ranges.toSorted((a, b) => a.from - b.from || a.to - b.to);
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = doc.lineAt(at);
      const note = notes.get(line.number);
      const classes = [
        lit.has(line.number) && 'lit',
        current === line.number && 'current',
        moved.has(line.number) && 'moved',
        note?.coverage,
        note?.heat !== undefined && `heat-${Math.min(9, Math.floor(note.heat * 10))}`,
      ].filter((name) => typeof name === 'string');
      if (classes.length > 0) builder.add(line.from, line.from, Decoration.line({ class: classes.join(' ') }));
      for (const range of inOrder) {
        if (range.line !== line.number || range.from >= range.to) continue;
        builder.add(
          line.from + Math.min(range.from, line.length),
          line.from + Math.min(range.to, line.length),
          litText,
        );
      }
      if (note?.text) builder.add(line.to, line.to, Decoration.widget({ widget: new NoteWidget(note.text), side: 1 }));
      at = line.to + 1;
    }
  }
  return builder.finish();
}

export const lineMarks = [
  marksField,
  ViewPlugin.fromClass(MarksInView, { decorations: (plugin) => plugin.decorations }),
];
