/** Stops and ends of an evaluation as events. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { toIndentedJson } from '../../values/json/json.js';
import type { BreakpointPlace, Outcome, Stop } from '../session.js';
import type { Breakpoints } from './breakpoints.js';
import type { Notation, Sources } from './sources.js';
import { valueText } from './value-text.js';

/** Reasons of the protocol for hit breakpoints. */
const breakpointReasons: Readonly<Record<BreakpointPlace['kind'], string>> = {
  line: 'breakpoint',
  rule: 'function breakpoint',
  statement: 'instruction breakpoint',
  data: 'data breakpoint',
};

const reasons: Readonly<Partial<Record<Stop['reason'], string>>> = {
  'data breakpoint': 'data breakpoint',
  start: 'entry',
  end: 'result',
};

export function stoppedEvent(stop: Stop, breakpoints: Breakpoints, threadId: number): DebugProtocol.StoppedEvent['body'] {
  const hit = breakpoints.hit(stop.breakpoints ?? []);
  const kind = stop.reason === 'breakpoint' ? hit.kinds[0] : undefined;
  return {
    reason: kind === undefined ? (reasons[stop.reason] ?? stop.reason) : breakpointReasons[kind],
    threadId,
    allThreadsStopped: true,
    ...(stop.reason === 'start' ? { description: 'the first statement' } : {}),
    ...(stop.text === undefined ? {} : { text: stop.text }),
    ...(hit.ids.length === 0 ? {} : { hitBreakpointIds: [...hit.ids] }),
  };
}

/** Characters of a result that are printed. */
const longestResult = 100_000;

/** What the console of the client shows of the end. */
export function outcomeEvent(outcome: Outcome, sources: Sources, notation: Notation): DebugProtocol.OutputEvent['body'] {
  if (outcome.kind === 'error') {
    const { code, message, place } = outcome;
    const source = place && sources.at(place.file);
    const where = place === undefined ? '' : `${place.file}:${place.row}:${place.col}: `;
    const location =
      place === undefined || source === undefined ? {} : { source, line: notation.line(place.row), column: notation.column(place.col) };
    return { category: 'stderr', output: `${where}${code}: ${message}\n`, ...location };
  }
  const values = outcome.solutions.length > 0 ? outcome.solutions : outcome.value === undefined ? [] : [outcome.value];
  if (values.length === 0) return { category: 'stdout', output: 'undefined\n' };
  return { category: 'stdout', output: values.map((value) => `${resultText(value)}\n`).join('') };
}

function resultText(value: Parameters<typeof toIndentedJson>[0]): string {
  try {
    return toIndentedJson(value, '  ', '', longestResult);
  } catch {
    return valueText(value, { hex: false, longest: longestResult });
  }
}
