/** Rules that entrypoints do without. */
import { documentText } from '../../compiler/index.js';
import type { AddressedOwner, Addresses, Policy } from '../../ir-schema/index.js';
import type { CallGraph } from './call-graph.js';
import { widest } from './columns.js';
import { rulePath } from './rule-path.js';

/** A rule of the policies, or of a list in the plan. */
export interface KnownRule {
  /** Below `data`. */
  readonly path: readonly string[];
  readonly location?: { readonly file: string; readonly row: number; readonly col: number };
}

export interface UnplannedRules {
  readonly entrypoint: string;
  readonly rules: readonly { readonly rule: string; readonly location?: KnownRule['location'] }[];
}

/**
 * For each entrypoint, the rules that its plan does not contain.
 * @param rules of the policies that the plan was made of; those that the plan lists are added
 */
export function unplannedRules(
  policy: Policy,
  addresses: Addresses,
  graph: CallGraph,
  rules: readonly KnownRule[],
): UnplannedRules[] {
  const known = new Map<string, KnownRule>();
  for (const rule of [...rules, ...listedRules(policy), ...plannedRules(addresses)]) {
    const name = documentText(rule.path);
    if (known.get(name)?.location === undefined) known.set(name, rule);
  }
  return addresses.owners.flatMap((plan) => {
    if (plan.kind !== 'plan') return [];
    const planned = new Set(graph.reachableFrom(plan).map((func) => documentText(wholeRule(func))));
    const left = [...known].filter(([name]) => !planned.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      { entrypoint: plan.name, rules: left.map(([rule, { location }]) => ({ rule, ...(location && { location }) })) },
    ];
  });
}

/** The rules of all functions. */
function plannedRules(addresses: Addresses): KnownRule[] {
  return addresses.owners.flatMap((owner) => {
    const path = owner.kind === 'func' ? wholeRule(owner) : [];
    return path.length > 0 ? [{ path }] : [];
  });
}

/** The path of the rule that a function is for some keys of. */
function wholeRule(func: AddressedOwner): readonly string[] {
  return rulePath(func).map((part) => part.replace(/(?:\[_\])+$/, ''));
}

function listedRules({ unplanned_rules: listed, static: tables }: Policy): KnownRule[] {
  return (listed ?? []).map(({ path, location }) => {
    const parts = path.replace(/^data[./]/, '').split(/[./]/);
    const file = location === null ? undefined : tables?.files?.[location.file]?.value;
    if (location === null || file === undefined) return { path: parts };
    return { path: parts, location: { file, row: location.row, col: location.col } };
  });
}

/**
 * The rules below their entrypoints.
 * @example
 * authz/allow
 *   data.authz.limits  limits.rego:3:1
 */
export function unplannedText(lists: readonly UnplannedRules[]): string {
  const width = widest(lists.flatMap(({ rules }) => rules.map(({ rule }) => rule)));
  return lists
    .map(({ entrypoint, rules }) => {
      const lines = rules.map(({ rule, location }) => {
        const place = location === undefined ? '' : `${location.file}:${location.row}:${location.col}`;
        return `  ${rule.padEnd(width)}  ${place}`.trimEnd();
      });
      return [entrypoint, ...(lines.length > 0 ? lines : ['  all rules are planned'])]
        .map((line) => `${line}\n`)
        .join('');
    })
    .join('');
}
