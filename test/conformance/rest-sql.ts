/** Compares SQL conditions of data filters. */

/**
 * Whether two conditions are equal; quotes around numerals do not matter.
 * @param anyOrder whether the alternatives of an outermost `WHERE (a OR b)` may be in any order
 */
export function sameCondition(want: string, got: string, anyOrder: boolean): boolean {
  const [a, b] = [plainNumerals(want), plainNumerals(got)];
  if (a === b) return true;
  return anyOrder && alternativesOf(a).sort().join('\n') === alternativesOf(b).sort().join('\n');
}

const numeral = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** `E'5'`, `N'5'` and `'5'` are `5`. */
function plainNumerals(condition: string): string {
  return condition.replace(/[EN]?'((?:[^'\\]|\\.|'')*)'/g, (quoted, text: string) => (numeral.test(text) ? text : quoted));
}

/** The texts between the `OR`s of the outermost brackets; the whole condition if there are none. */
function alternativesOf(condition: string): string[] {
  const inner = /^WHERE \((.*)\)$/s.exec(condition)?.[1];
  if (inner === undefined) return [condition];
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of inner.matchAll(/'(?:[^'\\]|\\.|'')*'|[()]| OR /g)) {
    if (token === '(') depth++;
    else if (token === ')' && --depth < 0) return [condition];
    else if (token === ' OR ' && depth === 0) {
      parts.push(inner.slice(start, index));
      start = index + token.length;
    }
  }
  return [...parts, inner.slice(start)];
}
