/** Explains one rule, and each `else` of it. */

import type { CompiledModule, CompiledRule, Rule, Span, Term, VirtualDocument } from '../../../compiler/index.js';
import { commonKeys, elseChain, isLiteral, locationOf, matchesKeys, ruleKind } from '../../../compiler/index.js';
import { equal, keyText, lookup, makeObject, type Steps, type Value } from '../../../values/index.js';
import type { QueryEnvironment } from '../environment.js';
import { allKeysOfRule, givenTerm } from '../head-terms.js';
import { indexedVariables } from '../rule-index.js';
import { termValue } from '../term-value.js';
import { type ArgumentPaths, type Explaining, fewSamples, type Sample, type WhyProbe } from './explaining.js';
import type { HeldExpression, MemberWhy, RuleWhy, SourceExcerpt, SourceLocation } from './explanation.js';
import { givenTo } from './input-origins.js';
import { frameOf, isSample, matched, probe } from './probe.js';
import { oneLine, spanText } from './source-text.js';

/** A rule to explain, with the keys or arguments that its document is asked for. */
interface AskedRule {
  readonly document: VirtualDocument;
  readonly compiled: CompiledRule;
  readonly keys: readonly Value[];
  /** The paths of the input behind arguments. */
  readonly paths: ArgumentPaths;
  readonly environment: QueryEnvironment;
  readonly depth: number;
}

/** One link of a rule's chain. */
export interface ExplainedRule {
  readonly outcome: RuleWhy['outcome'];
  readonly location: SourceLocation;
  /** The share of its expressions that hold. */
  readonly progress: number;
  /** Its values, each once, as long as two tell a conflict; with the keys for objects. */
  readonly values: readonly RuleValue[];
  /** The explanation, for rules that are shown: it takes longer than evaluating most rules. */
  why(): RuleWhy;
  /** The expressions and values, for the same rules. */
  parts?(): Steps<RuleParts>;
}

type RuleParts = Pick<RuleWhy, 'failed' | 'values' | 'solutions' | 'held' | 'member' | 'others'>;

interface RuleValue {
  readonly keys: readonly Value[];
  readonly value: Value;
  /** The first solution that gives it, for the first few values. */
  readonly end?: Sample;
}

/** The links in order; after one that holds, or ends with an error, the rest is not used. */
export function* explainRule(explaining: Explaining, asked: AskedRule): Steps<readonly ExplainedRule[]> {
  const { rule } = asked.compiled;
  const results: ExplainedRule[] = [];
  let last: string | undefined;
  for (const link of elseChain(rule)) {
    const kind = link === rule ? 'rule' : 'else';
    if (last !== undefined) results.push(unused(asked, link, last));
    else {
      const explained = yield* explainLink(explaining, asked, link, kind);
      results.push(explained);
      if (explained.outcome === 'holds') last = `the rule at row ${link.loc.row} holds`;
      if (explained.outcome === 'error') last = `the rule at row ${link.loc.row} ends with an error`;
    }
  }
  return results;
}

function unused(asked: AskedRule, link: Rule, message: string): ExplainedRule {
  const outcome = 'unused';
  const why = (): RuleWhy => ({ ...baseOf(asked, link), kind: 'else', outcome, message });
  return { outcome, location: locationOf(link.loc), progress: -1, values: [], why };
}

/** The head as it is written; a further body of version 0 has none. */
function baseOf({ compiled, document }: AskedRule, link: Rule): Pick<RuleWhy, 'name' | 'location'> {
  const { head } = link;
  const written = head.loc.text.startsWith('{') ? `${document.path.at(-1)}` : oneLine(head.loc.text);
  const name =
    link === compiled.rule ? written : `else${head.value === undefined ? '' : ` := ${spanText(head.value.loc)}`}`;
  return { name, location: locationOf(link.loc) };
}

