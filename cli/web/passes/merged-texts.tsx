/** Two listings side by side, with their differences. */
import { MergeView } from '@codemirror/merge';
import { useEffect, useRef } from 'preact/hooks';
import { readerExtensions } from '../panes/editor.js';
import type { MergedRows } from './merged-rows.js';

interface MergedTextsProps {
  readonly rows: MergedRows;
  readonly leftTitle: string;
  readonly rightTitle: string;
}

export function MergedTexts({ rows, leftTitle, rightTitle }: MergedTextsProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new MergeView({
      parent: host.current!,
      a: { doc: rows.left, extensions: readerExtensions('listing', leftTitle) },
      b: { doc: rows.right, extensions: readerExtensions('listing', rightTitle) },
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: { override: () => [...rows.changes] },
    });
    return () => view.destroy();
  }, [rows, leftTitle, rightTitle]);
  return (
    <div class="merged">
      <header>
        <h2 class="merged-title">{leftTitle}</h2>
        <h2 class="merged-title">{rightTitle}</h2>
      </header>
      <div class="merged-texts" ref={host} />
    </div>
  );
}
