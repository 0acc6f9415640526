/** The values that an expression read, by their texts in the source. */

import type { Expr, RefTerm, Term } from '../../../compiler/index.js';
import {
  functionName,
  isComprehension,
  isEquality,
  isGeneratedName,
  isRoot,
  isWildcard,
} from '../../../compiler/index.js';
import type { Steps, Value } from '../../../values/index.js';
import { childDocument } from '../child-document.js';
import { isBoundTerm, termValue } from '../term-value.js';
import { documentName } from './document-name.js';
import type { BodyState, ExplainedDocument, Explaining, Sample, Searching } from './explaining.js';
import type { Read, Replacement, ShownValue } from './explanation.js';
import { dataPlace } from './missing.js';
import { frameOf, probedValues, type TermValues } from './probe.js';
import { spanText } from './source-text.js';

/**
 * Collections that are written in an expression are left out: their parts are read.
 * @param exprs the compiled expressions that one expression of the author has become
 * @param state the body that they are of, where they are evaluated
 */
export function* readsOfBody(explaining: Explaining, exprs: readonly Expr[], state: BodyState): Steps<readonly Read[]> {
  const terms: Term[] = [];
  for (const expr of exprs) for (const term of termsOf(expr)) visitReads(term, (part) => terms.push(part));
  const origins = originsOf(exprs);
  const reads = new Map<string, Read>();
  for (const term of terms) {
    const text = spanText(term.loc);
    const origin = term.type === 'var' ? origins.get(term.name) : undefined;
    if (reads.has(text) || (origin !== undefined && isCollection(origin))) continue;
    const read = yield* readOf(explaining, term, text, state.sample, origin);
    // A constant tells its value.
    if (read === undefined || read.value?.text === text) continue;
    const path = yield* explaining.pathOf(term.type === 'ref' ? asWritten(term) : term, state);
    reads.set(text, { ...read, ...(path !== undefined && { path }) });
  }
  return [...reads.values()];
}

/** The terms that generated variables stand for. */
function originsOf(exprs: readonly Expr[]): ReadonlyMap<string, Term> {
  const origins = new Map<string, Term>();
  for (const expr of exprs) {
    if (!expr.generated || !isEquality(expr)) continue;
    const [variable, term] = expr.args;
    if (variable?.type === 'var' && isGeneratedName(variable.name) && term !== undefined)
      origins.set(variable.name, term);
  }
  return origins;
}

function isCollection({ type }: Term): boolean {
  return type === 'array' || type === 'set' || type === 'object';
}

/** The operands of an expression, without those of bodies inside. */
function termsOf(expr: Expr): readonly Term[] {
  switch (expr.kind) {
    case 'term':
      return [expr.term];
    case 'call':
      return expr.args;
    case 'every':
      return [expr.domain];
    default:
      return [];
  }
}

const name = /^[A-Za-z_][A-Za-z0-9_]*$/;

function visitReads(term: Term, add: (term: Term) => void): void {
  switch (term.type) {
    case 'var':
      if (!isWildcard(term.name) && term.loc.text !== '_') add(term);
      return;
    case 'ref':
      add(term);
      // A generated variable inside a ref has the text of another part.
      for (const part of term.terms.slice(1))
        if (part.type !== 'var' || name.test(part.loc.text)) visitReads(part, add);
      return;
    case 'array':
    case 'set':
      for (const item of term.items) visitReads(item, add);
      return;
    case 'object':
      for (const { key, value } of term.entries) for (const part of [key, value]) visitReads(part, add);
      return;
    default:
      if (isComprehension(term)) add(term);
  }
}

/** @param origin the term that a generated variable stands for */
function* readOf(
  explaining: Explaining,
  term: Term,
  text: string,
  sample: Sample,
  origin: Term | undefined,
): Steps<Read | undefined> {
  if (term.type === 'var') {
    const value = sample.values.get(term.name);
    if (value === undefined || text === '') return undefined;
    return { text, value: explaining.shown(value), ...(origin && documentOf(explaining, origin, sample)) };
  }
  const read = term.type === 'ref' ? asWritten(term) : term;
  const { found, count, error } = yield* probedValues(explaining, read, sample);
  if (count === 0 || error !== undefined) return { text };
  if (count > 1) return { text, value: severalValues(explaining, read, { found, count }) };
  const [{ value, sample: state }] = found as [TermValues['found'][number]];
  const path = read.type === 'ref' ? inputPath(read, state) : undefined;
  return { text, value: explaining.shown(value, path), ...documentOf(explaining, read, state) };
}