function* explainLink(
  explaining: Explaining,
  asked: AskedRule,
  link: Rule,
  kind: 'rule' | 'else',
): Steps<ExplainedRule> {
  const location = locationOf(link.loc);
  const base = (): Pick<RuleWhy, 'name' | 'location' | 'kind'> => ({ ...baseOf(asked, link), kind });
  const start = startOf(explaining, asked);
  if (!isSample(start)) {
    const [term, value] = start;
    const wanted = term.type === 'string' ? explaining.short(term.value) : spanText(term.loc);
    const message = `${asked.document.kind === 'function' ? 'the argument' : 'the key'} is ${explaining.short(value)}, not ${wanted}`;
    return {
      outcome: 'no match',
      location,
      progress: -1,
      values: [],
      why: () => ({ ...base(), outcome: 'no match', message }),
    };
  }
  const values = new Map<string, RuleValue>();
  const isConstant = isWhole(asked) && link.head.value !== undefined && isLiteral(link.head.value);
  const tried = yield* probeLink(explaining, asked, link, start, (end) => {
    const found = givenBy(asked, link, end);
    const key = keyText([found.keys, found.value]);
    if (values.size < mostValues && !values.has(key) && isAsked(asked, found))
      values.set(key, values.size < fewSamples ? { ...found, end } : found);
    return isConstant || (isWhole(asked) && values.size > 1);
  });
  const progress = progressOf(tried);
  if (tried.solutions === 0 || tried.error !== undefined) {
    const outcome = tried.error === undefined ? 'fails' : 'error';
    const parts = function* (): Steps<RuleParts> {
      return { failed: yield* explaining.failure(tried, writtenParts(asked.compiled, link), asked.depth) };
    };
    return { outcome, location, progress, values: [], why: () => ({ ...base(), outcome }), parts };
  }
  const all = [...values.values()];
  if (all.length === 0) {
    const message = `its body holds, and gives nothing at ${asked.keys.map((key) => explaining.short(key)).join(', ')}`;
    return {
      outcome: 'no match',
      location,
      progress: -1,
      values: [],
      why: () => ({ ...base(), outcome: 'no match', message }),
    };
  }
  return {
    outcome: 'holds',
    location,
    progress,
    values: all,
    why: () => ({ ...base(), outcome: 'holds' }),
    parts: () => holding(explaining, asked, link, tried, all),
  };
}

/**
 * In the author's order. The decision evaluates the comparisons of the rule index first: where the
 * author's order ends with an error, that order may not.
 */
function* probeLink(
  explaining: Explaining,
  asked: AskedRule,
  link: Rule,
  start: Sample,
  isEnough: (end: Sample) => boolean,
): Steps<WhyProbe> {
  const tried = yield* probe(explaining, link.body, start, isEnough);
  if (tried.error === undefined) return tried;
  const known = headTerms(asked).slice(0, boundKeys(asked));
  const isFunction = asked.document.kind === 'function';
  const { index } = explaining.program;
  const body = index.bodyOf(
    link.body,
    isFunction ? known : indexedVariables(known),
    isFunction ? 0 : known.length,
    start.environment,
  );
  const again = body === link.body ? tried : yield* probe(explaining, body, start, isEnough);
  return again.error === undefined ? again : tried;
}

/** The values of a rule that holds, and its expressions. */
function* holding(
  explaining: Explaining,
  asked: AskedRule,
  link: Rule,
  tried: WhyProbe,
  all: readonly RuleValue[],
): Steps<RuleParts> {
  const [first, ...rest] = all.slice(0, fewSamples);
  const held = yield* heldAt(
    explaining,
    asked,
    link,
    first?.end === undefined ? tried : { ...tried, ends: [first.end] },
  );
  const values = all.slice(0, fewSamples).map((found) => explaining.shown(shownAs(asked, found)));
  const others: MemberWhy[] = [];
  const isMember = asked.document.kind === 'set';
  for (const [i, { end }] of (isMember ? rest : []).entries()) {
    const reasons = end === undefined ? [] : yield* heldAt(explaining, asked, link, { ...tried, ends: [end] });
    others.push({ member: values[i + 1]!, ...(reasons.length > 0 && { held: reasons }) });
  }
  return {
    values,
    ...(all.length > values.length && { solutions: tried.solutions }),
    ...(isMember && values[0] !== undefined && { member: values[0] }),
    ...(held.length > 0 && { held }),
    ...(others.length > 0 && { others }),
  };
}

/** The expressions at the solution of a rule that are shown. */
function* heldAt(
  explaining: Explaining,
  asked: AskedRule,
  link: Rule,
  tried: WhyProbe,
): Steps<readonly HeldExpression[]> {
  const expressions = yield* explaining.held(tried, writtenParts(asked.compiled, link), asked.depth);
  // The values show the reads of the head, except for rules.
  return expressions.filter(
    ({ excerpt, reads, documents }) =>
      documents !== undefined || (link.generatedBody ? reads.length > 0 : !isInHead(link, excerpt)),
  );
}

/** The most different values of one rule that are kept to find conflicts. */
const mostValues = 10_000;

