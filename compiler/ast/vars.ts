/** The variables of a tree. */

import type { Node } from './nodes.js';
import { forEachChild } from './walk.js';

/** Parts to leave out. Default: none. */
interface VarsOptions {
  /** The first term of a ref that is a variable: `x` of `x.y`. */
  readonly skipRefHead?: boolean;
  /** The names of functions: `f` of `f(x)`. */
  readonly skipOperators?: boolean;
  /** Comprehensions, and bodies that make a scope. */
  readonly skipClosures?: boolean;
  readonly skipObjectKeys?: boolean;
  readonly skipSets?: boolean;
}

/** The names of the variables in some nodes, in the order in which they appear. */
export function varsOf(nodes: Node | readonly Node[], options: VarsOptions = {}): Set<string> {
  const names = new Set<string>();
  const visit = (node: Node): void => {
    switch (node.type) {
      case 'var':
        names.add(node.name);
        return;
      case 'ref':
        node.terms.forEach((term, i) => {
          if (i > 0 || !options.skipRefHead || term.type !== 'var') visit(term);
        });
        return;
      case 'call':
        if (!options.skipOperators) visit(node.operator);
        node.args.forEach(visit);
        return;
      case 'object':
        for (const { key, value } of node.entries) {
          if (!options.skipObjectKeys) visit(key);
          visit(value);
        }
        return;
      case 'set':
        if (!options.skipSets) node.items.forEach(visit);
        return;
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension':
        if (!options.skipClosures) forEachChild(node, visit);
        return;
      case 'expr':
        if (node.kind === 'call') {
          if (!options.skipOperators) visit(node.operator);
          node.args.forEach(visit);
          node.with.forEach(visit);
          return;
        }
        if (
          options.skipClosures &&
          (node.kind === 'every' || node.kind === 'not' || node.kind === 'and' || node.kind === 'or')
        ) {
          if (node.kind === 'every') visit(node.domain);
          node.with.forEach(visit);
          return;
        }
        forEachChild(node, visit);
        return;
      default:
        forEachChild(node, visit);
    }
  };
  for (const node of Array.isArray(nodes) ? (nodes as readonly Node[]) : [nodes as Node]) visit(node);
  return names;
}