/** The rules whose value a term is; none where it is a part of the value. */
function documentOf(explaining: Explaining, term: Term, sample: Sample): Pick<Read, 'document'> {
  const place = term.type === 'ref' ? dataPlace(explaining, term, sample) : undefined;
  if (term.type !== 'ref' || place?.asked === undefined || place.length !== term.terms.length) return {};
  return { document: documentName(explaining, place.asked) };
}

/** `some x in xs` reads elements of `xs`, whose keys are not in the text. */
function asWritten(ref: RefTerm): RefTerm {
  const [head, ...keys] = ref.terms;
  const last = keys.pop();
  const isInText = last?.type !== 'var' || (last.loc.start > ref.loc.start && last.loc.end <= ref.loc.end);
  return isInText ? ref : { ...ref, terms: [head, ...keys] };
}

function severalValues(explaining: Explaining, term: Term, { found, count }: TermValues): ShownValue {
  const shown = found.map(({ value, sample }) =>
    explaining.shown(value, term.type === 'ref' ? inputPath(term, sample) : undefined),
  );
  const isMasked = shown.some(({ masked }) => masked);
  const text = `${shown.map((one) => one.text).join(', ')}${count > found.length ? ', …' : ''} (${count} values)`;
  return { text, ...(isMasked && { masked: true }) };
}

/** The keys of a ref into the input; undefined for other refs. */
export function inputPath({ terms }: RefTerm, sample: Sample): readonly Value[] | undefined {
  const [head, ...keys] = terms;
  if (!isRoot(head, 'input')) return undefined;
  const frame = frameOf(sample);
  return keys.every((key) => isBoundTerm(key, frame)) ? keys.map((key) => termValue(key, frame)) : undefined;
}

/** The replacements of an expression by `with`, evaluated before it. */
export function replacementsOf(
  explaining: Explaining,
  { with: modifiers }: Expr,
  sample: Sample,
): readonly Replacement[] {
  const frame = frameOf(sample);
  return modifiers.map(({ target, value }) => {
    const isValue = value.type !== 'ref' && isBoundTerm(value, frame);
    const shown: ShownValue = isValue ? explaining.shown(termValue(value, frame)) : { text: spanText(value.loc) };
    return { target: spanText(target.loc), value: shown };
  });
}

/** The rules and functions that expressions read, each once; not those of bodies inside. */
export function* documentsRead(
  explaining: Searching,
  exprs: readonly Expr[],
  sample: Sample,
): Steps<readonly ExplainedDocument[]> {
  const found: ExplainedDocument[] = [];
  const add = (asked: ExplainedDocument | undefined): void => {
    if (asked !== undefined && !found.some(({ document }) => document === asked.document)) found.push(asked);
  };
  for (const expr of exprs) {
    if (expr.kind === 'call') add(yield* functionCalled(explaining, expr.operator, expr.args, sample));
    for (const term of termsOf(expr)) if (term.type === 'ref') add(dataPlace(explaining, term, sample)?.asked);
  }
  return found;
}

function* functionCalled(
  explaining: Searching,
  operator: RefTerm,
  args: readonly Term[],
  sample: Sample,
): Steps<ExplainedDocument | undefined> {
  const called = functionName(operator);
  if (called === undefined || sample.environment.mockOf(called) !== undefined) return undefined;
  const [head, ...path] = operator.terms;
  let document = isRoot(head, 'data') ? explaining.program.root : undefined;
  for (const key of path) document = document && key.type === 'string' ? childDocument(document, key.value) : undefined;
  if (document?.kind !== 'function') return undefined;
  const keys: Value[] = [];
  for (const arg of args.slice(0, document.rules[0]?.rule.head.args?.length ?? 0)) {
    const value = (yield* probedValues(explaining, arg, sample)).found[0]?.value;
    if (value === undefined) return undefined;
    keys.push(value);
  }
  return { document, keys, args };
}