/** Whether the document has one value: a second one is a conflict. */
function isWhole({ document }: AskedRule): boolean {
  return document.kind === 'complete' || document.kind === 'function';
}

function progressOf({ attempts, solutions }: WhyProbe): number {
  if (solutions > 0) return 1;
  return (attempts.findLastIndex(({ count }) => count > 0) + 0.5) / attempts.length;
}

/** The state before the body: arguments and keys are matched with the head. */
function startOf(explaining: Explaining, asked: AskedRule): ReturnType<typeof matched> {
  const { keys, environment } = asked;
  const terms = headTerms(asked).slice(0, boundKeys(asked));
  // At most as many as there are keys.
  const pairs = terms.map((term, i) => [term, keys[i]!] as const);
  const start = matched(explaining, pairs, environment);
  return isSample(start) ? { ...start, given: givenTo(headTerms(asked), asked.paths) } : start;
}

/** How many keys can be matched with a head before its body is evaluated. */
function boundKeys({ document, keys }: AskedRule): number {
  if (document.kind === 'function' || document.kind === 'complete') return keys.length;
  return Math.min(keys.length, matchesKeys(document) ? commonKeys(document) : 0);
}

/** Whether a value that a rule gives is at the keys that are asked for, or has a part there. */
function isAsked(asked: AskedRule, { keys, value }: RuleValue): boolean {
  if (isWhole(asked)) return true;
  const rest = asked.keys.slice(keys.length);
  const part = rest.reduce<Value | undefined>(
    (found, key) => (found === undefined ? undefined : lookup(found, key)),
    value,
  );
  return part !== undefined && keys.slice(0, asked.keys.length).every((key, i) => equal(key, asked.keys[i]!));
}

/** The terms that arguments or keys are matched with. */
function headTerms(asked: AskedRule): readonly Term[] {
  const { kind } = asked.document;
  return kind === 'function' ? (asked.compiled.rule.head.args ?? []) : kind === 'complete' ? [] : keyTerms(asked);
}

/**
 * The terms of a head that stand for keys of a set or an object. Each `else` has those of its rule:
 * only these have the names of the variables in its body.
 */
function keyTerms({ document, compiled }: AskedRule): readonly Term[] {
  return document.kind === 'set' ? [givenTerm(compiled.rule.head)] : allKeysOfRule(compiled, document);
}

function givenBy(asked: AskedRule, link: Rule, end: Sample): RuleValue {
  const frame = frameOf(end);
  const { head } = link;
  const keys = isWhole(asked) ? [] : keyTerms(asked).map((term) => termValue(term, frame));
  return { keys, value: ruleKind(head) === 'multi' ? true : termValue(givenTerm(head), frame) };
}

/** A member of a set, a part of an object, or a value. */
function shownAs({ document, keys: asked }: AskedRule, { keys, value }: RuleValue): Value {
  const [member] = keys;
  if (document.kind === 'set' && member !== undefined) return member;
  return keys.slice(asked.length).reduceRight((inner: Value, key) => makeObject([[key, inner]]), value);
}

/** The values of a rule show the reads of its head. */
function isInHead({ head, body }: Rule, { row, col }: SourceExcerpt): boolean {
  const { source, start, end } = head.loc;
  const isBefore = (offset: number): boolean => {
    const place = source.position(offset);
    return row < place.row || (row === place.row && col < place.col);
  };
  return !isBefore(start) && isBefore(end) && body.length > 0;
}

/** The parts of rules and their `else` by the place of each, by module. */
const known = new WeakMap<CompiledModule, ReadonlyMap<number, readonly Span[]>>();

/** The author's expressions: of the body, then the head's parts that are evaluated after it. */
function writtenParts({ module }: CompiledRule, link: Rule): readonly Span[] {
  let parts = known.get(module);
  if (parts === undefined) known.set(module, (parts = findParts(module)));
  return parts.get(link.loc.start) ?? [];
}

function findParts(module: CompiledModule): ReadonlyMap<number, readonly Span[]> {
  const found = new Map<number, Span[]>();
  for (const rule of module.parsed.rules) {
    for (const { loc, generatedBody, body, head } of elseChain(rule)) {
      const spans = found.get(loc.start) ?? [];
      found.set(loc.start, spans);
      if (!generatedBody) spans.push(...body.map((expr) => expr.loc));
      const { args = [], key, value, ref } = head;
      for (const term of [...args, key, value, ...ref.slice(1)]) if (term !== undefined) spans.push(term.loc);
    }
  }
  return found;
}
