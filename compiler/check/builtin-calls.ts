/** Calls of built-ins that a policy may not make, or should no longer make. */

import type { Expr, Node } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import { builtinName } from '../resolve/builtin-table.js';
import { type Context, report } from '../resolve/working-module.js';

/** Built-ins that the options forbid. */
export function checkUnsafeBuiltins(nodes: Iterable<Node>, context: Context): void {
  const unsafe = context.options.unsafeBuiltins;
  if (unsafe === undefined || unsafe.size === 0) return;
  eachCall(nodes, (name, expr) => {
    if (unsafe.has(name)) report(context, 'unsafeBuiltin', expr.loc, { name });
  });
}

export function checkDeprecatedBuiltins(nodes: Iterable<Node>, context: Context): void {
  eachCall(nodes, (name, expr) => {
    if (context.builtins.get(name)?.deprecated === true) report(context, 'deprecatedBuiltin', expr.loc, { name });
  });
}

function eachCall(nodes: Iterable<Node>, call: (name: string, expr: Expr) => void): void {
  for (const node of nodes)
    walk(node, (inner) => {
      if (inner.type !== 'expr' || inner.kind !== 'call') return;
      const name = builtinName(inner.operator.terms);
      if (name !== undefined) call(name, inner);
    });
}
