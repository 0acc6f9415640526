/** The run below the panes: query and input, result, timeline, values. */

import { EditorView, keymap } from '@codemirror/view';
import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { count } from '../page/page-state.js';
import { writer } from '../panes/editor.js';
import type { RecordedEvents } from '../recording/recording.js';
import { entrypointsOfPlan, measures, type RunState } from './run-state.js';
import { Timeline } from './timeline.js';
import { Values } from './values.js';

export function RunPanel({ run }: { readonly run: RunState }) {
  const recording = run.recording.value;
  return (
    <section class="run" aria-label="Run">
      <Question run={run} />
      <div class="run-answer">
        {run.problem.value !== undefined && (
          <p class="problem" role="alert">
            {run.problem.value}
          </p>
        )}
        {recording === undefined && run.problem.value === undefined && <Hint />}
        {recording !== undefined && <Steps run={run} recording={recording} />}
        {recording !== undefined && recording.length > 0 && <Timeline run={run} recording={recording} />}
        {recording !== undefined && (
          <div class="run-details">
            <Values run={run} />
            <Result run={run} />
          </div>
        )}
      </div>
    </section>
  );
}

function Hint() {
  return (
    <p class="hint">
      The evaluation runs in this page: nothing is sent anywhere. Run the query to see values, counts and the way that
      the evaluation took.
    </p>
  );
}

