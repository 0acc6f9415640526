/** Checks the targets of `with`, and binds values that need evaluation before the expression. */

import { refPrefix, refTerm } from '../ast/make.js';
import type { Body, Expr, RefTerm, Term, With } from '../ast/nodes.js';
import { printTerm } from '../ast/print.js';
import { type BuiltinDeclaration, builtinName } from '../resolve/builtin-table.js';
import { requiresEval } from '../resolve/expression-kinds.js';
import { childOf, type RuleTree } from '../resolve/tree.js';
import { type Context, lookUp, noteLookup, report } from '../resolve/working-module.js';
import { bindToLocal, flatMapBody } from './bodies.js';

export function rewriteWith(body: Body, context: Context): Body {
  const { list } = context.diagnostics;
  const before = list.length;
  return flatMapBody(body, (expr, into) => {
    // One complaint a body is enough.
    if (expr.with.length === 0 || list.length > before) {
      into.push(expr);
      return;
    }
    const modifiers = expr.with.map((modifier) =>
      list.length > before ? modifier : rewriteModifier(modifier, into, context),
    );
    into.push(modifiers.every((modifier, i) => modifier === expr.with[i]) ? expr : { ...expr, with: modifiers });
  });
}

function rewriteModifier(modifier: With, into: Expr[], context: Context): With {
  const target = functionRef(modifier.target, context);
  const value = functionRef(modifier.value, context);
  let next = target === modifier.target && value === modifier.value ? modifier : { ...modifier, target, value };
  if (takesValue(target, value, context) && requiresEval(value)) {
    const { variable, binding } = bindToLocal(context, value);
    into.push(binding);
    next = { ...next, value: variable };
  }
  return next;
}

/** A built-in of one word is parsed as a variable: its ref instead. */
function functionRef(term: Term, context: Context): Term {
  return term.type === 'var' && context.builtins.get(term.name) ? refTerm(term.loc, [term]) : term;
}

/**
 * Whether a value replaces the target, and not a function another; false also where it reported
 * that the target cannot be replaced.
 */
function takesValue(target: Term, value: Term, context: Context): boolean {
  const isUnsafe = unsafeName(target, context);
  if (isUnsafe !== undefined) {
    report(context, 'withUnsafe', target.loc, { name: isUnsafe });
    return false;
  }
  const head = target.type === 'ref' ? target.terms[0] : undefined;
  const root = head?.type === 'var' ? head.name : undefined;
  if (root === 'data') return takesData(target as RefTerm, value, context);
  if (root === 'input') return true;
  const builtin = target.type === 'ref' ? context.builtins.of(target) : undefined;
  if (builtin) return takesBuiltin(builtin, target as RefTerm, value, context);
  if (context.options.allowUndefinedFunctions && (target.type === 'ref' || target.type === 'var')) return false;
  report(context, 'withTarget', target.loc, {});
  return false;
}

/** The name of a built-in that may not be used. */
function unsafeName(term: Term, context: Context): string | undefined {
  const terms = term.type === 'ref' ? term.terms : term.type === 'var' ? [term] : undefined;
  const name = terms && builtinName(terms);
  return name !== undefined && context.options.unsafeBuiltins?.has(name) ? name : undefined;
}

function takesData(target: RefTerm, value: Term, context: Context): boolean {
  let node: RuleTree | undefined = context.rules;
  for (const [i, key] of target.terms.slice(1).entries()) {
    if (node === undefined) break;
    noteLookup(context, refPrefix(target.terms, i + 1));
    if (node.rules.length > 0) {
      report(context, 'withPartOfVirtual', target.loc, {});
      return false;
    }
    node = childOf(node, key);
  }
  noteLookup(context, target.terms);
  if (isFunction(node) && replacesFunction(value, context) !== false) return false;
  // The ref of a function is no value: it stays a ref.
  return !(value.type === 'ref' && isFunction(lookUp(context, value.terms)));
}

function isFunction(node: RuleTree | undefined): boolean {
  return node?.rules.some(({ rule }) => (rule.head.args?.length ?? 0) > 0) ?? false;
}

function takesBuiltin(builtin: BuiltinDeclaration, target: RefTerm, value: Term, context: Context): boolean {
  const { name } = builtin;
  if (name === 'eq' || name === 'rego.metadata.chain' || name === 'rego.metadata.rule') {
    report(context, 'withInvalid', target.loc, { name });
  } else if (name.startsWith('internal.')) report(context, 'withInternal', target.loc, { name });
  else if (builtin.relation === true) report(context, 'withRelation', target.loc, {});
  else if (builtin.result === undefined) report(context, 'withVoid', target.loc, {});
  else return replacesFunction(value, context) === false;
  return false;
}

/**
 * Whether a value names a function or rule; undefined where it reported that it may not be used.
 */
function replacesFunction(value: Term, context: Context): boolean | undefined {
  if (value.type === 'ref' && lookUp(context, value.terms)) return true;
  const unsafe = unsafeName(value, context);
  if (unsafe !== undefined) {
    report(context, 'withUnsafe', value.loc, { name: printTerm(value) });
    return undefined;
  }
  return value.type === 'ref' && context.builtins.of(value) !== undefined;
}
