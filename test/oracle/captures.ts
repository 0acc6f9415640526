/**
 * The variables that the bodies inside an expression share with the enclosing bodies. A
 * comprehension can be evaluated once all of them have values; its other variables are local.
 */

import type { Body, Expr, Node, Term } from '../../compiler/ast/nodes.js';
import { forEachChild } from '../../compiler/ast/walk.js';

/** By comprehension, template part, and `every`, `not`, `and`, `or` expression. */
export type Captures = Map<Node, ReadonlySet<string>>;

/**
 * Collects the captures in a body and in the terms that belong to it (of a head). `enclosing` are
 * the names of the enclosing bodies.
 */
export function collectCaptures(body: Body, terms: readonly Term[], enclosing: ReadonlySet<string>, captures: Captures): void {
  const names = new Set(enclosing);
  for (const node of [...body, ...terms]) addOwnNames(node, names);
  for (const node of [...body, ...terms]) collectIn(node, names, captures);
}

function collectIn(node: Node, names: ReadonlySet<string>, captures: Captures): void {
  for (const { body, terms } of bodiesOf(node)) {
    captures.set(node, new Set([...(captures.get(node) ?? []), ...sharedNames([...body, ...terms], names)]));
    collectCaptures(body, terms, names, captures);
  }
  forEachOutside(node, (child) => collectIn(child, names, captures));
}

function sharedNames(nodes: readonly Node[], names: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  const visit = (node: Node): void => {
    if (node.type === 'var' && names.has(node.name)) found.add(node.name);
    for (const { body, terms } of bodiesOf(node)) [...body, ...terms].forEach(visit);
    forEachOutside(node, visit);
  };
  nodes.forEach(visit);
  return [...found];
}

/** The bodies for which a node opens scopes, each with the terms that see its variables. */
function bodiesOf(node: Node): readonly { readonly body: Body; readonly terms: readonly Term[] }[] {
  switch (node.type) {
    case 'arraycomprehension':
    case 'setcomprehension':
      return [{ body: node.body, terms: [node.term] }];
    case 'objectcomprehension':
      return [{ body: node.body, terms: [node.key, node.value] }];
    case 'expr':
      if (node.kind === 'every' || node.kind === 'not') return [{ body: node.body, terms: [] }];
      if (node.kind === 'and' || node.kind === 'or') return [node.lhs, node.rhs].map((body) => ({ body, terms: [] }));
  }
  return [];
}

/** Visits the children of a node outside of its own bodies. */
function forEachOutside(node: Node, call: (child: Node) => void): void {
  switch (node.type) {
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension':
      return;
    case 'call':
      node.args.forEach(call);
      return;
    case 'with':
      // A target and a value that names a function are names, not variables.
      if (!isName(node.value)) call(node.value);
      return;
    case 'expr':
      node.with.forEach(call);
      if (node.kind === 'every') call(node.domain);
      else if (node.kind === 'call') node.args.forEach(call);
      else if (node.kind === 'term' || node.kind === 'some') forEachChild({ ...node, with: [] }, call);
      return;
    default:
      forEachChild(node, call);
  }
}

function isName(value: Term): boolean {
  return value.type === 'ref' && value.terms.length === 1;
}

/** Adds the variables of a node, without those of the bodies inside it. */
function addOwnNames(node: Node, names: Set<string>): void {
  if (node.type === 'var') names.add(node.name);
  else forEachOutside(node, (child) => addOwnNames(child, names));
}

/** The variables that need values before an expression under `not` can be evaluated. */
export function ownNames(expr: Expr): ReadonlySet<string> {
  const names = new Set<string>();
  addOwnNames(expr, names);
  return names;
}
