/** The answers of the engine: a tab for each question. */
import type { ComponentChildren } from 'preact';
import { type AnswerOrError, type PlaygroundState, tabNames, tabTitles } from '../page/playground-state.js';
import type { PlaygroundTest, ProjectAnswer, ProjectProblem } from '../worker/protocol.js';

interface Props {
  readonly state: PlaygroundState;
}

export function Answers({ state }: Props) {
  const { tab } = state;
  return (
    <section class="answers" aria-label="Answers">
      <Query state={state} />
      <div class="tabs" role="tablist" aria-label="Answers" onKeyDown={(event) => moveTab(state, event)}>
        {tabNames.map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={tab.value === name}
            aria-controls="answer"
            tabIndex={tab.value === name ? 0 : -1}
            onClick={() => (tab.value = name)}
          >
            {tabTitles[name]}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls wants the focus */}
      <div class="answer" id="answer" role="tabpanel" aria-labelledby={`tab-${tab.value}`} tabIndex={0}>
        <Answer state={state} />
      </div>
    </section>
  );
}

/** The arrows go through the tabs, as in other tab lists. */
function moveTab({ tab }: PlaygroundState, event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const at = (tabNames.indexOf(tab.value) + step + tabNames.length) % tabNames.length;
  tab.value = tabNames[at]!;
  const list = event.currentTarget as HTMLElement;
  list.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus();
}

function Query({ state }: Props) {
  return (
    <div class="query-bar">
      <label for="query">Query</label>
      <input
        id="query"
        class="field mono"
        type="text"
        spellcheck={false}
        autocomplete="off"
        value={state.query.value}
        onInput={({ currentTarget }) => (state.query.value = currentTarget.value)}
      />
      {state.isBusy.value && <Stop state={state} />}
    </div>
  );
}

/** Comes late, so that it does not flicker with each key. */
function Stop({ state }: Props) {
  return (
    <button type="button" class="stop" onClick={() => state.stop()}>
      Stop
    </button>
  );
}

function Answer({ state }: Props) {
  switch (state.tab.value) {
    case 'why':
      return <Shown answered={state.why.value}>{({ text }) => <pre>{text}</pre>}</Shown>;
    case 'trace':
      return (
        <Shown answered={state.trace.value}>
          {({ lines, left }) => (
            <pre>
              {lines.join('\n')}
              {left > 0 && `\n… ${left.toLocaleString('en')} more lines`}
            </pre>
          )}
        </Shown>
      );
    case 'tests':
      return (
        <Shown answered={state.tests.value}>
          {({ tests, problems }) =>
            problems.length > 0 ? (
              <Problems state={state} problems={problems} kind="error" />
            ) : (
              <Tests state={state} tests={tests} />
            )
          }
        </Shown>
      );
    case 'partial':
      return <Partial state={state} />;
    default:
      return (
        <Shown answered={state.evaluated.value}>{(evaluated) => <Result state={state} evaluated={evaluated} />}</Shown>
      );
  }
}

function Shown<T>({
  answered,
  children,
}: {
  readonly answered: AnswerOrError<T> | undefined;
  readonly children: (answer: T) => ComponentChildren;
}) {
  if (answered === undefined) return <p class="hint">…</p>;
  if (answered.error !== undefined)
    return (
      <p class="problem" role="alert">
        {answered.error}
      </p>
    );
  return <>{children(answered.answer)}</>;
}

function Result({ state, evaluated }: Props & { readonly evaluated: ProjectAnswer }) {
  const { problems, warnings, result, error, prints } = evaluated;
  return (
    <>
      {problems.length > 0 && <Problems state={state} problems={problems} kind="error" />}
      {error !== undefined && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      {problems.length === 0 && error === undefined && (
        <pre class="result">{result ?? <span class="undefined">undefined: no rule gives a value</span>}</pre>
      )}
      {prints.length > 0 && (
        <section class="prints" aria-label="Printed lines">
          <h2>Printed</h2>
          <ul>
            {prints.map(({ line, place }, i) => (
              <li key={i}>
                <code>{line}</code> {place !== undefined && <span class="soft">{place}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {warnings.length > 0 && <Problems state={state} problems={warnings} kind="warning" />}
    </>
  );
}

function Problems({
  state,
  problems,
  kind,
}: Props & { readonly problems: readonly ProjectProblem[]; readonly kind: 'error' | 'warning' }) {
  return (
    <ul
      class={`problems ${kind}`}
      role={kind === 'error' ? 'alert' : undefined}
      aria-label={kind === 'error' ? 'Errors' : 'Warnings'}
    >
      {problems.map(({ file, row, col, code, message, hint }) => (
        <li key={`${file}:${row}:${col} ${code} ${message}`}>
          {file === '' ? (
            <span class="place">
              query:{row}:{col}
            </span>
          ) : (
            <button type="button" class="link place" onClick={() => state.goTo(file, row, col)}>
              {file}:{row}:{col}
            </button>
          )}{' '}
          <span class="soft">{code}</span>
          <p>{message}</p>
          {hint !== undefined && <p class="soft">{hint}</p>}
        </li>
      ))}
    </ul>
  );
}

const signs = { passed: '✓', failed: '✗', skipped: '–', error: '!' } as const;

function Tests({ state, tests }: Props & { readonly tests: readonly PlaygroundTest[] }) {
  if (tests.length === 0)
    return <p class="hint">No rule begins with test_. A test is a rule that holds: test_name if … with input as …</p>;
  const failed = tests.filter(({ state: one }) => one === 'failed' || one === 'error').length;
  const passed = tests.filter(({ state: one }) => one === 'passed').length;
  return (
    <>
      <p class={failed > 0 ? 'summary failed' : 'summary passed'}>
        {passed} passed, {failed} failed
        {tests.length > passed + failed && `, ${tests.length - passed - failed} skipped`}
      </p>
      <ul class="tests">
        {tests.map(({ name, file, row, state: outcome, milliseconds, why }) => (
          <li key={name} class={outcome}>
            <span aria-hidden="true">{signs[outcome]}</span>{' '}
            <button type="button" class="link" onClick={() => state.goTo(file, row, 1)}>
              {name}
            </button>{' '}
            <span class="soft">
              {outcome}, {milliseconds.toFixed(1)} ms
            </span>
            {why !== undefined && <pre>{why}</pre>}
          </li>
        ))}
      </ul>
    </>
  );
}

const targets: readonly (readonly [name: string, title: string])[] = [
  ['rego', 'Rego'],
  ['postgresql', 'PostgreSQL'],
  ['mysql', 'MySQL'],
  ['sqlite', 'SQLite'],
  ['sqlserver', 'SQL Server'],
  ['prisma', 'Prisma'],
  ['ucast+all', 'UCAST'],
];

function Partial({ state }: Props) {
  const { unknowns, target, partial } = state;
  return (
    <>
      <div class="partial-question">
        <label for="unknowns">Unknown</label>
        <input
          id="unknowns"
          class="field mono"
          type="text"
          spellcheck={false}
          value={unknowns.value}
          onInput={({ currentTarget }) => (unknowns.value = currentTarget.value)}
        />
        <label for="target">as</label>
        <select id="target" value={target.value} onChange={({ currentTarget }) => (target.value = currentTarget.value)}>
          {targets.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <Shown answered={partial.value}>{(text) => <pre>{text}</pre>}</Shown>
    </>
  );
}
