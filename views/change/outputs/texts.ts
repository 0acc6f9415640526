/** Texts that the reports of a change share. */

import { countedNoun, toJson, type Value } from '../../../values/index.js';
import type { Cause, PolicyPlace } from '../causes.js';
import { differenceKinds, kindTexts } from '../outcome.js';
import type {
  ChangeReport,
  DecisionExample,
  DifferenceGroup,
  ExampleAnswer,
  ProofReport,
  ReplayReport,
  SearchReport,
} from '../report.js';

/** A count with its noun: `1 decision`, `2 decisions`. */
/** A value as JSON on one line, of at most `longest` characters. */
export function shortJson(value: Value, longest: number): string {
  const text = toJson(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** `true`, `undefined`, `error: …`. */
export function answerText({ value, error, ms }: ExampleAnswer, longest = 200): string {
  const answer =
    error !== undefined ? `error: ${error}` : value === undefined ? 'undefined' : shortJson(value, longest);
  return ms === undefined ? answer : `${answer} in ${ms} ms`;
}

/** The rules of a cause and the expression that failed, in one line. */
export function causeText({ rules, how, failed, summary }: Cause): string {
  const places = rules.map(placeText).join(', ');
  const failure = failed === undefined ? '' : `${placeText(failed)} fails: ${oneLine(failed.text)}`;
  switch (how) {
    case 'holds':
      return `${places} holds`;
    case 'default':
      return failure === '' ? `default at ${places}` : `default at ${places}, as ${failure}`;
    case 'fails':
      return failure === '' ? 'no rule holds' : `no rule holds, ${failure}`;
    case 'error':
      return `error at ${places}`;
    default:
      return oneLine(summary);
  }
}

function placeText({ file, row }: PolicyPlace): string {
  return `${file}:${row}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** The place of an example in a log, `events.log:3 (d1)`, or the time of one that was made. */
export function exampleText({
  file,
  line,
  decisionId,
  timestamp,
}: Pick<DecisionExample, 'file' | 'line' | 'decisionId' | 'timestamp'>): string {
  if (file === undefined) return `an input that was made${timestamp === undefined ? '' : `, decided at ${timestamp}`}`;
  return `${file}:${line}${decisionId === undefined ? '' : ` (${decisionId})`}`;
}

/** The groups of all ways, with the name of the way. */
export function allGroups({ replay, search, proofs = [] }: ChangeReport): readonly DifferenceGroup[] {
  const proved = proofs.flatMap(({ kind, path, old, new: next, example }) =>
    kind && old && next && example ? [{ kind, path, count: 1, old, new: next, example }] : [],
  );
  return [...(replay?.groups ?? []), ...(search?.groups ?? []), ...proved];
}

/** One sentence for each way that was gone. */
export function headlines(report: ChangeReport): readonly string[] {
  const { replay, search } = report;
  return [
    ...(replay === undefined ? [] : [replayHeadline(replay)]),
    ...(search === undefined ? [] : [searchHeadline(search)]),
    ...(report.proofs ?? []).map(proofHeadline),
  ];
}

function proofHeadline({
  question,
  answer,
  assumptions,
  reason,
  expression,
  place,
  example,
  kind,
  ms,
}: ProofReport): string {
  const time = `after ${(ms / 1000).toFixed(1)} s`;
  if (answer === 'equal') {
    const bound = assumptions.length === 0 ? '' : `, with ${assumptions.join(' and ')}`;
    return `Proved: ${question}${bound} (${time}).`;
  }
  if (answer === 'unknown') {
    const which = expression === undefined ? '' : ` (${place}: ${oneLine(expression)})`;
    return `Not proved: ${question}: ${reason}${which}, ${time}.`;
  }
  const input = kind !== undefined || example?.input === undefined ? '' : `: ${shortJson(example.input, 300)}`;
  const moment = kind !== undefined || example?.timestamp === undefined ? '' : `, at ${example.timestamp}`;
  return `Refuted: ${question}${input}${moment} (${time}).`;
}

function searchHeadline({ tried, different, paths }: SearchReport): string {
  const said =
    different === 0 ? 'none differs, which proves nothing' : `${different} ${different === 1 ? 'differs' : 'differ'}`;
  return `Of ${countedNoun(tried, 'made input')} for ${paths.join(', ')}, ${said}.`;
}

function replayHeadline({ events, different, kinds, inconclusive }: ReplayReport): string {
  const parts = differenceKinds.flatMap((kind) =>
    kinds[kind] === undefined ? [] : [`${kinds[kind]} ${kindTexts[kind]}`],
  );
  const said =
    different === 0 ? 'none differs' : `${different} ${different === 1 ? 'differs' : 'differ'} (${parts.join(', ')})`;
  const open = inconclusive === 0 ? '' : `, ${inconclusive} inconclusive`;
  return `Of ${countedNoun(events, 'logged decision')}, ${said}${open}.`;
}

/** Notes for a reader beside the differences. */
export function notesOf({ replay, search }: ChangeReport): readonly string[] {
  const open = (search?.undecided ?? []).map(
    ({ reason, count }) => `${countedNoun(count, 'made input')} not decided: ${reason}`,
  );
  return [...(replay === undefined ? [] : replayNotes(replay)), ...open];
}

function replayNotes(replay: ReplayReport): readonly string[] {
  const { reasons, skipped, unreadable, problems, otherwiseLogged, unknownPaths, ungrouped, events } = replay;
  const notes: string[] = reasons.map(
    ({ reason, count, example }) =>
      `${countedNoun(count, 'decision')} inconclusive: ${reason} (${exampleText(example)})`,
  );
  if (unreadable > 0) {
    const first = problems.slice(0, 5).map(({ file, line, problem }) => `\n  ${file}:${line}: ${problem}`);
    const more = unreadable > first.length ? `\n  … ${unreadable - first.length} more` : '';
    notes.push(`${countedNoun(unreadable, 'line')} cannot be read:${first.join('')}${more}`);
  }
  if (skipped > 0) notes.push(`${countedNoun(skipped, 'line')} of other paths or logs skipped`);
  if (events === 0) notes.push('the log has no decision to replay');
  if (unknownPaths.length > 0) {
    const names = unknownPaths.map((path) => (path.length > 80 ? `${path.slice(0, 80)}…` : path || 'data'));
    notes.push(`neither version has anything at ${names.join(', ')}`);
  }
  if (ungrouped > 0) notes.push(`${countedNoun(ungrouped, 'difference')} of other causes not listed`);
  const { count, example } = otherwiseLogged;
  if (count > 0) {
    const which =
      example === undefined
        ? ''
        : ` (${exampleText(example)}: logged ${answerText(example.logged ?? {}, 80)}, old ${answerText(example.old, 80)})`;
    notes.push(
      `${countedNoun(count, 'decision')} logged with another answer than the old version gives: its data may be another${which}`,
    );
  }
  return notes;
}
