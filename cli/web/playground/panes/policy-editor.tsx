/** The editor of the policies: one view, and a state for each file. */
import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState, type Extension, RangeSet, StateEffect, StateField, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  GutterMarker,
  gutterLineClass,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { LineState } from '../../../../views/index.js';
import { editorShape } from '../../panes/editor.js';
import { colours } from '../../panes/tokens.js';
import { LanguageClient } from '../language/language-client.js';
import type { PlaygroundState } from '../page/playground-state.js';

export function PolicyEditor({ state }: { readonly state: PlaygroundState }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const states = new Map<string, EditorState>();
    const language = new LanguageClient(state);
    const stateOf = (file: string, doc: string) => editorState(state, file, doc, language.extensionFor(file));
    let shown = state.open.peek();
    const view = new EditorView({ parent: host.current!, state: stateOf(shown, state.text.peek()) });
    language.attach(view);
    const stops = [
      effect(() => {
        const file = state.open.value;
        const text = state.text.value;
        if (file !== shown) {
          states.set(shown, view.state);
          shown = file;
          const kept = states.get(file);
          view.setState(kept?.doc.toString() === text ? kept : stateOf(file, text));
        } else if (view.state.doc.toString() !== text) {
          view.setState(stateOf(file, text));
        }
      }),
      effect(() => {
        void state.files.value;
        language.follow();
        language.showFile(state.open.value);
      }),
      effect(() => {
        const file = state.open.value;
        const lines = state.evaluated.value?.answer?.lines ?? [];
        view.dispatch({ effects: showLines.of(lines.filter((one) => one.file === file)) });
      }),
      effect(() => {
        const place = state.place.value;
        if (place === undefined) return;
        state.place.value = undefined;
        const anchor = offsetOf(view.state.doc, place.row, place.col);
        view.dispatch({ selection: { anchor }, scrollIntoView: true });
        view.focus();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      view.destroy();
    };
  }, [state]);
  return <div class="policy-editor" ref={host} />;
}

function editorState(state: PlaygroundState, file: string, doc: string, language: Extension): EditorState {
  const changes = EditorView.updateListener.of((update) => {
    if (update.docChanged) state.write(file, update.state.doc.toString());
  });
  return EditorState.create({ doc, extensions: [changes, language, ...policyExtensions(`Policy ${file}`)] });
}

function policyExtensions(label: string): readonly Extension[] {
  return [
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off' }),
    lintGutter(),
    lineNumbers(),
    lineStates,
    history(),
    drawSelection(),
    highlightActiveLine(),
    bracketMatching(),
    closeBrackets(),
    indentUnit.of('\t'),
    EditorState.tabSize.of(4),
    // Escape, then Tab, leaves the editor.
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    editorShape,
    problemMarks,
    colours('rego'),
  ];
}

/** The rows of code points that the compiler counts, as offsets of the editor. */
function offsetOf(doc: Text, row: number, col: number): number {
  const line = doc.line(Math.min(Math.max(1, row), doc.lines));
  const before = [...line.text].slice(0, Math.max(0, col - 1)).join('');
  return Math.min(line.from + before.length, line.to);
}

/** Marks of problems without the images of CodeMirror, which `default-src 'self'` blocks. */
const problemMarks = EditorView.theme(
  Object.fromEntries(
    Object.entries({ error: '--failed', warning: '--heat', info: '--soft', hint: '--soft' }).flatMap(
      ([kind, colour]) => [
        [`.cm-lintRange-${kind}`, { backgroundImage: 'none', textDecoration: `underline wavy var(${colour}) 1px` }],
        [`.cm-lint-marker-${kind}`, { content: '"●"', color: `var(${colour})`, fontSize: '9px', textAlign: 'center' }],
      ],
    ),
  ),
);

const showLines = StateEffect.define<readonly LineState[]>();

class LineMark extends GutterMarker {
  override readonly elementClass: string;

  constructor(state: LineState['state']) {
    super();
    this.elementClass = `line-${state}`;
  }
}

const lineMarks = {
  passed: new LineMark('passed'),
  failed: new LineMark('failed'),
  unreached: new LineMark('unreached'),
};

/** Marks of the last evaluation beside the numbers of lines. */
const lineStates = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update: (marks, transaction) => {
    for (const one of transaction.effects) {
      if (!one.is(showLines)) continue;
      const { doc } = transaction.state;
      const inDoc = one.value.filter(({ row }) => row <= doc.lines).sort((a, b) => a.row - b.row);
      return RangeSet.of(inDoc.map(({ row, state }) => lineMarks[state].range(doc.line(row).from)));
    }
    return marks.map(transaction.changes);
  },
  provide: (field) => gutterLineClass.from(field),
});
