/**
 * `rego.metadata.chain()` and `rego.metadata.rule()` are known when a rule is compiled: variables
 * bound to constants stand for them.
 */

import { callExpr, operatorRef, termExpr, varTerm } from '../ast/make.js';
import type { CallExpr, Expr, Rule, Term } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import { type AnnotationSet, annotationChain, annotationsOfRule } from '../resolve/annotation-set.js';
import { builtinName } from '../resolve/builtin-table.js';
import type { CompiledRule } from '../resolve/compiled-rule.js';
import type { Context } from '../resolve/working-module.js';
import { annotationsTerm, jsonTerm, pathTerm } from './annotations-term.js';
import { bindToLocal } from './bodies.js';
import { rewriteLink } from './closures.js';

const chain = 'rego.metadata.chain';
const own = 'rego.metadata.rule';

function metadataCall(expr: Expr): string | undefined {
  const name = expr.kind === 'call' ? builtinName(expr.operator.terms) : undefined;
  return name === chain || name === own ? name : undefined;
}

export function rewriteMetadataCalls(
  link: Rule,
  rule: CompiledRule,
  annotations: AnnotationSet,
  context: Context,
): Rule {
  const first = new Map<string, Expr>();
  for (const node of [link.head, ...link.body])
    walk(node, (inner) => {
      const name = inner.type === 'expr' ? metadataCall(inner) : undefined;
      if (name !== undefined && !first.has(name) && context.builtins.get(name)) first.set(name, inner as Expr);
    });
  if (first.size === 0) return link;
  const bindings = new Map<string, ReturnType<typeof bindToLocal>>();
  for (const name of [chain, own]) {
    const call = first.get(name);
    if (!call) continue;
    const value = name === chain ? chainTerm(link, rule, annotations, call) : ruleTerm(link, call);
    bindings.set(name, bindToLocal(context, value));
  }
  const replace = (expr: Expr): Expr => {
    const name = metadataCall(expr);
    const bound = name === undefined ? undefined : bindings.get(name);
    if (!bound) return expr;
    const value = varTerm(expr.loc, bound.variable.name);
    const [output] = (expr as CallExpr).args;
    const next = output ? callExpr(expr.loc, operatorRef(expr.loc, 'eq'), [output, value]) : termExpr(expr.loc, value);
    return { ...next, negated: expr.negated, with: expr.with, generated: true };
  };
  const rewritten = rewriteLink(link, { body: (body) => (body.some(metadataCall) ? body.map(replace) : body) });
  return { ...rewritten, body: [...[...bindings.values()].map(({ binding }) => binding), ...rewritten.body] };
}

function chainTerm(link: Rule, rule: CompiledRule, set: AnnotationSet, { loc }: Expr): Term {
  const items = annotationChain(link, rule, set).map(({ path, annotations }): Term => {
    const entries = [{ key: jsonTerm(loc, 'path'), value: pathTerm(loc, path) }];
    if (annotations) entries.push({ key: jsonTerm(loc, 'annotations'), value: annotationsTerm(loc, annotations) });
    return { type: 'object', loc, entries };
  });
  return { type: 'array', loc, items };
}

function ruleTerm(link: Rule, { loc }: Expr): Term {
  const [nearest] = annotationsOfRule(link);
  return nearest ? annotationsTerm(loc, nearest) : { type: 'object', loc, entries: [] };
}
