/** The rules that made a decision, by its explanation: differences are grouped by them. */

import { type Explanation, explainDecision, type RuleWhy } from '../../engine/index.js';
import { segmentsFor } from './policy-version.js';
import type { PastQuestion, VersionDecisions } from './version-decisions.js';

/** A place in a policy. */
export interface PolicyPlace {
  readonly file: string;
  readonly row: number;
  readonly col: number;
}

/** The rules that decided, or the expression that failed in the one that came closest. */
export interface Cause {
  readonly rules: readonly PolicyPlace[];
  /** `holds`: the rules hold. `default`: the default rule. `fails`: no rule holds. */
  readonly how: 'holds' | 'default' | 'fails' | 'error' | 'none';
  readonly failed?: PolicyPlace & { readonly text: string };
  /** One sentence: the answer and its cause. */
  readonly summary: string;
}

/** Milliseconds for an explanation. */
const mostMs = 2000;

/** Rules of one name in an explanation. */
const mostRules = 200;

/** The causes of a decision in both versions; of a plan without policies, a sentence only. */
export async function causesOf(
  { old, new: next }: { readonly old: VersionDecisions; readonly new: VersionDecisions },
  question: PastQuestion,
): Promise<readonly [Cause, Cause]> {
  if (question.path === undefined) return [ofQuery, ofQuery];
  const [before, after] = [await explained(old, question), await explained(next, question)];
  return [causeIn(before, after), causeIn(after, before)];
}

const ofQuery: Cause = { rules: [], how: 'none', summary: 'a query' };

async function explained(decisions: VersionDecisions, question: PastQuestion): Promise<Explanation> {
  const { version } = decisions;
  const { onNondeterministic: _, ...options } = decisions.optionsOf(question);
  return await explainDecision(
    version.engine,
    { path: segmentsFor(version, question.path!), input: question.input },
    { ...options, depth: 0, rules: mostRules, whyTimeMs: mostMs },
    ({ explanation }) => explanation,
    { beside: version.beside },
  );
}

/** @param other the explanation by the other version, of whose rules some may hold */
function causeIn({ documents, summary, error }: Explanation, other: Explanation): Cause {
  const rules = documents.flatMap((document) => document.rules);
  const holding = rules.filter(({ outcome }) => outcome === 'holds');
  const short = cut(summary);
  if (error?.location !== undefined) return { rules: [placeOf(error.location)], how: 'error', summary: short };
  if (holding.length > 0) return { rules: placesOf(holding), how: 'holds', summary: short };
  const closest = (counterpartOf(rules, other) ?? rules.find(({ failed }) => failed !== undefined))?.failed;
  const failed = closest && { ...placeOf(closest.excerpt), text: cut(closest.text) };
  const defaults = rules.filter(({ outcome }) => outcome === 'default');
  const how = defaults.length > 0 ? 'default' : rules.length > 0 ? 'fails' : 'none';
  return { rules: placesOf(defaults), how, summary: short, ...(failed && { failed }) };
}

/** The rule that stands where one stands in the other version that holds, if it failed. */
function counterpartOf(rules: readonly RuleWhy[], { documents }: Explanation): RuleWhy | undefined {
  const others = inOrder(documents.flatMap((document) => document.rules));
  const own = inOrder(rules);
  if (own.length !== others.length) return undefined;
  const found = own[others.findIndex(({ outcome }) => outcome === 'holds')];
  return found?.failed === undefined ? undefined : found;
}

function inOrder(rules: readonly RuleWhy[]): readonly RuleWhy[] {
  return rules.filter(({ kind }) => kind !== 'default').toSorted((a, b) => byPlace(a.location, b.location));
}

function byPlace(a: PolicyPlace, b: PolicyPlace): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.row - b.row || a.col - b.col;
}

function placesOf(rules: readonly RuleWhy[]): readonly PolicyPlace[] {
  return rules.map(({ location }) => placeOf(location)).sort(byPlace);
}

function placeOf({ file, row, col }: PolicyPlace): PolicyPlace {
  return { file, row, col };
}

const longest = 300;

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** A text that is the same for decisions with the same cause. */
export function causeKey({ rules, how, failed }: Cause): string {
  const all = failed === undefined ? rules : [...rules, failed];
  return `${how} ${all.map(({ file, row, col }) => `${file}:${row}:${col}`).join(' ')}`;
}
