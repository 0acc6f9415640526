/**
 * HOCON: objects with paths, references and concatenations. As the reference has it, lists and
 * texts with spaces are texts in its notation.
 */

import { type PlainObject, setOwn, type Value } from '../../../../values/index.js';
import { environmentText, FileFormatError, type Format } from '../format.js';
import type { Marks } from '../marks.js';
import { scalarFloat, truthOf } from '../scalars.js';
import { type HoconNode, type HoconObject, readHocon } from './hocon-reader.js';

export const hocon: Format = {
  parse(text, { asConftest }, marks) {
    const root = readHocon(text);
    const resolving = new Resolving(root, mostSteps + 10 * text.length);
    if (asConftest === true) checkTop(root, resolving);
    return objectOf(root, resolving, marks);
  },
};

/** The reference ends with a panic where a value at the top is no object. */
function checkTop({ members }: HoconObject, resolving: Resolving): void {
  for (const [key, { node, start }] of members)
    if (resolving.settled(node).kind !== 'object')
      throw new FileFormatError(`hocon: the value of ${key} at the top is no object`, start);
}

function objectOf(object: HoconObject, resolving: Resolving, marks: Marks | undefined): PlainObject {
  const result: PlainObject = {};
  resolving.enter(object);
  for (const [key, { node, start, end }] of object.members) {
    const settled = resolving.settled(node);
    if (settled.kind === 'absent') continue;
    setOwn(
      result,
      key,
      settled.kind === 'object' ? objectOf(settled, resolving, marks) : converted(textOf(settled, resolving)),
    );
    marks?.at(result, key, start, end);
  }
  resolving.leave(object);
  return result;
}

function converted(text: string): Value {
  const number = scalarFloat(text);
  if (number === undefined) return truthOf(text) ?? text;
  if (!Number.isFinite(number)) throw new FileFormatError(`marshal hocon to json: json: unsupported value: ${text}`);
  return number;
}

/** A value that is no object, as a text: texts with spaces in quotes, lists in brackets. */
function textOf(node: HoconNode, resolving: Resolving): string {
  const settled = resolving.settled(node);
  if (settled.kind === 'text') return /[ \t]/.test(settled.text) ? `"${settled.text}"` : settled.text;
  if (settled.kind === 'absent') return '';
  resolving.enter(settled);
  const parts =
    settled.kind === 'list'
      ? settled.items.map((item) => textOf(item, resolving))
      : [...settled.members].map(([key, member]) => `${key} : ${textOf(member.node, resolving)}`);
  resolving.leave(settled);
  return settled.kind === 'list' ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

/** Steps of references that any document may take: a few lines may stand for many values. */
const mostSteps = 4_000_000;

/** Values nest no deeper, those of references included. */
const deepest = 1000;

/** Resolves references within a document. */
class Resolving {
  readonly #root: HoconObject;
  readonly #open = new Set<HoconNode>();

  #left: number;

  /** @param most steps, and characters of joined texts: more are an error */
  constructor(root: HoconObject, most: number) {
    this.#root = root;
    this.#left = most;
  }

  /** Notes an object or list that is written. Throws a FileFormatError for one within itself. */
  enter(node: HoconNode): void {
    if (this.#open.has(node)) throw new FileFormatError('hocon: a reference leads to what it is in');
    if (this.#open.size > deepest) throw new FileFormatError('hocon: values nest too deeply');
    this.#open.add(node);
  }

  leave(node: HoconNode): void {
    this.#open.delete(node);
  }

  /** Throws a FileFormatError once the document stands for too much. */
  #spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new FileFormatError('hocon: references expand to too much');
  }

  /** The node without references and concatenations. */
  settled(node: HoconNode): Exclude<HoconNode, { kind: 'reference' | 'parts' }> {
    this.#spend(node.kind === 'text' ? 1 + node.text.length : 1);
    if (node.kind !== 'reference' && node.kind !== 'parts') return node;
    if (this.#open.has(node)) throw new FileFormatError('hocon: a reference leads to itself', node.start);
    this.#open.add(node);
    try {
      return node.kind === 'reference' ? this.#referred(node) : this.#joined(node.parts);
    } finally {
      this.#open.delete(node);
    }
  }

  #referred({ path, isOptional, start }: Extract<HoconNode, { kind: 'reference' }>) {
    let at: HoconNode | undefined = this.#root;
    for (const key of path) {
      const holder: HoconNode | undefined = at === undefined ? undefined : this.settled(at);
      at = holder?.kind === 'object' ? holder.members.get(key)?.node : undefined;
    }
    if (at !== undefined) return this.settled(at);
    const variable = environmentText(path.join('.'));
    if (variable !== undefined) return { kind: 'text', text: variable } as const;
    if (isOptional) return { kind: 'absent' } as const;
    throw new FileFormatError(`Unresolved substitution:${path.join('.')}`, start);
  }

  #joined(parts: readonly HoconNode[]) {
    const settled = parts.map((part) => this.settled(part)).filter(({ kind }) => kind !== 'absent');
    for (const part of settled)
      this.#spend(part.kind === 'text' ? part.text.length : part.kind === 'list' ? part.items.length : 1);
    const last = settled.at(-1);
    if (last === undefined) return { kind: 'absent' } as const;
    // The reference keeps the last object of several.
    if (last.kind === 'object') return last;
    if (last.kind === 'list')
      return { kind: 'list', items: settled.flatMap((part) => (part.kind === 'list' ? part.items : [part])) } as const;
    return { kind: 'text', text: settled.map((part) => (part.kind === 'text' ? part.text : '')).join('') } as const;
  }
}
