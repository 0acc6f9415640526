/** Results as the reference writes them in JSON: with tabs, and characters of HTML escaped. */
import { htmlSafe, quote, toIndentedJson } from '../../../values/index.js';
import type { CheckResult, Result } from '../results.js';

export function resultsJson(results: readonly CheckResult[]): string {
  return `${results.length === 0 ? 'null' : listOf(results.map(checkText), '')}\n`;
}

function listOf(items: readonly string[], indent: string): string {
  return `[\n${items.map((item) => `${indent}\t${item}`).join(',\n')}\n${indent}]`;
}

function objectOf(members: readonly (readonly [string, string] | undefined)[], indent: string): string {
  const rows = members.filter((member) => member !== undefined);
  return `{\n${rows.map(([key, value]) => `${indent}\t"${key}": ${value}`).join(',\n')}\n${indent}}`;
}

function textOf(text: string): string {
  return htmlSafe(quote(text));
}

function checkText(check: CheckResult): string {
  const list = (key: 'skipped' | 'warnings' | 'failures' | 'exceptions') =>
    check[key].length === 0 ? undefined : ([key, listOf(check[key].map(resultText), '\t\t')] as const);
  return objectOf(
    [
      ['filename', textOf(check.filename === '-' ? '' : check.filename)],
      ['namespace', textOf(check.namespace)],
      ['successes', String(check.successes)],
      list('skipped'),
      list('warnings'),
      list('failures'),
      list('exceptions'),
    ],
    '\t',
  );
}

function resultText(result: Result): string {
  const { msg, metadata } = result;
  const loc = locationOf(result);
  const isEmpty = metadata === undefined || Object.keys(metadata).length === 0;
  return objectOf(
    [
      ['msg', textOf(msg)],
      loc === undefined ? undefined : ['loc', objectOf(loc, '\t\t\t\t')],
      isEmpty ? undefined : ['metadata', htmlSafe(toIndentedJson(metadata, '\t', '\t\t\t\t'))],
    ],
    '\t\t\t',
  );
}

/** The author's place, or the one that was found. */
function locationOf({ loc, place }: Result): (readonly [string, string])[] | undefined {
  if (loc !== undefined)
    return [
      ...(loc.file === undefined ? [] : [['file', textOf(loc.file)] as const]),
      ...(loc.line === undefined ? [] : [['line', loc.line] as const]),
    ];
  if (place === undefined) return undefined;
  return [
    ['file', textOf(place.file)],
    ['line', String(place.line)],
    ['column', String(place.column)],
    ['endLine', String(place.endLine)],
    ['path', textOf(place.path)],
  ];
}
