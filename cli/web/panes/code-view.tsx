/** The four linked panes. */
import { Text } from '@codemirror/state';
import { lineNumbers } from '@codemirror/view';
import { computed, type ReadonlySignal, useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type CodePaneName, columnOf } from '../page/links.js';
import type { PageState, PaneName } from '../page/page-state.js';
import { currentLine, notesByLine, notesBySourceLine } from '../run/line-notes.js';
import type { RunState } from '../run/run-state.js';
import { CodePane } from './code-pane.js';
import type { LineMarks } from './line-marks.js';
import type { CodeLanguage } from './tokens.js';

export const paneTitles: Readonly<Record<PaneName, string>> = {
  source: 'Source',
  plan: 'Plan',
  program: 'Program',
  js: 'JavaScript',
};

const languages: Readonly<Record<CodePaneName, CodeLanguage>> = { plan: 'listing', program: 'program', js: 'js' };

interface PaneProps {
  readonly state: PageState;
  readonly run: RunState;
}

export function CodeView({ state, run }: PaneProps) {
  const shown = state.panes.value;
  return (
    <div class={`code-view panes-${shown.size}`}>
      {shown.has('source') && <SourcePane state={state} run={run} />}
      {(['plan', 'program', 'js'] as const).map(
        (name) => shown.has(name) && <PlanPane key={name} state={state} run={run} name={name} />,
      )}
    </div>
  );
}

function PlanPane({ state, run, name }: PaneProps & { readonly name: CodePaneName }) {
  const code = state.links.value.code(name);
  const text = useMemo(() => Text.of(code.text.split('\n')), [code]);
  const linesOf = (statements: readonly number[]) =>
    statements.flatMap((statement) => state.links.value.linesOf(name, statement));
  // Apart from the light, which changes with each move of the pointer.
  const notes = useComputed(() => notesByLine(run, state.links.value.code(name).statements));
  const moved = useComputed(() => (name === 'plan' ? movedLines(state) : new Set<number>()));
  const marks = useComputed<LineMarks>(() => ({
    moved: moved.value,
    ranges: [],
    lit: new Set(linesOf(state.lit.value)),
    current: currentLine(run, linesOf),
    notes: notes.value,
  }));
  const reveal = useReveal(state, name, linesOf);
  return (
    <CodePane
      name={name}
      title={paneTitles[name]}
      language={languages[name]}
      text={text}
      marks={marks}
      reveal={reveal}
      problem={code.problem}
      tipOf={(line) => run.notes.value?.get(state.links.value.statementsOf(name, line)[0] ?? -1)}
      numbers={name === 'plan' ? addressNumbers(state, code.statements) : undefined}
      isFront={state.front.value === name}
      onHover={(line) => state.hover(line === undefined ? [] : state.links.value.statementsOf(name, line))}
      onCursor={(line) => state.choose(state.links.value.statementsOf(name, line), name)}
    />
  );
}

function SourcePane({ state, run }: PaneProps) {
  const sources = state.sources.value;
  const file = state.file.value;
  const source = sources.find((candidate) => candidate.file === file);
  const rows = useMemo(() => (source?.text ?? '').split('\n'), [source]);
  const text = useMemo(() => Text.of(rows), [rows]);
  const at = (line: number, unit: number) =>
    state.links.value.atPlace(file, line, columnOf(rows[line - 1] ?? '', unit));
  const rangesOf = (statements: readonly number[]) =>
    statements.flatMap((statement) => state.links.value.rangesIn(state.file.value, statement));
  const notes = useComputed(() => notesBySourceLine(run, state.file.value));
  const marks = useComputed<LineMarks>(() => {
    const ranges = rangesOf(state.lit.value);
    return {
      moved: new Set(),
      ranges,
      lit: new Set(ranges.map(({ line }) => line)),
      current: currentLine(run, (statements) => rangesOf(statements).map(({ line }) => line)),
      notes: notes.value,
    };
  });
  const reveal = useReveal(state, 'source', (statements) => rangesOf(statements).map(({ line }) => line));
  return (
    <CodePane
      name="source"
      title={paneTitles.source}
      language="rego"
      text={text}
      marks={marks}
      reveal={reveal}
      tipOf={(line, unit) => valuesOf(run, at(line, unit))}
      problem={source === undefined ? 'No source is beside the plan.' : undefined}
      isFront={state.front.value === 'source'}
      onHover={(line, unit) => state.hover(line === undefined ? [] : at(line, unit))}
      onCursor={(line, unit) => state.choose(at(line, unit), 'source')}
    >
      {sources.length > 0 && (
        <select
          aria-label="File"
          value={file}
          onChange={({ currentTarget }) => (state.file.value = currentTarget.value)}
        >
          {sources.map((each) => (
            <option key={each.file} value={each.file}>
              {each.file}
            </option>
          ))}
        </select>
      )}
    </CodePane>
  );
}

/** The lines to scroll to: those of the chosen statements, unless the pane chose them itself. */
function useReveal(
  state: PageState,
  pane: PaneName,
  linesOf: (statements: readonly number[]) => readonly number[],
): ReadonlySignal<{ readonly lines: readonly number[] }> {
  return useMemo(
    () =>
      computed(() => {
        const chosen = state.chosen.value;
        return { lines: state.chooser.value === pane ? [] : linesOf(chosen) };
      }),
    [state, pane],
  );
}

/** The lines of statements that the compiler moved. */
function movedLines(state: PageState): ReadonlySet<number> {
  const links = state.links.value;
  const lines = links.code('plan').statements.entries();
  return new Set(lines.filter(([, statement]) => links.isMoved(statement)).map(([line]) => line + 1));
}

/** The numbers of the addresses instead of those of the lines. */
function addressNumbers(state: PageState, statements: readonly number[]) {
  return lineNumbers({ formatNumber: (line) => state.links.value.steps(statements[line - 1] ?? -1) });
}

function valuesOf(run: RunState, statements: readonly number[]): string | undefined {
  const { notes, page } = run;
  const lines = statements.map(
    (statement) => [page.links.value.textOf(statement), notes.value?.get(statement)] as const,
  );
  return lines.flatMap(([text, value]) => (value === undefined ? [] : [`${text}  →  ${value}`])).join('\n');
}
