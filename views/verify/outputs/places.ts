/** Results with their places: what a person who mends a file needs. */
import { type CheckResult, countsOf, countsText, type Result } from '../results.js';
import { type Paint, painting } from './standard.js';

export interface PlacesOptions {
  readonly colors: boolean;
  readonly suppressesExceptions: boolean;
}

export function resultsWithPlaces(results: readonly CheckResult[], options: PlacesOptions): string {
  const paint = painting(options.colors);
  let text = '';
  for (const check of results) {
    for (const { outputs } of check.queries) for (const line of outputs) text += `${paint('blue', 'print')} ${line}\n`;
    const add = (word: string, color: Parameters<Paint>[0], found: readonly Result[]) => {
      for (const result of found) text += resultText(check, result, paint(color, word), paint);
    };
    add('failure', 'red', check.failures);
    add('warning', 'yellow', check.warnings);
    if (!options.suppressesExceptions) add('exception', 'cyan', check.exceptions);
  }
  const counts = countsOf(results);
  const color = counts.failures > 0 ? 'red' : counts.warnings > 0 ? 'yellow' : 'green';
  return `${text}${text === '' ? '' : '\n'}${paint(color, countsText(counts))}\n`;
}

/** `deploy.yaml:14:9: failure: …`, the lines, and the rule. */
function resultText(
  { filename, namespace }: CheckResult,
  { msg, loc, metadata, place }: Result,
  word: string,
  paint: Paint,
): string {
  const rule = typeof metadata?.query === 'string' ? metadata.query.replace(/^data\./, '') : namespace;
  if (loc !== undefined) return `${loc.file ?? filename}:${loc.line ?? 1}: ${word}: ${msg} (${rule})\n`;
  if (place === undefined) return `${filename}: ${word}: ${msg} (${rule})\n`;
  const head = `${place.file}:${place.line}:${place.column}: ${word}: ${msg}\n`;
  const width = String(place.line + place.lines.length - 1).length;
  const lines = place.lines.map((line, i) => `  ${String(place.line + i).padStart(width)} | ${line}\n`);
  const missing = place.isMissing ? `, which lacks ${place.path}` : '';
  const said = `  ${rule}, ${place.rule.file}:${place.rule.row}: ${place.rule.text}${missing}\n`;
  const cure = place.cure === undefined ? '' : `  ${paint('green', 'passes if')} ${place.cure}\n`;
  return `${head}${lines.join('')}${said}${cure}`;
}
