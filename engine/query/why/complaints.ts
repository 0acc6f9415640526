/** Why a member is in a set of complaints, and the part of the input that it is about. */
import type { Body, Compiled, Expr, Rule, Span, Term, VirtualDocument } from '../../../compiler/index.js';
import { elseChain, isEquality, isScalar, wasAssignment } from '../../../compiler/index.js';
import type { Evaluation } from '../../../runtime/index.js';
import { equal, isArray, isObject, keyText, type PlainObject, type Steps, type Value } from '../../../values/index.js';
import { childDocument } from '../child-document.js';
import { QueryEnvironment } from '../environment.js';
import { givenTerm } from '../head-terms.js';
import { Machine } from '../machine.js';
import { QuerySearch } from '../query-search.js';
import type { SearchProgram } from '../search.js';
import { programFor } from '../search-program.js';
import { isBoundTerm, termValue } from '../term-value.js';
import type { BodyState, ExplainedDocument, Sample, Searching } from './explaining.js';
import { calledName, givenTo, InputOrigins, operandsOf } from './input-origins.js';
import type { InputPath } from './input-path.js';
import { frameOf, isSample, matched, probe, probedValues } from './probe.js';
import { documentsRead } from './reads.js';
import { authorSpans, expressionsByAuthor } from './source-text.js';

/** The reason why a member is in a set. */
export interface WhyComplaint {
  /** The rule that gave it. */
  readonly rule: Rule;
  /** The expression that decided, as the author wrote it. */
  readonly span: Span;
  /** Keys below the input; the whole input where no expression reads of it. */
  readonly path: InputPath;
  /** How many of the keys exist. */
  readonly present: number;
  /** The comparison of the path with a constant, where the expression is one. */
  readonly comparison: { readonly operator: string; readonly constant: Value } | undefined;
  readonly negated: boolean;
}

/** Members of a set, in one input. */
interface AskedMembers {
  /** The path of the set below `data`. */
  readonly path: readonly string[];
  readonly members: readonly Value[];
  /** Keys of the part of the input that complaints are about. */
  readonly about: InputPath;
  readonly input: Value;
  readonly data: Value;
  /** Called with the number of a member once it is known why it is there. */
  readonly found: (index: number, complaint: WhyComplaint) => void;
}

/** Finds why members are in a set: each rule is evaluated once for all of them. */
export type ComplaintFinder = (asked: AskedMembers, evaluation: Evaluation) => Steps;

export async function prepareComplaints(compiled: Compiled): Promise<ComplaintFinder> {
  const program = await programFor(compiled, []);
  return (asked, evaluation) => new Finder(program, asked, evaluation).find(asked);
}

/** An expression of a body, with the paths that it reads. */
interface Reading {
  readonly span: Span;
  readonly paths: readonly InputPath[];
  readonly weight: number;
  readonly expr: Expr;
}

/** The numbers of members by their texts; those of a list may be equal. */
type WantedMembers = Map<string, readonly number[]>;

/** Solutions of a body, by the numbers of the members that they give. */
type MemberEnds = Map<readonly number[], Sample>;

/** Conditions of rules in rules are looked at so deep. */
const deepest = 4;

class Finder {
  readonly #searching: Searching;
  readonly #environment: QueryEnvironment;
  readonly #origins: InputOrigins;
  readonly #input: Value;
  readonly #about: InputPath;

