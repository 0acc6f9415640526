/** Reports of a change for people at a terminal. */
import { kindTexts } from '../outcome.js';
import type { ChangeReport, DifferenceGroup } from '../report.js';
import { allGroups, answerText, causeText, exampleText, headlines, notesOf, shortJson } from './texts.js';

const longestInput = 300;

/** A report in lines; with colours for a terminal that shows them. */
export function changePretty(report: ChangeReport, hasColor: boolean): string {
  const paint = (color: number, text: string) => (hasColor ? `\u001b[${color}m${text}\u001b[0m` : text);
  const title = paint(1, `${report.old} → ${report.new}`);
  const blocks = allGroups(report).map((group) => groupText(group, paint));
  const notes = notesOf(report).map((note) => `${paint(33, 'note:')} ${note}\n`);
  const lines = [`${title}\n`, ...headlines(report).map((line) => `${line}\n`)];
  return `${[lines.join(''), ...blocks, ...(notes.length > 0 ? [notes.join('')] : [])].join('\n')}`;
}

function groupText(group: DifferenceGroup, paint: (color: number, text: string) => string): string {
  const { kind, path, count, old, new: next, example } = group;
  const color = kind === 'allowed' || kind === 'error' ? 31 : 36;
  const input = example.input === undefined ? 'none' : shortJson(example.input, longestInput);
  return [
    `${paint(color, kindTexts[kind])}  ${path}  ${count}×`,
    `  old    ${causeText(old)}`,
    `  new    ${causeText(next)}`,
    `  such   ${exampleText(example)}`,
    `  input  ${input}`,
    `  answer ${answerText(example.old)} → ${answerText(example.new)}`,
    '',
  ].join('\n');
}
