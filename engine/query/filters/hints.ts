/** Hints: names in the input that are nearly those of unknowns. */

import type { Body, Compiled, CompiledRule, Location, RefTerm, Span, StringTerm } from '../../../compiler/index.js';
import {
  elseChain,
  isRoot,
  locationOf,
  nowhere,
  printTerm,
  refTerm,
  rulesRead,
  stringKeys,
  stringTerm,
  varTerm,
  walk,
} from '../../../compiler/index.js';
import { editDistance, lookupPath, type Value } from '../../../values/index.js';

export interface FilterHint {
  readonly message: string;
  readonly location: Location;
}

/** `input.a.b…` in an expression. */
interface InputRef {
  readonly ref: RefTerm;
  readonly names: readonly string[];
  /** The place of the expression. */
  readonly loc: Span;
}

/**
 * `input.fruit.name undefined, did you mean input.fruits.name?`, for rules that a document is made
 * of: of each body the first ref that the input does not have.
 */
export function hintsFor(
  compiled: Compiled,
  path: readonly string[],
  input: Value | undefined,
  unknowns: readonly RefTerm[],
): readonly FilterHint[] {
  const known = unknowns.flatMap(({ terms: [, first] }) => (first?.type === 'string' ? [first.value] : []));
  if (known.length === 0) return [];
  const hints = inputRefs(compiled, path).flatMap(
    (refs) => refs.map((ref) => hintOf(ref, input, known)).find((hint) => hint !== undefined) ?? [],
  );
  return [...new Map(hints.map((hint) => [JSON.stringify(hint), hint])).values()];
}

function hintOf(
  { ref, names, loc }: InputRef,
  input: Value | undefined,
  known: readonly string[],
): FilterHint | undefined {
  const [first] = names as [string];
  if (known.includes(first) || lookupPath(input, names) !== undefined) return undefined;
  const near = nearest(first, known);
  if (near === undefined) return undefined;
  const [head, name, ...rest] = ref.terms;
  const meant = refTerm(ref.loc, [head, { ...(name as StringTerm), value: near }, ...rest]);
  return { message: `${printTerm(ref)} undefined, did you mean ${printTerm(meant)}?`, location: locationOf(loc) };
}

/** Names that differ in more characters are other names. */
const mostDifferences = 2;

function nearest(name: string, known: readonly string[]): string | undefined {
  const distances = known
    .map((other) => ({ other, distance: editDistance(name, other) }))
    .filter(({ distance }) => distance <= mostDifferences);
  return distances.sort((a, b) => a.distance - b.distance)[0]?.other;
}

const found = new WeakMap<Compiled, Map<string, readonly (readonly InputRef[])[]>>();

/** The refs to names in the input, by body, of the rules that a document is made of. */
function inputRefs(compiled: Compiled, path: readonly string[]): readonly (readonly InputRef[])[] {
  const terms = [varTerm(nowhere, 'data'), ...path.map((name) => stringTerm(nowhere, name))];
  const first = rulesRead(compiled.ruleTree, terms);
  if (first.length === 0) return [];
  let byPath = found.get(compiled);
  if (byPath === undefined) found.set(compiled, (byPath = new Map()));
  const key = JSON.stringify(path);
  let refs = byPath.get(key);
  if (refs === undefined) byPath.set(key, (refs = reachable(compiled, first).flatMap(refsOfRule)));
  return refs;
}

function reachable({ graph }: Compiled, first: readonly CompiledRule[]): readonly CompiledRule[] {
  const rules = new Set(first);
  for (const rule of rules) for (const read of graph.dependencies(rule)) rules.add(read);
  return [...rules];
}

function refsOfRule({ rule }: CompiledRule): readonly (readonly InputRef[])[] {
  return [...elseChain(rule)].map(({ body }) => refsOfBody(body)).filter((refs) => refs.length > 0);
}

function refsOfBody(body: Body): readonly InputRef[] {
  return body.flatMap((expr) => {
    const refs: InputRef[] = [];
    // Operands are moved before their expression: it is the one around them.
    const { loc } = body.find((other) => isAround(other.loc, expr.loc)) ?? expr;
    walk(expr, (node) => {
      const names = node.type === 'ref' ? namesOf(node) : undefined;
      if (node.type === 'ref' && names !== undefined) refs.push({ ref: node, names, loc });
    });
    return refs;
  });
}

function isAround(outer: Span, inner: Span): boolean {
  return (
    outer.source === inner.source &&
    outer.start <= inner.start &&
    outer.end >= inner.end &&
    outer.end - outer.start > inner.end - inner.start
  );
}

/** The names of `input.a.b`, at least one of them. */
function namesOf({ terms: [head, ...path] }: RefTerm): readonly string[] | undefined {
  return isRoot(head, 'input') && path.length > 0 ? stringKeys(path) : undefined;
}
