/** The editors of JSON documents: input and data. */
import { closeBrackets } from '@codemirror/autocomplete';
import { EditorView } from '@codemirror/view';
import { effect, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { writer } from '../../panes/editor.js';

export function DocumentEditor({ label, text }: { readonly label: string; readonly text: Signal<string> }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const changes = EditorView.updateListener.of((update) => {
      if (update.docChanged) text.value = update.state.doc.toString();
    });
    const view = writer(host.current!, text.peek(), 'json', label, [changes, closeBrackets()]);
    const stop = effect(() => {
      const wanted = text.value;
      const { doc } = view.state;
      if (doc.toString() !== wanted) view.dispatch({ changes: { from: 0, to: doc.length, insert: wanted } });
    });
    return () => {
      stop();
      view.destroy();
    };
  }, [text, label]);
  return (
    <section class="document" aria-label={label}>
      <h2>{label}</h2>
      <div class="document-editor" ref={host} />
    </section>
  );
}
