/**
 * Expressions with modifiers that can never hold by their types. The type checker takes what reads
 * a replaced document for anything, also where the types of rules hold for every document.
 */

import type { Steps } from '../../../values/index.js';
import type { Body, Expr, Rule } from '../../ast/nodes.js';
import { walk } from '../../ast/walk.js';
import { BodyChecker } from '../../check/typing/body.js';
import { isError, type TypeFinding } from '../../check/typing/details.js';
import { Globals } from '../../check/typing/env.js';
import { Replacements } from '../../check/typing/replaced.js';
import { expectations } from '../../diagnostics/render.js';
import type { Compiled } from '../../resolve/compiled.js';
import { elseChain } from '../../resolve/links.js';
import type { Span } from '../../source/location.js';
import type { WarningSearch } from '../warning-search.js';

export function* findImpossibleTypes({ compiled, warnings }: WarningSearch): Steps {
  const globals = globalsOf(compiled);
  if (globals === undefined) return;
  for (const { parsed, rules, names } of compiled.modules.values()) {
    if (!/\bwith\b/.test(parsed.source.text)) continue;
    for (const { rule } of rules) {
      if (rule.default) continue;
      for (const link of elseChain(rule)) {
        if (!hasModifiers(link)) continue;
        const { errors } = new BodyChecker(globals, names, true).body(link.body);
        for (const error of errors) {
          const { span } = error.diagnostic;
          if (span === undefined || error.vague || !isError(error)) continue;
          const decided = { ...outcomeOf(link.body, span), types: reasonOf(error) };
          warnings.report('impossibleCondition', span, { ...decided, beside: undefined, because: undefined });
        }
      }
    }
    yield;
  }
}

/** The types of rules, whatever replaces the input; undefined where a schema decides them. */
function globalsOf({ types, options, modules, builtins, ruleTree, graph }: Compiled): Globals | undefined {
  if (types === undefined || (options.schemas?.size ?? 0) > 0) return undefined;
  for (const { parsed } of modules.values())
    if (parsed.annotations.some(({ schemas }) => schemas.length > 0)) return undefined;
  const globals = new Globals(builtins, new Replacements(ruleTree, graph, true));
  for (const [name, tree] of types.globals.documents) globals.documents.set(name, tree);
  return globals;
}

function hasModifiers({ body }: Rule): boolean {
  let found = false;
  for (const expr of body)
    walk(expr, (node) => {
      found ||= node.type === 'with';
      return !found;
    });
  return found;
}

/** The condition around a place that is undefined. */
function outcomeOf(body: Body, span: Span): { readonly text: string; readonly isAlways: boolean } {
  const around = body.find((expr) => isNegation(expr) && expr.loc.includes(span));
  return { text: (around?.loc ?? span).text.replace(/\s+/g, ' '), isAlways: around !== undefined };
}

function isNegation(expr: Expr): boolean {
  return expr.negated || expr.kind === 'not';
}

function reasonOf({ diagnostic }: TypeFinding): string {
  const sides = expectations(diagnostic);
  if (diagnostic.name !== 'matchError') return [diagnostic.message, ...sides].join(', ');
  return `${sides.map((side) => side.replace(/^\w+\s*: /, '')).join(' and ')} are never equal`;
}
