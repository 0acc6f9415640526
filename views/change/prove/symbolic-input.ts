/** The unknown input: variables for the kind, the number and the text of each of its parts. */

import type { PlainObject, Value } from '../../../values/index.js';
import { equal, isNumber, parseJson, RegoSet, setOwn, toJson } from '../../../values/index.js';
import { type Formula, type Formulas, smtNumber, smtText } from './formulas.js';
import type { Model } from './model.js';
import { type KindName, kinds, memberShape, type Shape } from './shapes.js';
import { Unprovable } from './unprovable.js';

/** An element of a list is asked for up to this index. */
const lastIndex = 999;

/** A part of the input. */
export interface Part {
  readonly id: number;
  readonly parent: Part | undefined;
  readonly key: string | number | undefined;
  /** A key that is unknown itself: the name of its text. */
  readonly keyText: string | undefined;
  readonly children: Map<string | number, Part>;
  /** Members with unknown keys. */
  readonly others: Part[];
  /** `input.user.roles[0]`. */
  readonly name: string;
  readonly shape: Shape | 'never' | undefined;
}

export class SymbolicInput {
  readonly #formulas: Formulas;
  readonly parts: Part[] = [];
  readonly root: Part;
  /** Parts whose elements were asked for, one by one. */
  readonly iterated = new Set<Part>();
  /** Other formulas that hold. */
  readonly facts: Formula[] = [];
  /** Results of functions that the solver does not know. */
  readonly free = new Map<string, Part>();
  /** Collections whose members were counted. */
  readonly counted = new Set<string>();
  /** Operators whose results the evaluation may round. */
  readonly roundings = new Set<string>();

  readonly bound: number;

  /**
   * @param bound the most elements of an array, and unknown keys of an object
   * @param shape of the whole input
   */
  constructor(formulas: Formulas, bound: number, shape?: Shape) {
    this.bound = bound;
    this.#formulas = formulas;
    this.root = this.#made(undefined, undefined, undefined, 'input', shape);
  }

