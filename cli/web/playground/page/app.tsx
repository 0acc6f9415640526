/** The frame of the playground. */

import { useEffect } from 'preact/hooks';
import { ThemeButton } from '../../page/theme-button.js';
import { Answers } from '../panes/answers.js';
import { DocumentEditor } from '../panes/document-editor.js';
import { FileTabs } from '../panes/file-tabs.js';
import { Inspector } from '../panes/inspector.js';
import { PolicyEditor } from '../panes/policy-editor.js';
import { examples } from './examples.js';
import { ExportMenu } from './export-menu.js';
import type { PlaygroundState } from './playground-state.js';

interface Props {
  readonly state: PlaygroundState;
}

export function Playground({ state }: Props) {
  useEffect(() => state.start(), [state]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || state.folder.value === undefined)
        return;
      event.preventDefault();
      void state.save();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [state]);
  return (
    <div class="page playground">
      <Header state={state} />
      {state.isInspecting.value ? (
        <Inspector state={state} />
      ) : (
        <main class="panes">
          <div class="editors">
            <FileTabs state={state} />
            <PolicyEditor state={state} />
            <div class="documents">
              <DocumentEditor label="Input" text={state.input} />
              <DocumentEditor label="Data" text={state.data} />
            </div>
          </div>
          <Answers state={state} />
        </main>
      )}
      <StatusBar state={state} />
    </div>
  );
}

function Header({ state }: Props) {
  return (
    <header class="top">
      <h1 class="title">
        <span class="brand">writ</span> <span class="path">playground</span>
      </h1>
      <select
        aria-label="Examples"
        value=""
        onChange={({ currentTarget }) => {
          const chosen = examples[Number(currentTarget.value)];
          if (chosen !== undefined) state.show(chosen);
          currentTarget.value = '';
        }}
      >
        <option value="">Examples…</option>
        {examples.map(({ title }, i) => (
          <option key={title} value={i}>
            {title}
          </option>
        ))}
      </select>
      <span class="gap" />
      <button
        type="button"
        aria-pressed={state.isInspecting.value}
        onClick={() => (state.isInspecting.value = !state.isInspecting.value)}
      >
        Plan
      </button>
      {state.folder.value !== undefined && (
        <button type="button" title="Ctrl+S" onClick={() => void state.save()}>
          Save
        </button>
      )}
      <Share state={state} />
      <ExportMenu state={state} />
      <ThemeButton />
    </header>
  );
}

function Share({ state }: Props) {
  return (
    <button
      type="button"
      title="Put the project into the address and copy that. Nothing is sent anywhere."
      onClick={async () => {
        const link = await state.link();
        try {
          await navigator.clipboard.writeText(link);
          state.notice.value = 'the link is in the clipboard, and in the address';
        } catch {
          state.notice.value = 'the link is in the address';
        }
      }}
    >
      Share
    </button>
  );
}

function StatusBar({ state }: Props) {
  const { answer, error } = state.evaluated.value ?? {};
  const others = error === undefined && answer?.error === undefined ? 0 : 1;
  const errors = state.problems.value.length + others;
  const warnings = state.warnings.value.length;
  const times = answer?.milliseconds;
  return (
    <footer class="status-bar">
      <span class={errors > 0 ? 'problem-text' : undefined}>{counted(errors, 'error')}</span>
      <span>{counted(warnings, 'warning')}</span>
      {times !== undefined && errors === 0 && (
        <span>
          compiled in {times.compile.toFixed(1)} ms, evaluated in {times.evaluate.toFixed(2)} ms
        </span>
      )}
      <span class="gap" />
      <output>{state.notice.value}</output>
      <span class="soft">Runs in this page: nothing is sent anywhere.</span>
    </footer>
  );
}

function counted(number: number, noun: string): string {
  return `${number === 0 ? 'no' : number} ${noun}${number === 1 ? '' : 's'}`;
}
