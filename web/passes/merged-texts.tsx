/** Two texts side by side, with their differences. */
import { MergeView } from '@codemirror/merge';
import { useEffect, useRef } from 'preact/hooks';
import { readerExtensions } from '../panes/editor.js';

interface MergedTextsProps {
  readonly left: string;
  readonly right: string;
  readonly leftTitle: string;
  readonly rightTitle: string;
}

export function MergedTexts({ left, right, leftTitle, rightTitle }: MergedTextsProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new MergeView({
      parent: host.current!,
      a: { doc: left, extensions: readerExtensions('listing', leftTitle) },
      b: { doc: right, extensions: readerExtensions('listing', rightTitle) },
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: { scanLimit: 2000, timeout: 2000 },
    });
    return () => view.destroy();
  }, [left, right, leftTitle, rightTitle]);
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