  constructor(
    program: SearchProgram,
    { input, data, about }: Pick<AskedMembers, 'input' | 'data' | 'about'>,
    evaluation: Evaluation,
  ) {
    this.#input = input;
    this.#about = about;
    this.#environment = new QueryEnvironment({ input, data });
    const silent = evaluation.repeated(() => undefined);
    this.#searching = {
      program,
      search: (environment) => new QuerySearch(program, silent, new Machine(environment, silent.meter)),
    };
    this.#origins = new InputOrigins(this.#searching, input);
  }

  *find({ path, members, found }: AskedMembers): Steps {
    let document: VirtualDocument | undefined = this.#searching.program.root;
    for (const key of path) document = document && childDocument(document, key);
    const wanted: WantedMembers = Map.groupBy(members.keys(), (i) => keyText(members[i]!));
    for (const { rule } of document?.rules ?? []) {
      for (const link of elseChain(rule)) {
        if (wanted.size === 0) return;
        for (const [indexes, end] of yield* this.#endsOf(rule, link, wanted)) {
          const complaint = yield* this.#complaint(rule, link, end);
          for (const index of indexes) found(index, complaint);
        }
      }
    }
  }

  /** The first solutions that give wanted members, which are wanted no more. */
  *#endsOf(rule: Rule, link: Rule, wanted: WantedMembers): Steps<MemberEnds> {
    const ends: MemberEnds = new Map();
    const term = givenTerm(link === rule || link.head.value !== undefined ? link.head : rule.head);
    const note = (value: Value, end: Sample): void => {
      const key = keyText(value);
      const indexes = wanted.get(key);
      if (indexes === undefined) return;
      wanted.delete(key);
      ends.set(indexes, end);
    };
    yield* probe(this.#searching, link.body, { values: new Map(), environment: this.#environment }, (end) => {
      const frame = frameOf(end);
      if (!isBoundTerm(term, frame)) return false;
      const value = termValue(term, frame);
      note(value, end);
      // A list of complaints, as a rule of one value.
      if (isArray(value)) for (const item of value) note(item, end);
      return wanted.size === 0;
    });
    return ends;
  }

  *#complaint(rule: Rule, link: Rule, sample: Sample): Steps<WhyComplaint> {
    const state: BodyState = { body: link.body, sample, given: new Map() };
    const readings = yield* this.#readings(state, deepest);
    const best = bestOf(readings);
    if (best === undefined)
      return { rule, span: rule.head.loc, path: [], present: 0, comparison: undefined, negated: false };
    const path = deepestOf(best.paths);
    return {
      rule,
      span: best.span,
      path,
      present: this.#present(path),
      comparison: yield* this.#comparisonIn(best.expr, state, path),
      negated: best.expr.negated,
    };
  }

  /** Whether a path is below the part that complaints are about. */
  #isAbout(path: InputPath): boolean {
    return path.length > this.#about.length && this.#about.every((key, i) => key === path[i]);
  }

  /** A comparison of the part at a path itself: a value that was computed from it says little. */
  *#comparisonIn(expr: Expr, state: BodyState, path: InputPath): Steps<WhyComplaint['comparison']> {
    const comparison = comparisonIn(expr, state);
    if (comparison === undefined) return undefined;
    const { term, ...told } = comparison;
    const part = path.reduce<Value | undefined>((found, key) => found && partAt(found, key), this.#input);
    const { found, count } = yield* probedValues(this.#searching, term, state.sample);
    return part !== undefined && count === 1 && equal(found[0]!.value, part) ? told : undefined;
  }

  #present(path: InputPath): number {
    let value: Value = this.#input;
    for (const [i, key] of path.entries()) {
      const next = partAt(value, key);
      if (next === undefined) return i;
      value = next;
    }
    return path.length;
  }

  /** The expressions of a body that read the input, in the order of the text. */
  *#readings(state: BodyState, depth: number): Steps<readonly Reading[]> {
    const readings: Reading[] = [];
    for (const [span, exprs] of expressionsByAuthor(state.body, authorSpans(state.body))) {
      const last = exprs.at(-1)!;
      const subject = yield* this.#memberPaths(last, state);
      const paths: InputPath[] = [...subject];
      for (const expr of subject.length > 0 ? [] : exprs) {
        for (const term of operandsOf(expr)) {
          if (isOutput(expr, term)) continue;
          const found = yield* this.#origins.pathsOf(term, state);
          paths.push(...found, ...this.#members(expr, found, state));
        }
      }
      const inner = depth > 0 && subject.length === 0 ? yield* this.#inside(exprs, state, depth) : [];
      const weight = weightOf(last);
      // The reads of a rule inside are nearer to the cause.
      const all = inner.length > 0 ? [...inner, ...paths] : paths;
      const known = all.filter((path) => this.#isAbout(path));
      if (known.length > 0)
        readings.push({
          span,
          paths: inner.some((path) => this.#isAbout(path)) ? inner.filter((path) => this.#isAbout(path)) : known,
          weight,
          expr: last,
        });
    }
    return readings;
  }

  /** The paths of `x` in `x in xs`: the question is about it, wherever the collection is from. */
  *#memberPaths(expr: Expr, state: BodyState): Steps<readonly InputPath[]> {
    if (expr.kind !== 'call' || calledName(expr) !== 'internal.member_2') return [];
    const found = yield* this.#origins.pathsOf(expr.args[0]!, state);
    return found.filter((path) => this.#isAbout(path));
  }

  /** Where `x in xs` found its member. */
  #members(expr: Expr, collections: readonly InputPath[], { sample }: BodyState): readonly InputPath[] {
    if (expr.kind !== 'call' || expr.negated || calledName(expr) !== 'internal.member_2') return [];
    const [member] = expr.args;
    const frame = frameOf(sample);
    if (member === undefined || member.type === 'ref' || !isBoundTerm(member, frame)) return [];
    const value = termValue(member, frame);
    return collections.flatMap((path) => {
      const collection = path.reduce<Value | undefined>((part, key) => part && partAt(part, key), this.#input);
      const index =
        collection !== undefined && isArray(collection) ? collection.findIndex((item) => equal(item, value)) : -1;
      return index < 0 ? [] : [[...path, index]];
    });
  }

  /** The paths of the deciding expression of a rule or function that expressions read. */
  *#inside(exprs: readonly Expr[], state: BodyState, depth: number): Steps<readonly InputPath[]> {
    const asked = yield* documentsRead(this.#searching, exprs, state.sample);
    for (const one of asked) {
      const negated = exprs.some((expr) => expr.negated);
      const found = yield* this.#insideOf(one, state, negated, depth);
      if (found.length > 0) return found;
    }
    return [];
  }

  *#insideOf(
    { document, keys, args = [] }: ExplainedDocument,
    state: BodyState,
    negated: boolean,
    depth: number,
  ): Steps<readonly InputPath[]> {
    // A set with a key, or a value, is the origin of what is read of it.
    if (document.kind !== 'function' && document.kind !== 'complete') return [];
    if (!negated && !isTruth(document)) return [];
    const { environment } = state.sample;
    const paths = yield* this.#origins.argumentPaths(args.slice(0, keys.length), state);
    let best: readonly InputPath[] = [];
    for (const { rule } of document.rules) {
      if (rule.default) continue;
      const params = rule.head.args ?? [];
      const start = matched(
        this.#searching,
        params.map((param, i) => [param, keys[i]!] as const),
        environment,
      );
      if (!isSample(start)) continue;
      const given = givenTo(params, paths);
      const tried = yield* probe(this.#searching, rule.body, start, () => !negated);
      const failing = Math.max(
        0,
        tried.attempts.findLastIndex(({ count }) => count > 0),
      );
      const end = negated ? tried.attempts[failing]?.samples[0] : tried.ends[0];
      if (end === undefined) continue;
      const body: Body = negated ? rule.body.slice(0, failing + 1) : rule.body;
      const readings = yield* this.#readings({ body, sample: end, given }, depth - 1);
      const chosen = negated ? readings.at(-1) : bestOf(readings);
      if (chosen === undefined) continue;
      const path = deepestOf(chosen.paths);
      if (best.length === 0 || path.length > (best[0]?.length ?? 0)) best = [path];
      if (!negated) return best;
    }
    return best;
  }
}

/** Whether the rules of a document only say true. */
function isTruth({ rules }: VirtualDocument): boolean {
  return rules.every(({ rule }) => rule.default || rule.head.value === undefined || rule.head.value.type === 'boolean');
}

function partAt(value: Value, key: Value): Value | undefined {
  if (isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  if (!isObject(value) || typeof key !== 'string') return undefined;
  return Object.hasOwn(value, key) ? (value as PlainObject)[key] : undefined;
}

/** The variable that a call binds is no part of what it reads. */
function isOutput(expr: Expr, term: Term): boolean {
  return (
    expr.kind === 'call' && !isEquality(expr) && expr.generated && expr.args.at(-1) === term && term.type === 'var'
  );
}

const strong = 3;

/** How much an expression looks like the one that decides. */
function weightOf(expr: Expr): number {
  // A part of the head.
  if (expr.generated) return 0;
  if (expr.negated) return strong + 1;
  if (expr.kind === 'term') return strong;
  if (expr.kind === 'every') return strong;
  if (expr.kind !== 'call') return strong;
  // It only visits.
  if (calledName(expr) === 'walk') return 0;
  if (isEquality(expr)) {
    if (wasAssignment(expr) || /^some\b/.test(expr.loc.text)) return 0;
    const constant = expr.args.find(isScalar);
    // Texts often select a kind; truths and numbers seldom do.
    return constant === undefined || constant.type === 'string' ? strong - 1 : strong;
  }
  return strong;
}

/** The last of the expressions that look most like deciding ones. */
function bestOf(readings: readonly Reading[]): Reading | undefined {
  const most = Math.max(...readings.map(({ weight }) => Math.min(weight, strong)));
  return readings.findLast(({ weight }) => weight >= most);
}

function deepestOf(paths: readonly InputPath[]): InputPath {
  return paths.reduce<InputPath>((best, path) => (path.length > best.length ? path : best), []);
}

interface ConstantComparison {
  readonly term: Term;
  readonly operator: string;
  readonly constant: Value;
}

const opposites: Readonly<Record<string, string>> = {
  eq: '!=',
  equal: '!=',
  neq: '==',
  lt: '>=',
  lte: '>',
  gt: '<=',
  gte: '<',
};

/** The comparison of a term with a constant, if it decides, and what would make it fail. */
function comparisonIn(expr: Expr, { sample }: BodyState): ConstantComparison | undefined {
  if (expr.kind !== 'call' || expr.args.length !== 2) return undefined;
  const name = calledName(expr) ?? (isEquality(expr) ? 'eq' : '');
  const operator = expr.negated ? undefined : opposites[name];
  const [a, b] = expr.args;
  if (operator === undefined || a === undefined || b === undefined) return undefined;
  const frame = frameOf(sample);
  if (isScalar(b) && !isScalar(a)) return { term: a, operator, constant: termValue(b, frame) };
  if (!isScalar(a) || isScalar(b)) return undefined;
  const swapped = operator.startsWith('<') ? operator.replace('<', '>') : operator.replace('>', '<');
  return { term: b, operator: swapped, constant: termValue(a, frame) };
}
