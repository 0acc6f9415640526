/** A rule's contribution to the types of documents and functions. */

import type { Rule, ScalarTerm, Term } from '../../ast/nodes.js';
import type { Diagnostic } from '../../diagnostics/diagnostics.js';
import type { CompileOptions } from '../../resolve/compile-options.js';
import { type CompiledRule, ruleKind } from '../../resolve/compiled-rule.js';
import { elseChain } from '../../resolve/links.js';
import { constantKeys } from '../../resolve/tree.js';
import { BodyChecker } from './body.js';
import { type Doubt, isError } from './details.js';
import type { Globals, TypeScope } from './env.js';
import type { RuleSchemas } from './schemas.js';
import type { TypeTree } from './tree.js';
import { anything, functionType, objectType, setType, type Type } from './type.js';
import { bindUnknown } from './type-unification.js';

/**
 * One link of a rule's `else` chain adds one of these, or nothing where nothing is known of its
 * value.
 */
type Contribution =
  /** There are errors: readers get `any`. */
  { readonly how: 'failed' } | { readonly how: 'value'; readonly type: Type };

/** The result of checking a rule. */
export interface RuleTypes {
  /** The constant part of its path, without `data`. */
  readonly path: readonly ScalarTerm[];
  readonly contributions: readonly Contribution[];
  readonly errors: readonly Diagnostic[];
  /** The expressions that can hold for nothing while a collection is empty. */
  readonly doubts: readonly Doubt[];
  /**
   * Whether expressions have modifiers: errors depend on which rules read the replaced documents.
   */
  readonly replaces: boolean;
}

/** Checks a rule. The rules that it reads must have types already. */
export function checkRule(
  rule: CompiledRule,
  globals: Globals,
  schemas: RuleSchemas,
  { allowUndefinedFunctions = false, strict = false }: CompileOptions,
): RuleTypes {
  const path = constantKeys(rule.ref);
  const suffix = rule.rule.head.ref.slice(rule.rule.head.ref.length - (rule.ref.length - path.length - 1));
  const contributions: Contribution[] = [];
  const errors: Diagnostic[] = [];
  const doubts: Doubt[] = [];
  let replaces = false;
  for (const link of elseChain(rule.rule)) {
    const described = schemas.documents(rule, link, globals);
    errors.push(...described.errors);
    const checker = new BodyChecker(globals, rule.module.names, allowUndefinedFunctions);
    const { scope, errors: found } = checker.body(link.body, described.documents);
    for (const { diagnostic, doubt } of found) {
      if (doubt !== undefined && !strict) doubts.push(doubt);
      else errors.push(diagnostic);
    }
    replaces ||= checker.replaces;
    // Errors list the parts of `data` around a described one, too.
    if (found.length > 0 && described.documents?.has('data')) globals.listsPackages = true;
    const contribution: Contribution | undefined = found.some(isError)
      ? { how: 'failed' }
      : contributionOf(link, rule.rule.head.args ?? [], suffix, scope);
    if (contribution) contributions.push(contribution);
  }
  return { path, contributions, errors, doubts, replaces };
}

/** Adds a link's value to the types of `data`. */
export function contribute(data: TypeTree, path: readonly ScalarTerm[], contribution: Contribution): void {
  switch (contribution.how) {
    case 'failed':
      data.put(path, anything);
      return;
    case 'value': {
      const { type } = contribution;
      // A function with a failed body has failed; its other bodies do not count.
      if (type.kind === 'function' && data.find(path, 0).type?.kind === 'any') return;
      data.insert(path, type);
    }
  }
}

function contributionOf(
  link: Rule,
  args: readonly Term[],
  suffix: readonly Term[],
  scope: TypeScope,
): Contribution | undefined {
  const { head } = link;
  if (args.length > 0) return { how: 'value', type: typeOfFunction(args, head.value!, scope) };
  const isSet = ruleKind(head) === 'multi';
  let type = isSet ? setOf(scope.typeOf(head.key!)) : scope.typeOf(head.value!);
  for (const term of suffix.toReversed()) {
    if (!type) break;
    // Any key may lead to a set: a look-up by a key of another type is undefined and not refused.
    const key: Type | undefined = isSet ? anything : scope.typeOf(term);
    type = key && objectType([], { key, value: type });
  }
  return type && { how: 'value', type };
}

function setOf(member: Type | undefined): Type | undefined {
  return member && setType(member);
}

/** The type of an unchecked rule: anything may be at its path. */
export function uncheckedRule({ ref }: CompiledRule): {
  readonly path: readonly ScalarTerm[];
  readonly contribution: Contribution;
} {
  const path = constantKeys(ref);
  let type: Type = anything;
  for (let i = path.length + 1; i < ref.length; i++) type = objectType([], { key: anything, value: type });
  return { path, contribution: { how: 'value', type } };
}

/** Parameters of which the body says nothing may be anything. */
function typeOfFunction(args: readonly Term[], value: Term, scope: TypeScope): Type {
  for (const arg of args) bindUnknown(arg, scope);
  return functionType(
    args.map((arg) => scope.typeOf(arg)),
    scope.typeOf(value),
  );
}
