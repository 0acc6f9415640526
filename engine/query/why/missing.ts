/** The part of a ref that is undefined. */

import type { RefTerm, Term, VirtualDocument } from '../../../compiler/index.js';
import { childNames, closest, documentText, isRoot, refPrefix, Span } from '../../../compiler/index.js';
import { baseAt } from '../../../runtime/index.js';
import type { Steps, Value } from '../../../values/index.js';
import {
  countedNoun,
  isArray,
  isObject,
  isSet,
  lookup,
  lookupPath,
  objectKeys,
  objectSize,
  typeName,
} from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import { childDocument } from '../child-document.js';
import { elementKeys } from '../refs/elements.js';
import { isBoundTerm, termValue } from '../term-value.js';
import type { ExplainedDocument, Explaining, Sample, Searching } from './explaining.js';
import { frameOf, probedValues } from './probe.js';
import { oneLine, prefixText, spanText } from './source-text.js';

/** Where a ref into data leads. */
interface DataPlace {
  /** Rules, with the keys that the ref asks for. */
  readonly asked: ExplainedDocument | undefined;
  /** The package above, if there are no rules. */
  readonly above: VirtualDocument;
  /** The number of the ref's terms that lead there, `data` and keys included. */
  readonly length: number;
}

/** Undefined for a ref that does not begin with `data`. */
export function dataPlace(
  { program }: Searching,
  { terms }: RefTerm,
  { environment, values }: Sample,
): DataPlace | undefined {
  const [head] = terms;
  if (!isRoot(head, 'data')) return undefined;
  const frame = frameOf({ environment, values });
  let document = program.root;
  let length = 1;
  for (; length < terms.length && document.kind === 'package'; length++) {
    const key = boundValue(terms[length], frame);
    const child = typeof key === 'string' ? childDocument(document, key) : undefined;
    // A key that is known at run time may name a function, which has no value.
    if (child === undefined || child.kind === 'function' || environment.isReplaced(child.path))
      return { asked: undefined, above: document, length };
    document = child;
  }
  if (document.kind === 'package') return { asked: undefined, above: document, length };
  const keys: Value[] = [];
  if (document.kind !== 'complete') {
    for (let key = boundValue(terms[length], frame); key !== undefined; key = boundValue(terms[++length], frame))
      keys.push(key);
  }
  return { asked: { document, keys }, above: document, length };
}

/** @param term undefined behind the last term of a ref */
function boundValue(term: Term | undefined, frame: Frame): Value | undefined {
  return term !== undefined && isBoundTerm(term, frame) ? termValue(term, frame) : undefined;
}

/** Says why a ref has no value. */
export function* missingPart(explaining: Explaining, ref: RefTerm, sample: Sample): Steps<string> {
  const [head] = ref.terms;
  const { environment } = sample;
  const frame = frameOf(sample);
  if (head?.type !== 'var') return `${spanText(ref.loc)} is undefined`;
  if (head.name === 'input') {
    return environment.input === undefined
      ? 'there is no input'
      : new Walk(explaining, ref, frame, []).from(environment.input, 1);
  }
  const place = dataPlace(explaining, ref, sample);
  if (place !== undefined) return yield* missingData(explaining, ref, sample, place);
  const value = frame.values.get(head.name);
  return value === undefined ? `${spanText(ref.loc)} is undefined` : new Walk(explaining, ref, frame).from(value, 1);
}

function* missingData(
  explaining: Explaining,
  ref: RefTerm,
  sample: Sample,
  { asked, above, length }: DataPlace,
): Steps<string> {
  const walk = new Walk(explaining, ref, frameOf(sample));
  if (asked === undefined) {
    const { data } = sample.environment;
    const key = boundValue(ref.terms[length], frameOf(sample));
    if (typeof key === 'string' && data !== undefined && lookupPath(data, [...above.path, key]) === undefined) {
      const documents = lookupPath(data, above.path);
      const names = new Set([...childNames(above.node), ...(documents === undefined ? [] : namesIn(documents))]);
      return `${packageText(ref, length, above)} has no ${explaining.short(key)}${hintOf(above, key, names)}`;
    }
    return data === undefined
      ? `${spanText(ref.loc)} is undefined`
      : walk.from(data, 1, `data${above.path.map((key) => `.${key}`).join('')}`);
  }
  const { document, keys } = asked;
  const prefix: RefTerm = ref.terms.length === length ? ref : { ...ref, terms: refPrefix(ref.terms, length) };
  const { found, error } = yield* probedValues(explaining, prefix, sample);
  if (error !== undefined) return `${spanText(ref.loc)} ends with an error: ${explaining.told(error.detail)}`;
  const [first] = found;
  if (first !== undefined) return walk.from(first.value, length);
  const name = beginning(ref, length - keys.length);
  const [key] = keys;
  if (key === undefined) return `${name} is undefined`;
  return `${name} ${document.kind === 'set' ? 'does not contain' : 'has no'} ${explaining.short(keys.at(-1) ?? key)}`;
}

