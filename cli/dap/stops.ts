/** Stops and ends of an evaluation as events. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { equal, toIndentedJson, type Value } from '../../values/index.js';
import type { BreakpointPlace, SessionOutcome, Stop } from '../../views/index.js';
import type { ClientBreakpoints } from './breakpoints.js';
import type { Notation, Sources } from './sources.js';
import { debugValueText } from './value-text.js';

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

export function stoppedEvent(
  stop: Stop,
  breakpoints: ClientBreakpoints,
  threadId: number,
): DebugProtocol.StoppedEvent['body'] {
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

/** The end of the evaluation as the client's console shows it. */
export function outcomeEvent(
  outcome: SessionOutcome,
  sources: Sources,
  notation: Notation,
): DebugProtocol.OutputEvent['body'] {
  if (outcome.kind === 'error') {
    const { code, message, place } = outcome;
    const source = place && sources.at(place.file);
    const where = place === undefined ? '' : `${place.file}:${place.row}:${place.col}: `;
    const location =
      place === undefined || source === undefined
        ? {}
        : { source, line: notation.line(place.row), column: notation.column(place.col) };
    return { category: 'stderr', output: `${where}${code}: ${message}\n`, ...location };
  }
  const values = outcome.solutions.length > 0 ? outcome.solutions : outcome.value === undefined ? [] : [outcome.value];
  const text = values.length === 0 ? 'undefined\n' : values.map((value) => `${resultText(value)}\n`).join('');
  return { category: 'stdout', output: `${text}${loggedText(outcome.value, outcome.logged)}` };
}

/** A decision that is made again may come to another result than the log has. */
function loggedText(value: Value | undefined, logged: Value | undefined): string {
  if (logged === undefined) return '';
  return value !== undefined && equal(value, logged) ? '(as logged)\n' : `(but logged was ${resultText(logged)})\n`;
}

function resultText(value: Value): string {
  try {
    return toIndentedJson(value, '  ', '', longestResult);
  } catch {
    return debugValueText(value, { hex: false, longest: longestResult });
  }
}