  #made(
    parent: Part | undefined,
    key: string | number | undefined,
    keyText: string | undefined,
    name: string,
    shape?: Shape,
  ): Part {
    const own = parent === undefined ? shape : parent.shape === 'never' ? 'never' : memberShape(parent.shape, key);
    const part: Part = {
      id: this.parts.length,
      parent,
      key,
      keyText,
      children: new Map(),
      others: [],
      name,
      shape: own,
    };
    this.parts.push(part);
    return part;
  }

  child(parent: Part, key: string | number): Part {
    // Elements stand behind others.
    if (typeof key === 'number' && key > 0 && !parent.children.has(key - 1)) this.child(parent, key - 1);
    let part = parent.children.get(key);
    if (part === undefined) {
      const name =
        typeof key === 'number' ? `[${key}]` : /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
      parent.children.set(key, (part = this.#made(parent, key, undefined, parent.name + name)));
    }
    return part;
  }

  /**
   * The member of a known key; undefined for a key that no member has. Throws an Unprovable for an
   * index that is too large.
   */
  member(parent: Part, key: Value): Part | undefined {
    if (typeof key === 'string') return this.child(parent, key);
    if (!isNumber(key)) return undefined;
    // Numbers may be written as 1.0 is.
    const index = Number(toJson(key));
    if (!Number.isInteger(index) || index < 0 || !equal(key, index)) return undefined;
    if (index > lastIndex) throw new Unprovable(`the index ${index} is too large`);
    return this.child(parent, index);
  }

  /** The elements of an array, up to the bound. */
  elements(parent: Part): readonly Part[] {
    this.iterated.add(parent);
    return Array.from({ length: this.bound }, (_, i) => this.child(parent, i));
  }

  /** Members with keys that nothing names. */
  unknownMembers(parent: Part): readonly Part[] {
    this.iterated.add(parent);
    while (parent.others.length < this.bound) {
      const i = parent.others.length;
      parent.others.push(this.#made(parent, undefined, `key${parent.id}_${i}`, `${parent.name}[_${i}]`));
    }
    return parent.others;
  }

  /** The result of a call that the solver knows nothing of: the same for the same operands. */
  result(call: string, shape?: Shape): Part {
    let part = this.free.get(call);
    if (part === undefined) this.free.set(call, (part = this.#made(undefined, undefined, undefined, call, shape)));
    return part;
  }

  /** Whether a part may be a set, as results of built-ins are and inputs never. */
  isSetPart({ shape }: Part): boolean {
    return shape !== undefined && shape !== 'never' && shape.kinds?.includes('set') === true;
  }

  isKind(part: Part, ...wanted: readonly KindName[]): Formula {
    return this.#formulas.or(...wanted.map((kind) => this.#formulas.atom(`(= k${part.id} ${kinds[kind]})`)));
  }

  /** The axioms of every input; objects have the members that are named, and unknown ones. */
  axioms(): readonly string[] {
    const lines: string[] = [];
    for (const part of this.parts) {
      const { id, parent, key, keyText } = part;
      lines.push(
        `(declare-const k${id} Int)(declare-const r${id} Real)(declare-const s${id} String)(declare-const c${id} Int)`,
      );
      this.#addShape(part, lines);
      // A schema is about an input that is there.
      if (part === this.root && part.shape !== undefined) lines.push(`(assert (> k${id} 0))`);
      if (parent === undefined) continue;
      const container = typeof key !== 'number' ? kinds.object : this.isSetPart(parent) ? kinds.set : kinds.array;
      lines.push(`(assert (=> (> k${id} 0) (= k${parent.id} ${container})))`);
      if (typeof key === 'number' && key > 0 && parent.children.has(key - 1))
        lines.push(`(assert (=> (> k${id} 0) (> k${parent.children.get(key - 1)!.id} 0)))`);
      if (keyText !== undefined) this.#addUnknownKey(part, parent, keyText, lines);
    }
    for (const part of this.iterated) {
      const { children } = part;
      for (const [key, child] of children)
        if (typeof key === 'number' && key >= this.bound) lines.push(`(assert (= k${child.id} 0))`);
    }
    return lines;
  }

  #addShape({ id, shape, parent, key }: Part, lines: string[]): void {
    if (shape === 'never') {
      lines.push(`(assert (= k${id} 0))`);
      return;
    }
    if (shape?.kinds === undefined) lines.push(`(assert (and (<= 0 k${id}) (<= k${id} 7)))`);
    else {
      const allowed = ['none' as const, ...shape.kinds].map((kind) => `(= k${id} ${kinds[kind]})`);
      lines.push(`(assert (or ${allowed.join(' ')}))`);
    }
    const own = parent?.shape;
    if (own !== undefined && own !== 'never' && typeof key === 'string' && own.required?.has(key))
      lines.push(`(assert (=> (= k${parent!.id} ${kinds.object}) (> k${id} 0)))`);
    if (own !== undefined && own !== 'never' && typeof key === 'number' && key < (own.elements?.length ?? 0))
      lines.push(`(assert (=> (= k${parent!.id} ${kinds.array}) (> k${id} 0)))`);
    if (shape === undefined) return;
    const isNumber = `(= k${id} ${kinds.number})`;
    const least = shape.minimum === undefined ? undefined : smtNumber(shape.minimum);
    const most = shape.maximum === undefined ? undefined : smtNumber(shape.maximum);
    if (shape.isInteger) lines.push(`(assert (=> ${isNumber} (is_int r${id})))`);
    if (least !== undefined) lines.push(`(assert (=> ${isNumber} (<= ${least} r${id})))`);
    if (most !== undefined) lines.push(`(assert (=> ${isNumber} (<= r${id} ${most})))`);
    const isText = `(= k${id} ${kinds.string})`;
    if (shape.minLength !== undefined) lines.push(`(assert (=> ${isText} (<= ${shape.minLength} (str.len s${id}))))`);
    if (shape.texts !== undefined) {
      const texts = shape.texts.map((text) => `(= s${id} ${smtText(text)})`);
      lines.push(`(assert (=> ${isText} (or false ${texts.join(' ')})))`);
    }
  }

  /** Unknown keys are no named ones, all different, and those that are there come first. */
  #addUnknownKey({ id }: Part, parent: Part, keyText: string, lines: string[]): void {
    lines.push(`(declare-const ${keyText} String)`);
    for (const name of parent.children.keys())
      if (typeof name === 'string') lines.push(`(assert (not (= ${keyText} ${smtText(name)})))`);
    const before = parent.others.filter((other) => other.id < id);
    for (const other of before) lines.push(`(assert (not (= ${keyText} ${other.keyText})))`);
    if (before.length > 0) lines.push(`(assert (=> (> k${id} 0) (> k${before.at(-1)!.id} 0)))`);
  }

  /** The names of the solver's variables. */
  variables(): readonly string[] {
    return this.parts.flatMap(({ id, keyText }) => [
      `k${id}`,
      `r${id}`,
      `s${id}`,
      `c${id}`,
      ...(keyText === undefined ? [] : [keyText]),
    ]);
  }

  /** The input of a model. */
  inputOf(model: Model): Value | undefined {
    return this.valueOf(this.root, model);
  }

  valueOf(part: Part, model: Model): Value | undefined {
    const { id, children, others } = part;
    switch (model.get(`k${id}`) ?? 0) {
      case kinds.null:
        return null;
      case kinds.false:
        return false;
      case kinds.true:
        return true;
      case kinds.number:
        return parseJson(String(model.get(`r${id}`) ?? 0));
      case kinds.string:
        return String(model.get(`s${id}`) ?? '');
      case kinds.array:
      case kinds.set: {
        const items: Value[] = [];
        for (let i = 0; children.has(i); i++) {
          const item = this.valueOf(children.get(i)!, model);
          if (item === undefined) break;
          items.push(item);
        }
        return model.get(`k${id}`) === kinds.set ? new RegoSet(items) : items;
      }
      case kinds.object: {
        const object: PlainObject = {};
        for (const [key, child] of children) {
          const value = typeof key === 'string' ? this.valueOf(child, model) : undefined;
          if (value !== undefined) setOwn(object, String(key), value);
        }
        for (const other of others) {
          const value = this.valueOf(other, model);
          if (value !== undefined) setOwn(object, String(model.get(other.keyText!) ?? ''), value);
        }
        return object;
      }
      default:
        return undefined;
    }
  }
}
