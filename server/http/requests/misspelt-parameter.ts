/** Query parameters of the data API that are ignored because they are misspelt. */
import { closest } from '../../../compiler/index.js';
import { quote } from '../../../values/index.js';
import type { Params } from './params.js';

const switches = ['instrument', 'metrics', 'pretty', 'provenance', 'rule_labels', 'strict-builtin-errors', 'watch'];

/** The values of each parameter; undefined for any. */
const known: ReadonlyMap<string, readonly string[] | undefined> = new Map<string, readonly string[] | undefined>([
  ...switches.map((name) => [name, ['true', 'false']] as const),
  ['explain', ['off', 'notes', 'fails', 'full', 'debug', 'why']],
  ['depth', undefined],
  ['input', undefined],
]);

/** The most parameters that are compared, and the most characters of one. */
const most = 20;

/**
 * The sentence about the first parameter whose name or value is like a known one, which it is not.
 * Capitals do not count: clients write `FULL` and `TRUE`.
 *
 * @example
 * misspeltIn(new Params('explain=wy'))
 * // 'parameter explain has no value "wy": did you mean "why"?'
 */
export function misspeltIn(params: Params): string | undefined {
  let count = 0;
  for (const [name, values] of params.entries()) {
    if (count++ === most) return undefined;
    if (!known.has(name)) {
      const meant = similar(name, [...known.keys()]);
      if (meant !== undefined) return `there is no parameter ${quote(name)}: did you mean ${quote(meant)}?`;
    }
    for (const value of values.slice(0, most)) {
      const meant = similar(value, known.get(name) ?? []);
      if (meant !== undefined) return `parameter ${name} has no value ${quote(value)}: did you mean ${quote(meant)}?`;
    }
  }
  return undefined;
}

/** As `closest`, of short words too: one character may differ. */
function similar(text: string, candidates: readonly string[]): string | undefined {
  if (text.length < 2 || text.length > most + 5) return undefined;
  return closest(text.toLowerCase(), candidates, Math.min(2, Math.max(1, Math.floor(text.length / 3))));
}
