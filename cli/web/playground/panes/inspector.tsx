/** The plan of the query with the inspector's views: code, graphs, passes, a run step by step. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { BlocksView } from '../../graph/blocks-view.js';
import { CallsView } from '../../graph/calls-view.js';
import { PageState, viewTitles } from '../../page/page-state.js';
import { CodeView } from '../../panes/code-view.js';
import { PassesView } from '../../passes/passes-view.js';
import { RunPanel } from '../../run/run-panel.js';
import { RunState } from '../../run/run-state.js';
import { type AnswerOrError, messageOf, type PlaygroundState } from '../page/playground-state.js';

export function Inspector({ state }: { readonly state: PlaygroundState }) {
  const opened = useSignal<AnswerOrError<RunState> | undefined>(undefined);
  useEffect(() => {
    state.engine
      .ask('inspect', state.asked.peek())
      .then((data) => {
        const run = new RunState(new PageState(data), state.engine);
        opened.value = { answer: run };
        void run.run();
      })
      .catch((error: unknown) => (opened.value = { error: messageOf(error) }));
  }, [state]);
  if (opened.value === undefined) return <main class="main" />;
  if (opened.value.error !== undefined)
    return (
      <main class="main">
        <p class="problem" role="alert">
          {opened.value.error}
        </p>
      </main>
    );
  return <Views run={opened.value.answer} />;
}

const shown = ['code', 'calls', 'blocks', 'passes'] as const;

function Views({ run }: { readonly run: RunState }) {
  const { page } = run;
  return (
    <main class="main inspector">
      <nav class="views" aria-label="Views">
        {shown.map((name) => (
          <button
            key={name}
            type="button"
            aria-current={page.view.value === name ? 'page' : undefined}
            onClick={() => (page.view.value = name)}
          >
            {viewTitles[name]}
          </button>
        ))}
      </nav>
      <div class="main">
        <View run={run} />
      </div>
      <RunPanel run={run} />
    </main>
  );
}

function View({ run }: { readonly run: RunState }) {
  const { page, engine } = run;
  switch (page.view.value) {
    case 'calls':
      return <CallsView state={page} run={run} />;
    case 'blocks':
      return <BlocksView state={page} />;
    case 'passes':
      return <PassesView state={page} engine={engine} />;
    default:
      return <CodeView state={page} run={run} />;
  }
}
