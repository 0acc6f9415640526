/** Rules with one value, and functions. */

import { elseChain, isLiteral, printTerm, type Rule, type Term, type VirtualDocument } from '../../compiler/index.js';
import { equal, HaltError, keyText, type Value } from '../../values/index.js';
import { Frame } from './bindings.js';
import { givenTerm } from './head-terms.js';
import type { Machine, Next, RuleSearch, WithValue } from './machine.js';
import { queryConflict } from './query-errors.js';
import type { RuleIndex } from './rule-index.js';
import type { Search } from './search.js';
import { termValue } from './term-value.js';
import { matchTerm } from './unify.js';

/** Static facts about a rule and its `else` chain. */
interface RuleFacts {
  readonly rule: Rule;
  /** Whether all links have the same constant value. */
  readonly isConstant: boolean;
  /** Whether a rule before this one has the same constant value. */
  readonly repeats: boolean;
}

interface ValueRules {
  readonly rules: readonly RuleFacts[];
  readonly fallback: Rule | undefined;
  /** Whether all rules have the same constant value. */
  readonly isOne: boolean;
}

const known = new WeakMap<VirtualDocument, ValueRules>();

function valueRulesOf(index: RuleIndex, document: VirtualDocument): ValueRules {
  let facts = known.get(document);
  if (facts === undefined) known.set(document, (facts = findFacts(index, document)));
  return facts;
}

function findFacts(index: RuleIndex, document: VirtualDocument): ValueRules {
  const rules = index.rulesOf(document);
  const values = new Set<string | undefined>();
  const list: RuleFacts[] = [];
  for (const { rule } of rules) {
    if (rule.default) continue;
    const constant = constantOf(rule);
    list.push({ rule, isConstant: constant !== undefined, repeats: constant !== undefined && values.has(constant) });
    values.add(constant);
  }
  const isOne = values.size === 1 && !values.has(undefined);
  const fallback = rules.find(({ rule }) => rule.default)?.rule;
  return { rules: list, fallback, isOne };
}

function constantOf(rule: Rule): string | undefined {
  const values = new Set(
    [...elseChain(rule)].map(({ head: { value } }) => (value && isLiteral(value) ? printTerm(value) : undefined)),
  );
  return values.size === 1 ? [...values][0] : undefined;
}

/** A new rule under evaluation. Throws where calls nest too deeply. */
export function enter({ machine, evaluation }: Search): RuleSearch {
  const depth = (machine.search?.depth ?? 0) + 1;
  if (depth > evaluation.callDepth)
    throw new HaltError('eval_cancel_error', `calls nest deeper than ${evaluation.callDepth}`);
  return { depth };
}

/** The error for two values of rules that can have one. */
export function conflictText({ kind }: VirtualDocument): string {
  return kind === 'function'
    ? 'functions must not produce multiple outputs for same inputs'
    : 'complete rules must not produce multiple outputs';
}

/** Only calls with scalars are remembered: others cost more to recognize than most functions do. */
function memoKey(args: readonly Value[]): string | undefined {
  if (args.length === 0) return '';
  const [first] = args;
  if (args.length === 1 && typeof first === 'string') return `s${first}`;
  return args.every((arg) => typeof arg !== 'object' || arg === null) ? keyText(args) : undefined;
}

/**
 * The value of complete rules, or of a function for arguments. All rules are evaluated before the
 * search continues, to find conflicts, unless they can only have the same value.
 */
export function evaluateValue(
  search: Search,
  document: VirtualDocument,
  args: readonly Value[],
  caller: Frame,
  then: WithValue,
): Next {
  const { machine, program } = search;
  const answers = machine.environment.answersOf(document);
  const key = memoKey(args);
  const known = key === undefined ? undefined : answers.get(key);
  if (known !== undefined) return known.value === undefined ? machine.fail() : then(known.value);
  const { rules, fallback, isOne } = valueRulesOf(program.index, document);
  let value: Value | undefined;
  const answer = (): Next => {
    if (key !== undefined) answers.set(key, { value });
    return value === undefined ? machine.fail() : then(value);
  };
  const outer = machine.search;
  machine.search = enter(search);
  const end = machine.push(() => {
    machine.search = outer;
    if (value !== undefined || fallback === undefined) return answer();
    const frame = new Frame(document, caller, fallback.loc);
    bindArguments(machine, fallback, args, frame, true);
    return search.body(fallback.body, frame, () => {
      value = termValue(givenTerm(fallback.head), frame);
      return answer();
    });
  });
  /** @param last the choice up to which the search ends with a solution; undefined: none */
  const tryLink = (link: Rule, first: Rule, last: number | undefined): Next => {
    const { else: rest } = link;
    let found = false;
    if (rest !== undefined) machine.push(() => (found ? machine.fail() : tryLink(rest, first, last)));
    const frame = new Frame(document, caller, link.loc);
    if (!bindArguments(machine, first, args, frame, false)) return machine.fail();
    const body = program.index.bodyOf(link.body, first.head.args ?? [], 0, machine.environment);
    return search.body(body, frame, () => {
      found = true;
      const result = termValue(givenTerm(link.head), frame);
      if (last !== undefined) machine.cut(last);
      if (value !== undefined && !equal(value, result)) throw queryConflict(conflictText(document), frame, link.loc);
      value = result;
      return machine.fail();
    });
  };
  return machine.each(rules, ({ rule, isConstant, repeats }) => {
    if (repeats && value !== undefined && equal(value, termValue(givenTerm(rule.head), caller))) return machine.fail();
    return tryLink(rule, rule, isOne ? end : isConstant ? machine.push(() => machine.fail()) : undefined);
  });
}

/** Matches arguments with the head's terms, variables first: a pattern may name one of them. */
export function bindArguments(
  machine: Machine,
  { head }: Rule,
  args: readonly Value[],
  frame: Frame,
  isDefault: boolean,
): boolean {
  const terms = head.args ?? [];
  const bindAll = (isWanted: (term: Term) => boolean) =>
    // A call gives an argument for each.
    terms.every((term, i) => !isWanted(term) || matchTerm(machine, term, args[i]!, frame));
  if (!bindAll(({ type }) => type === 'var')) return false;
  return isDefault || bindAll(({ type }) => type !== 'var');
}
