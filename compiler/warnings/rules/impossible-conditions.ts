/** Conditions that never hold, or always do, beside the others of their body. */

import type { Steps } from '../../../values/index.js';
import type { Body, Expr, Rule, Term, With } from '../../ast/nodes.js';
import { innerBodies, walk } from '../../ast/walk.js';
import { isTestHead } from '../../check/test-heads.js';
import { BodyChecker } from '../../check/typing/body.js';
import type { TypeScope } from '../../check/typing/env.js';
import { typeText } from '../../check/typing/print-type.js';
import { RuleSchemas } from '../../check/typing/schemas.js';
import type { Type } from '../../check/typing/type.js';
import type { Warnings } from '../../diagnostics/warnings.js';
import type { Compiled } from '../../resolve/compiled.js';
import { type CompiledRule, ruleKind } from '../../resolve/compiled-rule.js';
import { elseChain } from '../../resolve/links.js';
import { rulesAt } from '../../resolve/tree.js';
import { type Condition, type Conditions, conditionsOf } from '../conditions/conditions.js';
import { inputSchemas, schemaFacts } from '../conditions/schema-facts.js';
import { testsOfType } from '../conditions/type-tests.js';
import { follows, isImpossible, type ValueTest } from '../conditions/value-tests.js';
import type { WarningSearch } from '../warning-search.js';
import { findUnknownFields } from './unknown-fields.js';

export function* findImpossibleConditions({ compiled, warnings }: WarningSearch): Steps {
  const schemas = new RuleSchemas(compiled.options, compiled.annotations);
  for (const { rules } of compiled.modules.values()) {
    for (const rule of rules) {
      if (rule.rule.default) continue;
      for (const link of elseChain(rule.rule)) new LinkCheck(compiled, schemas, rule, link, warnings).check();
    }
    yield;
  }
}

/** A condition and why it has its outcome. */
interface Reason {
  /** The text of another condition; undefined where there is none. */
  readonly beside: string | undefined;
  /** The value that the reason is about, and the facts known of it. */
  readonly because: string | undefined;
}

class LinkCheck {
  readonly #compiled: Compiled;
  readonly #schemas: RuleSchemas;
  readonly #rule: CompiledRule;
  readonly #link: Rule;
  readonly #warnings: Warnings;
  #known: TypeScope | undefined;

  constructor(compiled: Compiled, schemas: RuleSchemas, rule: CompiledRule, link: Rule, warnings: Warnings) {
    this.#compiled = compiled;
    this.#schemas = schemas;
    this.#rule = rule;
    this.#link = link;
    this.#warnings = warnings;
  }

