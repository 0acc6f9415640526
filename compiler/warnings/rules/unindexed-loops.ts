/** Searches in documents that go through all elements: no index serves their conditions. */

import { isArray, isObject, objectSize, type PlainObject, type Steps, type Value } from '../../../values/index.js';
import type { CallExpr, Expr, Node, Ref, Rule, Term, VarTerm } from '../../ast/nodes.js';
import { isRoot } from '../../ast/paths.js';
import { printRef } from '../../ast/print.js';
import { walk } from '../../ast/walk.js';
import { isTestHead } from '../../check/test-heads.js';
import type { Warnings } from '../../diagnostics/warnings.js';
import { builtinName } from '../../resolve/builtin-table.js';
import type { Compiled } from '../../resolve/compiled.js';
import { isEquality } from '../../resolve/expression-kinds.js';
import { elseChain } from '../../resolve/links.js';
import { rulesRead } from '../../resolve/tree.js';
import type { WarningSearch } from '../warning-search.js';

/** Documents with fewer elements are gone through in no time. */
const fewest = 100;

/** Built-ins of which an index knows nothing: their operands must be looked at one by one. */
const searches: ReadonlySet<string> = new Set([
  'startswith',
  'endswith',
  'contains',
  'regex.match',
  'glob.match',
  'net.cidr_contains',
  'strings.any_prefix_match',
  'strings.any_suffix_match',
  'lt',
  'lte',
  'gt',
  'gte',
  'neq',
]);

export function* findUnindexedLoops({ compiled, scope: { documents }, warnings }: WarningSearch): Steps {
  for (const { rules } of compiled.modules.values()) {
    for (const { rule } of rules) {
      if (isTestHead(rule.head)) continue;
      for (const link of elseChain(rule)) checkLink(link, compiled, documents, warnings);
    }
    yield;
  }
}

/** A loop over the elements of a base document. */
interface Loop {
  readonly expr: Expr;
  readonly path: Ref;
  /** The variables that depend on the element. */
  readonly variables: Set<string>;
}

function checkLink(link: Rule, compiled: Compiled, documents: PlainObject | undefined, warnings: Warnings): void {
  const bound = new Set<string>();
  for (const arg of link.head.args ?? []) addVariables(arg, bound);
  const loops: Loop[] = [];
  const found: { readonly loop: Loop; readonly expr: Expr }[] = [];
  for (const expr of link.body) {
    if (expr.with.length > 0) return;
    const loop = loopOf(expr, bound, compiled);
    if (loop) {
      loops.push(loop);
      addVariables(expr, bound);
      continue;
    }
    for (const each of loops) extend(each, expr, bound);
    const isDefinition = isEqualityOf(expr, (arg) => arg.type === 'var' && !bound.has(arg.name));
    addVariables(expr, bound);
    const inner = loops.findLast(({ variables }) => mentions(expr, variables));
    if (inner === undefined || expr.kind !== 'call' || expr.negated || isDefinition) continue;
    const name = builtinName(expr.operator.terms) ?? '';
    const isSearch = searches.has(name) || (isEquality(expr) && isComputed(expr, inner));
    if (isSearch) found.push({ loop: inner, expr });
  }
  for (const loop of loops) {
    const search = found.find((one) => one.loop === loop);
    if (search === undefined || link.body.some((expr) => isServed(expr, loop))) continue;
    // A value that is made of the elements needs them all.
    if (headTerms(link).some((term) => mentions(term, loop.variables))) continue;
    const size = sizeOf(loop.path, documents);
    if (size !== undefined && size < fewest) continue;
    const outer = loops.filter((other) => other !== loop && loops.indexOf(other) < loops.indexOf(loop));
    warnings.report('unindexedLoop', loop.expr.loc, {
      document: printRef(loop.path),
      condition: search.expr.loc.text.replace(/\s+/g, ' '),
      size,
      around: outer.map(({ path }) => printRef(path)),
    });
  }
}

