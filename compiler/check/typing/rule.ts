/** What a rule adds to the types of documents and functions. */

import type { Rule, Term } from '../../ast/nodes.js';
import type { Diagnostic } from '../../diagnostics/diagnostics.js';
import { type CompiledRule, ruleKind } from '../../resolve/compiled.js';
import { linksOf } from '../../resolve/links.js';
import { groundPrefix } from '../../resolve/tree.js';
import { BodyChecker } from './body.js';
import type { Globals, Scope } from './env.js';
import type { RuleSchemas } from './schemas.js';
import type { TypeTree } from './tree.js';
import { anything, functionType, objectType, setType, type Type } from './type.js';

/** One link of a rule's `else` chain adds one of these, or nothing where nothing is known of its value. */
export type Contribution =
  /** There are errors: what reads this may expect anything. */
  | { readonly how: 'failed' }
  | { readonly how: 'value'; readonly type: Type }
  /** A set at a place that `depth` variables or more name. */
  | { readonly how: 'below'; readonly depth: number; readonly type: Type };

/** What was found of a rule. */
export interface RuleTypes {
  /** The constant part of its path, without `data`. */
  readonly path: readonly Term[];
  readonly contributions: readonly Contribution[];
  readonly errors: readonly Diagnostic[];
}

/** Checks a rule. The types of those that it reads must be there. */
export function checkRule(rule: CompiledRule, globals: Globals, schemas: RuleSchemas, allowUndefined: boolean): RuleTypes {
  const path = groundPrefix(rule.ref).slice(1);
  const suffix = rule.rule.head.ref.slice(rule.rule.head.ref.length - (rule.ref.length - path.length - 1));
  const contributions: Contribution[] = [];
  const errors: Diagnostic[] = [];
  for (const link of linksOf(rule.rule)) {
    const described = schemas.documents(rule, link, globals);
    errors.push(...described.errors);
    const checker = new BodyChecker(globals, rule.module.names, allowUndefined);
    const { scope, errors: found } = checker.body(link.body, described.documents);
    for (const { diagnostic } of found) errors.push(diagnostic);
    const contribution: Contribution | undefined =
      found.length > 0 ? { how: 'failed' } : contributionOf(link, rule.rule.head.args ?? [], suffix, scope);
    if (contribution) contributions.push(contribution);
  }
  return { path, contributions, errors };
}

/** Adds what a link makes to the types of `data`. */
export function contribute(data: TypeTree, path: readonly Term[], contribution: Contribution): void {
  switch (contribution.how) {
    case 'failed':
      data.put(path, anything);
      return;
    case 'below':
      data.insertBelow(path, contribution.depth, contribution.type);
      return;
    case 'value': {
      const { type } = contribution;
      // A function that failed stays so, whatever its other bodies are.
      if (type.kind === 'function' && data.find(path, 0).type?.kind === 'any') return;
      data.insert(path, type);
    }
  }
}

function contributionOf(link: Rule, args: readonly Term[], suffix: readonly Term[], scope: Scope): Contribution | undefined {
  const { head } = link;
  if (args.length > 0) return { how: 'value', type: typeOfFunction(args, head.value!, scope) };
  if (ruleKind(head) === 'multi') {
    const member = scope.typeOf(head.key!);
    if (!member) return undefined;
    const type = setType(member);
    return suffix.length > 0 ? { how: 'below', depth: suffix.length, type } : { how: 'value', type };
  }
  let type = scope.typeOf(head.value!);
  for (let i = suffix.length - 1; i >= 0 && type; i--) {
    const key = scope.typeOf(suffix[i]!);
    type = key && objectType([], { key, value: type });
  }
  return type && { how: 'value', type };
}

/** Parameters of which the body says nothing may be anything. */
function typeOfFunction(args: readonly Term[], value: Term, scope: Scope): Type {
  for (const arg of args) bindUnknown(arg, scope);
  return functionType(
    args.map((arg) => scope.typeOf(arg)),
    scope.typeOf(value),
  );
}

function bindUnknown(term: Term, scope: Scope): void {
  switch (term.type) {
    case 'var':
      if (scope.variable(term.name) === undefined) scope.set(term.name, anything);
      return;
    case 'array':
    case 'set':
      for (const item of term.items) bindUnknown(item, scope);
      return;
    case 'object':
      for (const { key, value } of term.entries) {
        bindUnknown(key, scope);
        bindUnknown(value, scope);
      }
  }
}
