/**
 * Rules that read a residual under a modifier. What the modifier replaces may have been known when
 * the residual was made, so that the residual no longer depends on it.
 */

import type { Compiled, CompiledRule, Expr, RefTerm, Term } from '../../compiler/index.js';
import { compareTerms, rulesRead, walk } from '../../compiler/index.js';

/**
 * Whether an expression reads a rule of some modules under a modifier of a function or of a known
 * document.
 * @param residuals names of modules
 * @param unknowns documents that were not known
 * @param isTest whether a module is left out: its rules decide nothing
 */
export function readsModified(
  compiled: Compiled,
  residuals: ReadonlySet<string>,
  unknowns: readonly (readonly Term[])[],
  isTest: (module: string) => boolean,
): boolean {
  const isUnknown = ({ terms }: RefTerm) => unknowns.some((one) => begins(terms, one));
  for (const [name, { rules }] of compiled.modules) {
    if (isTest(name)) continue;
    for (const { rule } of rules) {
      let found = false;
      walk(rule, (node) => {
        if (
          found ||
          node.type !== 'expr' ||
          node.with.every(({ target }) => target.type === 'ref' && isUnknown(target))
        )
          return;
        found = reached(compiled, node).some(({ module }) => residuals.has(module.name));
      });
      if (found) return true;
    }
  }
  return false;
}

function begins(ref: readonly Term[], start: readonly Term[]): boolean {
  return start.length <= ref.length && start.every((term, i) => compareTerms(term, ref[i]!) === 0);
}

/** The rules that an expression reads, directly or indirectly. */
function reached(compiled: Compiled, expr: Expr): readonly CompiledRule[] {
  const seen = new Set<CompiledRule>();
  const open: CompiledRule[] = [];
  walk(expr, (node) => {
    if (node.type === 'ref') for (const rule of rulesRead(compiled.ruleTree, node.terms)) open.push(rule);
  });
  for (let rule = open.pop(); rule !== undefined; rule = open.pop()) {
    if (seen.has(rule)) continue;
    seen.add(rule);
    for (const dependency of compiled.graph.dependencies(rule)) open.push(dependency);
  }
  return [...seen];
}
