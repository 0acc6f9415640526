/** The editors of the page: CodeMirror, to read code or to write an input. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { type CodeLanguage, colours } from './tokens.js';

/** Styles that classes of colours cannot have. */
export const editorShape = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: 'var(--code-size)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--faint)', userSelect: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 10px 0 12px', minWidth: '36px' },
  '.cm-content': { padding: '6px 0' },
  '.cm-line': { padding: '0 12px 0 2px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--active-line)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
});

/** The page's policy admits style elements with the nonce of its own. */
const styles = EditorView.cspNonce.of(document.querySelector('style')?.nonce ?? '');

/** The extensions of an editor for reading: a cursor moves, nothing can be typed. */
export function readerExtensions(language: CodeLanguage, label: string, numbers: Extension = lineNumbers()): Extension {
  return [
    EditorState.readOnly.of(true),
    // The cursor shows only while the editor can be edited; `readOnly` refuses the changes.
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-readonly': 'true',
      tabindex: '0',
      spellcheck: 'false',
    }),
    numbers,
    highlightActiveLine(),
    drawSelection(),
    keymap.of(defaultKeymap),
    styles,
    editorShape,
    colours(language),
  ];
}

/** Text to write. */
export function writer(
  parent: Element,
  doc: string,
  language: CodeLanguage,
  label: string,
  more: Extension,
): EditorView {
  const extensions = [
    // First: its keys go before the usual ones.
    more,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off' }),
    history(),
    drawSelection(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.lineWrapping,
    styles,
    editorShape,
    colours(language),
  ];
  return new EditorView({ parent, state: EditorState.create({ doc, extensions }) });
}