  check(): void {
    this.#body(this.#link.body, true);
    for (const expr of this.#link.body)
      walk(expr, (node) => {
        for (const body of innerBodies(node)) this.#body(body, false);
      });
  }

  #body(body: Body, isOutermost: boolean): void {
    const conditions = conditionsOf(body, this.#compiled.builtins);
    const { tests, keys, defined } = conditions;
    for (const expr of body) this.#set(expr, isOutermost && body.length === 1);
    if (isOutermost) findUnknownFields(body, keys, () => this.#scope(), this.#warnings);
    if (tests.length === 0) return;
    const types = isOutermost && tests.some(comparesConstant) ? this.#types(conditions) : undefined;
    const described = inputSchemas(this.#schemas, this.#compiled.options, this.#rule, this.#link);
    const before = new Map<string, Condition[]>();
    for (const condition of inTextOrder(tests)) {
      const others = before.get(condition.key) ?? [];
      // An undefined value fails each test, so that it holds under `not`.
      const mayBeUndefined =
        others.every(({ isNegated }) => isNegated) && !defined.some(({ key }) => key === condition.key);
      if (!condition.isNegated || !mayBeUndefined)
        this.#condition(condition, others, factsOf(condition.key, conditions, types, described));
      before.set(condition.key, [...others, condition]);
    }
  }

  /** A rule that makes a set, as a condition: it is defined, also where nothing is in it. */
  #set(expr: Expr, isAlone: boolean): void {
    const isNegated = expr.kind === 'not' || expr.negated;
    const term = isNegated ? negatedTerm(expr) : expr.kind === 'term' ? expr.term : undefined;
    if (term?.type !== 'ref' || !expr.with.every(replacesInput)) return;
    const { terms } = term;
    const rules = rulesAt(this.#compiled.ruleTree, terms);
    if (rules.length === 0 || !rules.every((each) => isSetAt(each, terms.length))) return;
    // A test of nothing else is told as one that asserts nothing.
    if (!isNegated && isAlone && isTestHead(this.#link.head)) return;
    const holes = { text: textOf(expr), set: term.loc.text };
    this.#warnings.report(isNegated ? 'impossibleNot' : 'setAsCondition', expr.loc, holes);
  }

  #condition(condition: Condition, before: readonly Condition[], facts: Facts): void {
    const { test, isNegated, expr } = condition;
    const positive = before.filter((other) => !other.isNegated);
    const known = [...positive.map((other) => other.test), ...facts.tests];
    if (isImpossible(known)) return;
    const isNever = isNegated ? follows(test, known) : isImpossible([...known, test]);
    const isAlways = isNegated ? isImpossible([...known, test]) : follows(test, known);
    if (!isNever && !isAlways) return;
    const { beside, because } = reasonFor(condition, positive, facts);
    if (isNever) this.#warnings.report('impossibleCondition', expr.loc, { text: textOf(expr), beside, because });
    else if (isNegated || test.op !== 'not false')
      this.#warnings.report('redundantCondition', expr.loc, { text: textOf(expr), beside, because });
  }

  #types({ terms }: Conditions): (key: string) => Type | undefined {
    return (key) => {
      const term = terms.get(key);
      return term && this.#scope()?.typeOf(term);
    };
  }

  /** The types of the link's variables, found when first asked for. */
  #scope(): TypeScope | undefined {
    const { types, options } = this.#compiled;
    if (types === undefined || this.#known !== undefined) return this.#known;
    const { documents } = this.#schemas.documents(this.#rule, this.#link, types.globals);
    const checker = new BodyChecker(types.globals, this.#rule.module.names, options.allowUndefinedFunctions === true);
    return (this.#known = checker.body(this.#link.body, documents).scope);
  }
}

function replacesInput({ target }: With): boolean {
  return target.type === 'ref' && target.terms[0].type === 'var' && target.terms[0].name === 'input';
}

function isSetAt({ rule: { head }, ref }: CompiledRule, length: number): boolean {
  return ref.length === length && ruleKind(head) === 'multi';
}

/** The term that an expression negates, if it negates nothing more. */
function negatedTerm(expr: Expr): Term | undefined {
  if (expr.kind === 'not') {
    const [only, ...others] = expr.body;
    return only?.kind === 'term' && !only.negated && others.length === 0 ? only.term : undefined;
  }
  return expr.kind === 'term' && expr.negated ? expr.term : undefined;
}

/** The tests that a value passes without its conditions. */
interface Facts {
  readonly tests: readonly ValueTest[];
  readonly says: string | undefined;
}

function factsOf(
  key: string,
  { forms }: Conditions,
  typeOf: ((key: string) => Type | undefined) | undefined,
  described: ReturnType<typeof inputSchemas>,
): Facts {
  const known = forms.get(key) ?? schemaFacts(key, described);
  if (known) return known;
  const type = typeOf?.(key);
  const tests = testsOfType(type);
  return { tests, says: tests.length === 0 ? undefined : `is of the type ${typeText(type)}` };
}

function reasonFor({ test }: Condition, before: readonly Condition[], { tests, says }: Facts): Reason {
  const decides = (known: readonly ValueTest[]): boolean => isImpossible([...known, test]) || follows(test, known);
  if (tests.length > 0 && decides(tests)) return { beside: undefined, because: says };
  const other = before.findLast((each) => decides([each.test, ...tests])) ?? before.at(-1);
  return { beside: other && textOf(other.expr), because: undefined };
}

function comparesConstant({ test: { op } }: Condition): boolean {
  return op !== 'not false' && op !== 'defined' && op !== 'eq' && op !== 'in';
}

function inTextOrder(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.toSorted((a, b) => a.expr.loc.start - b.expr.loc.start);
}

function textOf({ loc }: Expr): string {
  return loc.text.replace(/\s+/g, ' ');
}