/** The names that a package has in the place of a key that is missing. */
function hintOf(above: VirtualDocument, key: string, names: ReadonlySet<string>): string {
  if (childDocument(above, key)?.kind === 'function') return ', which is a function';
  const meant = closest(key, names);
  if (meant !== undefined) return `: did you mean "${meant}"?`;
  if (names.size === 0) return ': it is empty';
  return names.size > mostKeys ? '' : `: it has ${[...names].map((name) => JSON.stringify(name)).join(', ')}`;
}

function namesIn(value: Value): readonly string[] {
  return isObject(value) ? [...objectKeys(value)].filter((key) => typeof key === 'string') : [];
}

/** A package as the text names it; terms of an import have the place of the one name there. */
function packageText(ref: RefTerm, length: number, { path }: VirtualDocument): string {
  const isWritten = ref.terms[length]?.loc.start !== ref.loc.start;
  return isWritten ? beginning(ref, length) : documentText(path);
}

/** The text of the first terms of a ref. */
function beginning({ loc, terms }: RefTerm, length: number): string {
  return prefixText(loc, terms.slice(0, length).at(-1)?.loc ?? loc);
}

class Walk {
  readonly #explaining: Explaining;
  readonly #ref: RefTerm;
  readonly #frame: Frame;
  /** Below `input`; undefined elsewhere. */
  readonly #path: readonly Value[] | undefined;

  constructor(explaining: Explaining, ref: RefTerm, frame: Frame, path?: readonly Value[]) {
    this.#explaining = explaining;
    this.#ref = ref;
    this.#frame = frame;
    this.#path = path;
  }

  /**
   * @param at the first term to look up
   * @param root the package at whose end `start` is looked up, for refs into data
   */
  from(start: Value, at: number, root?: string): string {
    const { terms } = this.#ref;
    let value = start;
    const path = [...(this.#path ?? [])];
    for (const [i, term] of terms.entries()) {
      if (i < at) continue;
      if (!isBoundTerm(term, this.#frame)) return this.#noElement(value, term, beginning(this.#ref, i));
      const key = termValue(term, this.#frame);
      const next = root === undefined ? lookup(value, key) : baseAt(value, key);
      if (next === undefined) return this.#lacks(value, key, this.#nameBefore(term, i, root), path);
      value = next;
      path.push(key);
    }
    return `${spanText(this.#ref.loc)} is undefined`;
  }

  #nameBefore(term: Term, i: number, root: string | undefined): string {
    // Terms of an import or a package have the place of the one name in the text.
    if (root !== undefined && term.loc.start === this.#ref.loc.start) return root;
    return beginning(this.#ref, i);
  }

  #lacks(value: Value, key: Value, name: string, path: readonly Value[]): string {
    const explaining = this.#explaining;
    const isInput = this.#path !== undefined;
    const shownKey = explaining.short(key);
    if (isSet(value)) return `${name} does not contain ${shownKey}`;
    if (isArray(value)) return `${name} has ${countedNoun(value.length, 'element')}, none at ${shownKey}`;
    if (!isObject(value))
      return `${name} is ${explaining.short(value, isInput ? path : undefined)}, which has no ${shownKey}`;
    return `${name} has no ${shownKey}${this.#keysOf(value, isInput ? path : undefined)}`;
  }

  /** The keys of a small object. */
  #keysOf(value: Value & object, path: readonly Value[] | undefined): string {
    if (!isObject(value) || this.#explaining.shown(value, path).masked) return '';
    const size = objectSize(value);
    if (size === 0) return ': it is empty';
    if (size > mostKeys) return '';
    return `: it has ${[...objectKeys(value)].map((key) => this.#explaining.short(key)).join(', ')}`;
  }

  #noElement(value: Value, term: Term, name: string): string {
    const { loc } = this.#ref;
    if (!isArray(value) && !isSet(value) && !isObject(value))
      return `${name} is a ${typeName(value)}, not a collection`;
    const count = elementKeys(value).length;
    if (count === 0) return `${name} is empty`;
    const rest =
      term.loc.end < loc.end ? oneLine(new Span(loc.source, term.loc.end, loc.end).text.replace(/^\s*\]/, '')) : '';
    return rest === ''
      ? `no element of ${name} matches (${count} tried)`
      : `no element of ${name} has ${rest} (${count} tried)`;
  }
}

const mostKeys = 6;
