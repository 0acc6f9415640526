/** Rules with one value, and functions. */

import { HaltError } from '../builtins/builtin-errors.js';
import { isLiteral } from '../compiler/ast/names.js';
import type { Rule, Term } from '../compiler/ast/nodes.js';
import { printTerm } from '../compiler/ast/print.js';
import { elseChain } from '../compiler/resolve/links.js';
import type { VirtualDocument } from '../compiler/resolve/virtual-document.js';
import { equal } from '../values/equal.js';
import { keyText } from '../values/hash.js';
import type { Value } from '../values/value.js';
import { Frame } from './bindings.js';
import type { Answer } from './environment.js';
import type { Machine, Next, RuleSearch, WithValue } from './machine.js';
import { conflict } from './query-errors.js';
import { dispatchOf, type RuleDispatch } from './rule-dispatch.js';
import type { RuleIndex } from './rule-index.js';
import type { Search } from './search.js';
import { termValue } from './terms.js';
import { match } from './unify.js';

/** Static facts about a rule and its `else` chain. */
export interface RuleFacts {
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
  readonly dispatch: RuleDispatch<RuleFacts> | undefined;
}

const known = new WeakMap<VirtualDocument, ValueRules>();

export function valueRulesOf(index: RuleIndex, document: VirtualDocument): ValueRules {
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
  return { rules: list, fallback, isOne, dispatch: dispatchOf(list, ({ rule }) => ({ rule, body: index.guardedBody(rule) })) };
}

function constantOf(rule: Rule): string | undefined {
  const values = new Set([...elseChain(rule)].map(({ head: { value } }) => (isLiteral(value!) ? printTerm(value!) : undefined)));
  return values.size === 1 ? [...values][0] : undefined;
}

/** A new rule under evaluation. Throws where calls nest too deeply. */
export function enter({ machine, evaluation }: Search): RuleSearch {
  const depth = (machine.search?.depth ?? 0) + 1;
  if (depth > evaluation.callDepth) throw new HaltError('eval_cancel_error', `calls nest deeper than ${evaluation.callDepth}`);
  return { depth };
}

/** The error for two values of rules that can have one. */
export function conflictText({ kind }: VirtualDocument): string {
  return kind === 'function'
    ? 'functions must not produce multiple outputs for same inputs'
    : 'complete rules must not produce multiple outputs';
}

/** Only calls with scalars are remembered: others cost more to recognize than most functions do. */
export function memoKey(args: readonly Value[]): string | undefined {
  if (args.length === 0) return '';
  const [first] = args;
  if (args.length === 1 && typeof first === 'string') return `s${first}`;
  return args.every((arg) => typeof arg !== 'object' || arg === null) ? keyText(args) : undefined;
}

/**
 * The value of complete rules, or of a function for arguments. The search continues with the first
 * value that is found. When it backtracks into the rules it looks for other values, which are
 * conflicts, unless they can only have the same value.
 */
export function evaluateValue(search: Search, document: VirtualDocument, args: readonly Value[], caller: Frame, then: WithValue): Next {
  const { machine } = search;
  const answers = machine.environment.answersOf(document);
  const key = memoKey(args);
  const answer = key === undefined ? undefined : answers.get(key);
  if (answer !== undefined) return answer.value === undefined ? machine.fail() : then(answer.value);
  const remember = (one: Answer) => key !== undefined && answers.set(key, one);
  return new ValueSearch(search, document, args, caller, then, remember).start();
}

class ValueSearch {
  readonly #search: Search;
  readonly #machine: Machine;
  readonly #document: VirtualDocument;
  readonly #args: readonly Value[];
  readonly #caller: Frame;
  readonly #then: WithValue;
  readonly #remember: (answer: Answer) => void;
  readonly #outer: RuleSearch | undefined;
  #value: Value | undefined;

  constructor(
    search: Search,
    document: VirtualDocument,
    args: readonly Value[],
    caller: Frame,
    then: WithValue,
    remember: (answer: Answer) => void,
  ) {
    this.#search = search;
    this.#machine = search.machine;
    this.#document = document;
    this.#args = args;
    this.#caller = caller;
    this.#then = then;
    this.#remember = remember;
    this.#outer = search.machine.search;
  }

  start(): Next {
    const machine = this.#machine;
    const { rules, isOne, dispatch } = valueRulesOf(this.#search.program.index, this.#document);
    const { environment } = machine;
    machine.search = enter(this.#search);
    const end = machine.push(() => this.#end());
    const candidates = dispatch === undefined || environment.hasMocks ? rules : dispatch.candidates(environment.input);
    return machine.each(candidates, ({ rule, isConstant, repeats }) => {
      if (repeats && this.#value !== undefined && equal(this.#value, termValue(rule.head.value!, this.#caller))) return machine.fail();
      const last = isOne ? end : isConstant ? machine.push(() => machine.fail()) : undefined;
      return this.#tryLink(rule, rule, last);
    });
  }

  /** @param last the choice up to which the search ends with a solution; undefined: none */
  #tryLink(link: Rule, first: Rule, last: number | undefined): Next {
    const machine = this.#machine;
    const { else: rest } = link;
    let found = false;
    if (rest !== undefined) machine.push(() => (found ? machine.fail() : this.#tryLink(rest, first, last)));
    const frame = new Frame(this.#document, this.#caller, link.loc);
    if (!bindArguments(machine, first, this.#args, frame, false)) return machine.fail();
    const { index } = this.#search.program;
    const body = index.bodyOf(link.body, first.head.args ?? [], 0, machine.environment);
    return this.#search.body(body, frame, () => {
      found = true;
      const value = termValue(link.head.value!, frame);
      if (last !== undefined) machine.cut(last);
      if (this.#value === undefined) return this.#answer(value);
      if (equal(this.#value, value)) return machine.fail();
      throw conflict(conflictText(this.#document), frame, link.loc);
    });
  }

  #answer(value: Value): Next {
    this.#value = value;
    this.#remember({ value });
    this.#machine.search = this.#outer;
    return this.#then(value);
  }

  /** There are no more solutions: the default is the value where there was none. */
  #end(): Next {
    const machine = this.#machine;
    if (this.#value !== undefined) return machine.fail();
    const { fallback } = valueRulesOf(this.#search.program.index, this.#document);
    if (fallback === undefined) {
      this.#remember({ value: undefined });
      return machine.fail();
    }
    const frame = new Frame(this.#document, this.#caller, fallback.loc);
    bindArguments(machine, fallback, this.#args, frame, true);
    return this.#search.body(fallback.body, frame, () => this.#answer(termValue(fallback.head.value!, frame)));
  }
}

/** Matches arguments with the head's terms, variables first: a pattern may name one of them. */
export function bindArguments(machine: Machine, { head }: Rule, args: readonly Value[], frame: Frame, isDefault: boolean): boolean {
  const terms = head.args ?? [];
  const bindAll = (isWanted: (term: Term) => boolean) => terms.every((term, i) => !isWanted(term) || match(machine, term, args[i]!, frame));
  if (!bindAll(({ type }) => type === 'var')) return false;
  return isDefault || bindAll(({ type }) => type !== 'var');
}
