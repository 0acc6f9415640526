/** The strings of a plan, with the statements that use them. */
import { type Addresses, effectsOf, type Policy } from '../../ir-schema/index.js';
import { widest } from './columns.js';

export interface ListedString {
  readonly index: number;
  readonly value: string;
  /** The addresses of the statements that use it, in order. */
  readonly uses: readonly string[];
}

export function listStrings(policy: Policy, addresses: Addresses): ListedString[] {
  const uses = new Map<number, string[]>();
  for (const { address, stmt } of addresses) {
    for (const index of new Set(effectsOf(stmt).strings)) {
      const known = uses.get(index);
      if (known === undefined) uses.set(index, [address]);
      else known.push(address);
    }
  }
  return (policy.static?.strings ?? []).map(({ value }, index) => ({ index, value, uses: uses.get(index) ?? [] }));
}

const longestValue = 60;
const mostUses = 3;

/**
 * A line for each string: index, value, uses.
 * @example
 *   4  "admin"   authz/allow/0.3, g0.data.authz.allow/0.5
 */
export function stringsText(strings: readonly ListedString[]): string {
  const rows = strings.map(({ index, value, uses }) => {
    return { index: String(index), value: shortened(JSON.stringify(value)), uses: usesText(uses) };
  });
  const indexes = widest(rows.map(({ index }) => index));
  const values = widest(rows.map(({ value }) => value));
  return rows
    .map(({ index, value, uses }) => `${index.padStart(indexes + 2)}  ${value.padEnd(values)}  ${uses}\n`)
    .join('');
}

function shortened(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
}

function usesText(uses: readonly string[]): string {
  if (uses.length === 0) return 'not used';
  const more = uses.length > mostUses ? ` and ${uses.length - mostUses} more` : '';
  return uses.slice(0, mostUses).join(', ') + more;
}