function isEqualityOf(expr: Expr, isIt: (arg: Term) => boolean): boolean {
  return expr.kind === 'call' && isEquality(expr) && expr.args.some(isIt);
}

function headTerms({ head: { ref, key, value } }: Rule): readonly Term[] {
  return [...ref.slice(1), ...(key ? [key] : []), ...(value ? [value] : [])];
}

/** `x = data.a.b[k]`, where nothing binds `k` and no rule makes the document. */
function loopOf(expr: Expr, bound: ReadonlySet<string>, { ruleTree }: Compiled): Loop | undefined {
  if (expr.kind !== 'call' || expr.negated || !isEquality(expr)) return undefined;
  const [a, b] = expr.args;
  for (const [variable, ref] of [
    [a, b],
    [b, a],
  ] as const) {
    if (variable.type !== 'var' || ref.type !== 'ref' || !isRoot(ref.terms[0], 'data')) continue;
    const at = ref.terms.findIndex((term, i) => i > 0 && term.type === 'var' && !bound.has(term.name));
    if (at < 2) continue;
    const path = ref.terms.slice(0, at) as unknown as Ref;
    if (path.some((term, i) => i > 0 && term.type !== 'string') || rulesRead(ruleTree, path).length > 0) continue;
    return { expr, path, variables: new Set([variable.name]) };
  }
  return undefined;
}

/** Variables that get their values from the element depend on it too. */
function extend({ variables }: Loop, expr: Expr, bound: ReadonlySet<string>): void {
  if (expr.kind !== 'call' || expr.negated || !mentions(expr, variables)) return;
  const output = isEquality(expr) ? expr.args.find(isVar) : expr.args.at(-1);
  if (output?.type === 'var' && !bound.has(output.name) && (expr.generated || isEquality(expr)))
    variables.add(output.name);
}

function isVar(term: Term): term is VarTerm {
  return term.type === 'var';
}

/** Whether an index finds the elements: a part of them is compared with something else. */
function isServed(expr: Expr, { variables }: Loop): boolean {
  if (expr.kind !== 'call' || expr.negated || expr.generated) return false;
  const name = builtinName(expr.operator.terms);
  if (name === 'internal.member_2' || name === 'internal.member_3') return mentions(expr, variables);
  if (name !== 'eq' && name !== 'equal') {
    // The comparison may be in a function.
    return name === undefined ? mentions(expr, variables) : name.startsWith('data.') && mentions(expr, variables);
  }
  return expr.args.some((arg) => isPartOf(arg, variables)) && !expr.args.every((arg) => mentions(arg, variables));
}

function isPartOf(term: Term, variables: ReadonlySet<string>): boolean {
  return term.type === 'ref' && term.terms[0].type === 'var' && variables.has(term.terms[0].name);
}

/** Whether a comparison is of a call's result for the element. */
function isComputed(expr: CallExpr, { variables }: Loop): boolean {
  return (
    !expr.generated &&
    expr.args.some((arg) => arg.type === 'var' && variables.has(arg.name) && !/^\w+$/.test(arg.loc.text))
  );
}

function mentions(node: Node, names: ReadonlySet<string>): boolean {
  let found = false;
  walk(node, (inner) => {
    found ||= inner.type === 'var' && names.has(inner.name);
    return !found;
  });
  return found;
}

function addVariables(node: Node, names: Set<string>): void {
  walk(node, (inner) => {
    if (inner.type === 'var') names.add(inner.name);
  });
}

/** The number of elements, if the document is there. */
function sizeOf(path: Ref, documents: PlainObject | undefined): number | undefined {
  let value: Value | undefined = documents;
  for (const term of path.slice(1)) {
    if (term.type !== 'string' || value === undefined || !isObject(value)) return undefined;
    value = Object.hasOwn(value, term.value) ? (value as PlainObject)[term.value] : undefined;
  }
  if (value === undefined) return undefined;
  if (isArray(value)) return value.length;
  return isObject(value) ? objectSize(value) : undefined;
}
