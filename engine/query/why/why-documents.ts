/** Explains the rules of one document. */
import { locationOf, type Rule } from '../../../compiler/index.js';
import type { EvaluationError } from '../../../runtime/index.js';
import { countedNoun, equal, keyText, type Steps, type Value } from '../../../values/index.js';
import type { QueryEnvironment } from '../environment.js';
import { documentName } from './document-name.js';
import type { ExplainedDocument, Explaining, GivenAnswer } from './explaining.js';
import type { DocumentWhy, ExplainedError, RuleWhy } from './explanation.js';
import { runCatching } from './probe.js';
import { spanText } from './source-text.js';
import { type ExplainedRule, explainRule } from './why-rules.js';

export function* explainDocument(
  explaining: Explaining,
  asked: ExplainedDocument,
  environment: QueryEnvironment,
  depth: number,
  given?: GivenAnswer,
): Steps<DocumentWhy> {
  const { document, keys, paths = [] } = asked;
  const answer = given ?? (yield* answerOf(explaining, asked, environment));
  const explained: ExplainedRule[] = [];
  for (const compiled of sourceOrder(document.rules.filter(({ rule }) => !rule.default))) {
    yield;
    explained.push(...(yield* explainRule(explaining, { document, compiled, keys, paths, environment, depth })));
  }
  const ordered = [...explained].sort((a, b) => b.progress - a.progress);
  const holding = ordered.filter(({ outcome }) => outcome === 'holds');
  const others = ordered.filter(({ outcome }) => outcome !== 'holds');
  const isHolding = holding.length > 0;
  const defaults = document.rules
    .filter(({ rule }) => rule.default)
    .map(({ rule }) => defaultWhy(rule, answer.value, isHolding));
  const shown = [...holding, ...defaults.map((why) => ({ why: () => why, parts: undefined })), ...others];
  const rules: RuleWhy[] = [];
  for (const { why, parts } of shown.slice(0, explaining.limits.rules))
    rules.push({ ...why(), ...(parts && (yield* parts())) });
  const conflict = answer.error === undefined ? undefined : conflictIn(explaining, explained);
  const facts = {
    name: documentName(explaining, asked),
    kind: document.kind as DocumentWhy['kind'],
    outcome:
      answer.error !== undefined
        ? ('error' as const)
        : answer.value === undefined
          ? ('undefined' as const)
          : ('value' as const),
    ...(answer.value !== undefined && { value: explaining.shown(answer.value) }),
    ...(answer.error !== undefined && { error: explainedError(explaining, answer.error) }),
    rules,
    ...(shown.length > rules.length && { omitted: shown.length - rules.length }),
  };
  return { ...facts, summary: explanationSummary(facts, keys.length > 0, explained, conflict) };
}

function* answerOf(
  explaining: Explaining,
  { document, keys }: ExplainedDocument,
  environment: QueryEnvironment,
): Steps<GivenAnswer> {
  const search = explaining.search(environment);
  let value: Value | undefined;
  const take = (found: Value) => {
    value = found;
    // The search goes on, to find conflicts.
    return search.machine.fail();
  };
  const error = yield* runCatching(search, () => {
    if (document.kind === 'function') return search.call(document, keys, search.frame, take);
    if (keys.length > 0) return search.documentAt(document, keys, search.frame, take);
    return search.document(document, search.frame, take);
  });
  return error === undefined ? { value } : { value: undefined, error };
}

/** The rules of a document in the order of their files and rows. */
function sourceOrder<T extends { readonly rule: Rule }>(rules: readonly T[]): readonly T[] {
  return [...rules].sort(({ rule: { loc: a } }, { rule: { loc: b } }) =>
    a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1,
  );
}

function defaultWhy(rule: Rule, value: Value | undefined, isHolding: boolean): RuleWhy {
  const isUsed = value !== undefined && !isHolding;
  const name = `default ${spanText(rule.head.loc)}`;
  const base = { name, location: locationOf(rule.loc), kind: 'default' as const };
  return isUsed
    ? { ...base, outcome: 'default' }
    : { ...base, outcome: 'unused', message: 'another rule gives the value' };
}

/** Two rules that give different values to the same place: `1 (a.rego:3) and 2 (a.rego:5)`. */
function conflictIn(explaining: Explaining, rules: readonly ExplainedRule[]): string | undefined {
  const known = new Map<string, { readonly value: Value; readonly rule: ExplainedRule }>();
  for (const rule of rules) {
    const { values } = rule;
    for (const { keys, value } of values) {
      const place = keyText(keys);
      const first = known.get(place);
      if (first === undefined) known.set(place, { value, rule });
      else if (!equal(first.value, value)) {
        const at = keys.length === 0 ? '' : ` at ${keys.map((key) => explaining.short(key)).join(', ')}`;
        return `${explaining.short(first.value)} (${placeOf(first.rule)}) and ${explaining.short(value)} (${placeOf(rule)})${at}`;
      }
    }
  }
  return undefined;
}

function placeOf({ location }: ExplainedRule): string {
  return `${location.file}:${location.row}`;
}

export function explainedError(explaining: Explaining, { code, detail, location }: EvaluationError): ExplainedError {
  return {
    code,
    message: explaining.told(detail),
    ...(location && { location: { file: location.file, row: location.row, col: location.col } }),
  };
}

/**
 * One sentence about a document: its value and its cause.
 * @param isPart whether a key is asked for, or a function
 * @param explained all rules, defaults excluded
 * @param conflict the two values of a conflict
 */
function explanationSummary(
  why: Omit<DocumentWhy, 'summary'>,
  isPart: boolean,
  explained: readonly ExplainedRule[],
  conflict: string | undefined,
): string {
  const { name, kind, value, error, rules } = why;
  if (error !== undefined) {
    if (conflict !== undefined) return `${name} has two values: ${conflict}`;
    const place = error.location === undefined ? '' : ` (${error.location.file}:${error.location.row})`;
    return `${name} ends with an error: ${error.message}${place}`;
  }
  const holding = explained.filter((rule) => rule.outcome === 'holds');
  if (value === undefined)
    return `${name} is ${kind === 'set' && isPart ? 'no member' : 'undefined'}: ${noneHolds(explained)}`;
  if (kind === 'set' && isPart) return `${name} is a member: ${holdingText(holding)}`;
  const answer = `${name} is ${cutTo(value.text, longestValue)}`;
  const [fallback] = rules.filter((rule) => rule.outcome === 'default');
  if (holding.length > 0) return `${answer}: ${holdingText(holding)}`;
  if (fallback !== undefined) {
    const { file, row } = fallback.location;
    return `${answer} by default (${file}:${row}): ${noneHolds(explained)}`;
  }
  return kind === 'set' || kind === 'object' ? `${answer}: ${noneHolds(explained)}` : answer;
}

function noneHolds(rules: readonly ExplainedRule[]): string {
  const count = rules.length;
  if (count > 0 && rules.every(({ outcome }) => outcome === 'no match')) return 'no rule matches';
  if (count === 0) return 'it has no other rule';
  return count === 1 ? 'its rule does not hold' : `none of its ${count} rules holds`;
}

const longestValue = 80;

function cutTo(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/…$/, '')}…` : text;
}

const mostPlaces = 3;

function holdingText(rules: readonly ExplainedRule[]): string {
  const places = rules.slice(0, mostPlaces).map(({ location }) => `${location.file}:${location.row}`);
  if (rules.length === 1) return `the rule at ${places[0]} holds`;
  if (rules.length > places.length) return `${countedNoun(rules.length, 'rule')} hold, the first at ${places[0]}`;
  return `the rules at ${places.join(' and ')} hold`;
}
