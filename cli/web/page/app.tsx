/** The frame of the page: title, views, search, status. */
import { useLayoutEffect } from 'preact/hooks';
import { BlocksView } from '../graph/blocks-view.js';
import { CallsView } from '../graph/calls-view.js';
import { CodeView, paneTitles } from '../panes/code-view.js';
import { DiffView } from '../passes/diff-view.js';
import { PassesView } from '../passes/passes-view.js';
import { RunPanel } from '../run/run-panel.js';
import type { RunState } from '../run/run-state.js';
import { type PageState, paneNames, viewTitles } from './page-state.js';
import { SearchBox } from './search.js';
import { StatusBar } from './status-bar.js';
import { ThemeButton } from './theme-button.js';

interface AppProps {
  readonly state: PageState;
  readonly run: RunState;
}

export function App({ state, run }: AppProps) {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => followShortcut(state, event);
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [state]);
  return (
    <div class="page">
      <TopBar state={state} />
      <main class="main" id="view" tabIndex={-1} aria-label={viewTitles[state.view.value]}>
        <View state={state} run={run} />
      </main>
      {state.isRunOpen.value && <RunPanel run={run} />}
      <StatusBar state={state} />
    </div>
  );
}

function View({ state, run }: AppProps) {
  switch (state.view.value) {
    case 'calls':
      return <CallsView state={state} run={run} />;
    case 'blocks':
      return <BlocksView state={state} />;
    case 'passes':
      return <PassesView state={state} engine={run.engine} />;
    case 'diff':
      return state.data.other && <DiffView data={state.data} other={state.data.other} />;
    default:
      return <CodeView state={state} run={run} />;
  }
}

function TopBar({ state }: { readonly state: PageState }) {
  const { title } = state.data;
  return (
    <header class="top">
      <h1 class="title">
        <span class="brand">writ</span> <span class="path">{title}</span>
      </h1>
      <nav class="views" aria-label="Views">
        {state.views.map((name) => (
          <button
            key={name}
            type="button"
            aria-current={state.view.value === name ? 'page' : undefined}
            onClick={() => (state.view.value = name)}
          >
            {viewTitles[name]}
          </button>
        ))}
      </nav>
      <button
        type="button"
        class="run-toggle"
        aria-expanded={state.isRunOpen.value}
        onClick={() => (state.isRunOpen.value = !state.isRunOpen.value)}
      >
        Run
      </button>
      <SearchBox state={state} />
      {state.view.value === 'code' && <PaneToggles state={state} />}
      <ThemeButton chosen={state.theme} />
    </header>
  );
}

function PaneToggles({ state }: { readonly state: PageState }) {
  return (
    <fieldset class="toggles" aria-label="Panes">
      {paneNames.map((name) => (
        <button
          key={name}
          type="button"
          class={state.front.value === name ? 'front' : undefined}
          aria-pressed={state.panes.value.has(name)}
          onClick={() => (isNarrow() ? (state.front.value = name) : state.togglePane(name))}
        >
          {paneTitles[name]}
        </button>
      ))}
    </fieldset>
  );
}

function isNarrow(): boolean {
  return matchMedia('(max-width: 700px)').matches;
}

/** Keys without a modifier, where no text is written. */
function followShortcut(state: PageState, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as HTMLElement;
  const isWriting = target.matches('input, select, textarea, [contenteditable="true"]:not([aria-readonly="true"])');
  if (isWriting) return;
  if (event.key === '/') {
    event.preventDefault();
    document.querySelector<HTMLInputElement>('.search input')?.focus();
  }
  const pane = paneNames[Number(event.key) - 1];
  if (pane !== undefined && state.view.value === 'code') {
    event.preventDefault();
    state.front.value = pane;
    if (!state.panes.value.has(pane)) state.togglePane(pane);
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`.pane-${pane} .cm-content`)?.focus());
  }
}
