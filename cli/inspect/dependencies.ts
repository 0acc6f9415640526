/** The documents that a query reads, directly or through rules. */

import type { Body, CallExpr, Compiled, CompiledRule, Expr, Node, RefTerm, Rule, Term } from '../../compiler/index.js';
import {
  compareTerms,
  elseChain,
  equalTerms,
  groundPrefix,
  isEquality,
  isRoot,
  rulesRead,
  varsOf,
  walk,
} from '../../compiler/index.js';

export interface Dependencies {
  /** Paths into the input and the base documents, up to the first variable. */
  readonly base: readonly RefTerm[];
  /** Paths of rules. */
  readonly virtual: readonly RefTerm[];
  readonly reads: readonly Read[];
}

/** A rule or a base document that a rule, or the query, reads. */
interface Read {
  /** Undefined for the query. */
  readonly from: CompiledRule | undefined;
  /** A rule, or the path of a base document. */
  readonly to: CompiledRule | RefTerm;
}

export function dependenciesOf(query: Body, compiled: Compiled): Dependencies {
  const base: RefTerm[] = [];
  const virtual: RefTerm[] = [];
  const reads: Read[] = [];
  const seen = new Set<CompiledRule>();
  const open: { readonly from: CompiledRule | undefined; readonly refs: RefTerm[] }[] = [
    { from: undefined, refs: refsOf(query, [...varsOf(query)]) },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { from, refs } = next;
    for (const ref of minimal(refs)) {
      const constant: RefTerm = { ...ref, terms: groundPrefix(ref.terms) };
      const rules = isRoot(constant.terms[0], 'input') ? [] : rulesRead(compiled.ruleTree, constant.terms);
      if (rules.length === 0) {
        base.push(constant);
        reads.push({ from, to: constant });
      }
      for (const rule of rules) {
        reads.push({ from, to: rule });
        if (seen.has(rule)) continue;
        seen.add(rule);
        virtual.push({ type: 'ref', loc: rule.rule.loc, terms: groundPrefix(rule.ref) });
        for (const link of elseChain(rule.rule))
          open.push({ from: rule, refs: refsOf(link.body, headVars(link), headNodes(link)) });
      }
    }
  }
  return { base: distinct(base), virtual: distinct(virtual), reads };
}

function headNodes({ head }: Rule): readonly Node[] {
  return [...(head.args ?? []), ...(head.key ? [head.key] : []), ...(head.value ? [head.value] : [])];
}

function headVars(rule: Rule): string[] {
  return headNodes(rule).flatMap((node) => [...varsOf(node)]);
}

/**
 * The paths that a body reads. A variable that only names a document (`x = input.a; x.b`) does not
 * count as a read of the whole document if parts of it are read: the paths of the parts count
 * instead.
 */
function refsOf(body: Body, head: readonly string[], headTerms: readonly Node[] = []): RefTerm[] {
  const aliases = new Map<string, RefTerm[]>();
  const others: Expr[] = [];
  for (const expr of body) {
    const alias = aliasOf(expr);
    if (alias === undefined) others.push(expr);
    else aliases.set(alias.name, [...(aliases.get(alias.name) ?? []), alias.ref]);
  }
  const found: RefTerm[] = [];
  const add = (ref: RefTerm) => found.push(...expanded(ref, aliases));
  const visit = (node: Node) =>
    walk(node, (inner) => {
      if (inner.type === 'ref') add(inner);
    });
  for (const node of [...others.flatMap(partsOf), ...headTerms]) visit(node);
  const used = new Set([...head, ...others.flatMap((expr) => [...varsOf(partsOf(expr), { skipRefHead: true })])]);
  for (const refs of aliases.values())
    for (const ref of refs) for (const term of ref.terms.slice(1)) if (term.type === 'var') used.add(term.name);
  for (const [name, refs] of aliases) {
    if (used.has(name) || refs.length > 1) for (const ref of refs) add(ref);
    for (const ref of refs) for (const term of ref.terms.slice(1)) if (term.type === 'ref') visit(term);
  }
  return found;
}

/** The operands and modifiers of an expression; names of functions are not documents. */
function partsOf(expr: Expr): Node[] {
  if (expr.kind !== 'call') return [expr];
  return [...expr.args, ...(isPolicyFunction(expr) ? [expr.operator] : []), ...expr.with];
}

function isPolicyFunction({ operator }: CallExpr): boolean {
  const head = operator.terms[0];
  return isRoot(head, 'data');
}

/** Matches `x = ref` in either order. */
function aliasOf(expr: Expr): { readonly name: string; readonly ref: RefTerm } | undefined {
  if (!isEquality(expr) || expr.negated || expr.with.length > 0) return undefined;
  const [a, b] = expr.args as readonly [Term, Term];
  if (a.type === 'var' && b.type === 'ref') return { name: a.name, ref: b };
  return b.type === 'var' && a.type === 'ref' ? { name: b.name, ref: a } : undefined;
}

/** A ref with its head replaced by the documents that the head names; empty if it names none. */
function expanded(ref: RefTerm, aliases: ReadonlyMap<string, readonly RefTerm[]>, depth = 0): RefTerm[] {
  const [head, ...rest] = ref.terms;
  if (head?.type !== 'var') return [];
  if (head.name === 'data' || head.name === 'input') return [ref];
  // The bound is for circular aliases.
  if (depth > 100) return [];
  return (aliases.get(head.name) ?? []).flatMap((alias) =>
    expanded({ ...alias, terms: [...alias.terms, ...rest] }, aliases, depth + 1),
  );
}

/** Sorted and distinct, without paths below another path of the list. */
function minimal(refs: readonly RefTerm[]): RefTerm[] {
  const kept: RefTerm[] = [];
  for (const ref of distinct(refs)) {
    const last = kept.at(-1);
    if (
      last === undefined ||
      !last.terms.every((term, i) => ref.terms[i] !== undefined && equalTerms(term, ref.terms[i]))
    )
      kept.push(ref);
  }
  return kept;
}

function distinct(refs: readonly RefTerm[]): RefTerm[] {
  const kept: RefTerm[] = [];
  for (const ref of refs.toSorted(compareTerms)) {
    const last = kept.at(-1);
    if (last === undefined || compareTerms(last, ref) !== 0) kept.push(ref);
  }
  return kept;
}
