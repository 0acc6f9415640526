/** Reports of a change as comments of pull requests. */
import { toIndentedJson } from '../../../values/index.js';
import { kindTexts } from '../outcome.js';
import type { ChangeReport, DifferenceGroup } from '../report.js';
import { allGroups, answerText, causeText, exampleText, headlines, notesOf } from './texts.js';

/** A comment may have 65,536 characters: further groups are counted. */
const mostGroups = 20;
const longestInput = 1500;

const titles = {
  same: 'No decision changes',
  differs: 'Decisions change',
  unknown: 'Some decisions are open',
} as const;

/** A comment: a table of differences, and an example of each below. */
export function changeMarkdown(report: ChangeReport): string {
  const groups = allGroups(report);
  const shown = groups.slice(0, mostGroups);
  const parts = [
    `### ${titles[report.outcome]}: ${code(report.old)} → ${code(report.new)}`,
    ...headlines(report),
    ...(shown.length === 0 ? [] : [table(shown)]),
    ...shown.map(detailsOf),
    ...(groups.length > shown.length ? [`… and ${groups.length - shown.length} more groups.`] : []),
    notesOf(report)
      .map((note) => `- ${plain(note).replaceAll('\n', '\n  ')}`)
      .join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function table(groups: readonly DifferenceGroup[]): string {
  const rows = groups.map(({ kind, path, count, old, new: next }) => {
    return `| ${kindTexts[kind]} | ${code(path)} | ${count} | ${cell(causeText(old))} | ${cell(causeText(next))} |`;
  });
  return ['| | decision | count | old | new |', '|---|---|---:|---|---|', ...rows].join('\n');
}

function detailsOf({ kind, path, example }: DifferenceGroup): string {
  const { old, new: next, input } = example;
  const answers = `${answerText(old)} → ${answerText(next)}`;
  const title = `<summary>${html(`${kindTexts[kind]}: ${path}, ${exampleText(example)}`)}</summary>`;
  const text = input === undefined ? 'no input' : toIndentedJson(input);
  const shown = text.length > longestInput ? `${text.slice(0, longestInput)}…` : text;
  return `<details>${title}\n\n${fenced(`${answers}\n\n${shown}`)}\n\n</details>`;
}

/** A block of code whose fence is longer than all in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** A text in a table as code, whose bars do not end the cell. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${ticks}${pad}${text.replaceAll('|', '\\|').replace(/\s+/g, ' ')}${pad}${ticks}`;
}

function cell(text: string): string {
  return plain(text).replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

/** A text without a meaning in Markdown: no mentions, no markup. */
function plain(text: string): string {
  return html(text)
    .replace(/[\\`*_[\]#~]/g, '\\$&')
    .replaceAll('@', '&#64;');
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