function Question({ run }: { readonly run: RunState }) {
  const entrypoints = entrypointsOfPlan(run.page.data.plan);
  const start = () => void run.run();
  return (
    <form
      class="run-question"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <div class="query">
        <input
          class="field mono"
          type="text"
          aria-label="Query"
          list="entrypoints"
          spellcheck={false}
          value={run.query.value}
          onInput={({ currentTarget }) => (run.query.value = currentTarget.value)}
        />
        <datalist id="entrypoints">
          {entrypoints.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {run.isRunning.value ? (
          <button type="button" class="main-button" onClick={() => run.stop()}>
            Stop
          </button>
        ) : (
          <button type="submit" class="main-button" title="Ctrl+Enter in the input">
            Run
          </button>
        )}
      </div>
      <div class="inputs">
        <JsonEditor label="Input" text={run.input} onRun={start} />
        {run.isCompared.value && <JsonEditor label="Other input" text={run.otherInput} onRun={start} />}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={run.isCompared.value}
          onChange={({ currentTarget }) => {
            run.isCompared.value = currentTarget.checked;
            if (run.otherInput.value === '') run.otherInput.value = run.input.value;
          }}
        />{' '}
        compare with another input
      </label>
      <RecordingFile run={run} />
    </form>
  );
}

/** Opens a recording from a file, and chooses one of its runs. */
function RecordingFile({ run }: { readonly run: RunState }) {
  const opened = run.opened.value;
  return (
    <div class="recording-file">
      <label class="link">
        Open a recording…
        <input
          type="file"
          accept=".writtrace,application/json"
          onChange={({ currentTarget }) => {
            void currentTarget.files?.[0]?.text().then((text) => run.open(text));
            currentTarget.value = '';
          }}
        />
      </label>
      {opened !== undefined && opened.runs.length > 1 && (
        <select
          aria-label="Run of the recording"
          value={run.runIndex.value}
          onChange={({ currentTarget }) => run.showRun(opened, Number(currentTarget.value))}
        >
          {opened.runs.map(({ entrypoint }, i) => (
            <option key={entrypoint} value={i}>
              {entrypoint}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

function JsonEditor({
  label,
  text,
  onRun,
}: {
  readonly label: string;
  readonly text: Signal<string>;
  readonly onRun: () => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(onRun);
  latest.current = onRun;
  useEffect(() => {
    const changes = EditorView.updateListener.of((update) => {
      if (update.docChanged) text.value = update.state.doc.toString();
    });
    const submitted = () => {
      latest.current();
      return true;
    };
    const submit = keymap.of([{ key: 'Mod-Enter', run: submitted }]);
    const view = writer(host.current!, text.peek(), 'json', label, [changes, submit]);
    return () => view.destroy();
  }, [text, label]);
  return (
    <div class="json-editor">
      <h3>{label}</h3>
      <div ref={host} />
    </div>
  );
}

/** The shown event, and the buttons that go to others. */
function Steps({ run, recording }: { readonly run: RunState; readonly recording: RecordedEvents }) {
  const { length, run: recorded } = recording;
  const left = recorded.events.total - length;
  const buttons = [
    ['⇤', 'Previous event of this call', () => run.step(-1, 'over')],
    ['←', 'Previous event', () => run.step(-1)],
    ['→', 'Next event', () => run.step(1)],
    ['⇥', 'Next event of this call', () => run.step(1, 'over')],
    ['✗←', 'Previous failure', () => run.step(-1, 'fail')],
    ['→✗', 'Next failure', () => run.step(1, 'fail')],
  ] as const;
  return (
    <div class="steps">
      <div class="buttons">
        {buttons.map(([text, title, go]) => (
          <button key={title} type="button" title={title} aria-label={title} onClick={go}>
            {text}
          </button>
        ))}
      </div>
      <span class="event">
        <span class="soft">
          {(run.at.value + 1).toLocaleString('en')} / {count(length, 'event')}
          {left > 0 && `, ${left.toLocaleString('en')} more were not kept`}
        </span>{' '}
        <code>{run.textOf(run.at.value)}</code>
      </span>
      {run.otherResult.value !== undefined && <Differences run={run} />}
      <label class="measure">
        Heat{' '}
        <select
          value={run.measure.value}
          onChange={({ currentTarget }) => (run.measure.value = currentTarget.value as 'count')}
        >
          {measures.map((measure) => (
            <option key={measure} value={measure}>
              {measure}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Ways to the differences of two runs, and what both have at the one that is looked at. */
function Differences({ run }: { readonly run: RunState }) {
  const all = run.differences.value;
  const [first] = all;
  if (first === undefined) return <span class="difference">Both inputs take the same way, with the same values.</span>;
  const way = all.find(({ kind }) => kind === 'way');
  const here = all.find(({ at }) => at === run.at.value);
  const [left, right] = here === undefined ? [] : run.bothTexts(here);
  return (
    <span class="difference">
      <button type="button" class="link" onClick={() => run.goTo(first.at)}>
        first difference: event {(first.at + 1).toLocaleString('en')} ({first.kind})
      </button>
      {way !== undefined && (
        <button type="button" class="link" onClick={() => run.goTo(way.at)}>
          first other way: event {(way.at + 1).toLocaleString('en')}
        </button>
      )}
      <span class="buttons">
        <button
          type="button"
          title="Previous difference"
          aria-label="Previous difference"
          onClick={() => run.stepDifference(-1)}
        >
          ≠←
        </button>
        <button
          type="button"
          title="Next difference"
          aria-label="Next difference"
          onClick={() => run.stepDifference(1)}
        >
          →≠
        </button>
      </span>
      <span class="soft">{count(all.length, 'difference')}</span>
      {here !== undefined && (
        <span class="both" role="status">
          <code>{left}</code> ≠ <code>{right}</code>
        </span>
      )}
    </span>
  );
}

function Result({ run }: { readonly run: RunState }) {
  const result = run.result.value;
  const other = run.otherResult.value;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls wants the focus
    <section class="result" aria-label="Result" tabIndex={0}>
      <h3>Result</h3>
      {result !== undefined && <pre class={result.isError ? 'problem-text' : undefined}>{result.text}</pre>}
      {other !== undefined && (
        <>
          <h3>With the other input</h3>
          <pre class={other.isError ? 'problem-text' : undefined}>{other.text}</pre>
        </>
      )}
    </section>
  );
}
