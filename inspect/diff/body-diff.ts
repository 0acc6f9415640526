/** The differences of two bodies of one plan or function. */
import { diff } from 'fast-myers-diff';
import type { AddressedStatement } from '../../ir-schema/address.js';
import { type Variable, Variables } from './variables.js';

/** A body, and its statements as `ShapeText.shape` has them. */
export interface ComparedBody {
  readonly params: readonly number[];
  readonly statements: readonly AddressedStatement[];
  readonly shapes: readonly string[];
}

/** `variables`: the statements are equal but for the variables, which are others. */
export interface StatementChange {
  readonly change: 'changed' | 'variables' | 'moved' | 'removed' | 'added';
  readonly a?: AddressedStatement;
  readonly b?: AddressedStatement;
}

/** In the order of the statements. None only where the bodies differ in numbers of locals alone. */
export function diffBodies(a: ComparedBody, b: ComparedBody): StatementChange[] {
  return new BodyDiff(a, b).changes;
}

class BodyDiff {
  readonly changes: StatementChange[] = [];
  readonly #a: ComparedBody;
  readonly #b: ComparedBody;
  readonly #variables: Matching;
  /** Statements of the first that are the same in the second, and blocks by the numbers before. */
  readonly #partners = new Map<AddressedStatement, AddressedStatement>();
  readonly #found = new Set<AddressedStatement>();
  readonly #blocks = new Bijection<string>();

  constructor(a: ComparedBody, b: ComparedBody) {
    this.#a = a;
    this.#b = b;
    this.#variables = new Matching(new Variables(a), new Variables(b));
    let [i, j] = [0, 0];
    for (const [startA, endA, startB, endB] of diff(a.shapes as string[], b.shapes as string[])) {
      for (; i < startA; i++, j++) this.#same(i, j);
      this.#gap(startA, endA, startB, endB);
      [i, j] = [endA, endB];
    }
    for (; i < a.shapes.length; i++, j++) this.#same(i, j);
  }

  /** Statements of one text. */
  #same(i: number, j: number): void {
    const [a, b] = this.#pair(i, j);
    if (!this.#variables.match(i, j)) this.changes.push({ change: 'variables', a, b });
    else if (!this.#isInPlace(a, b)) this.changes.push({ change: 'moved', a, b });
  }

  #pair(i: number, j: number): readonly [AddressedStatement, AddressedStatement] {
    const [a, b] = [this.#a.statements[i]!, this.#b.statements[j]!];
    this.#partners.set(a, b);
    this.#found.add(b);
    return [a, b];
  }

  /** Whether the statements are in the same block of the same statement. */
  #isInPlace(a: AddressedStatement, b: AddressedStatement): boolean {
    const isFree = (parent: AddressedStatement | undefined, isKnown: (parent: AddressedStatement) => boolean) =>
      parent !== undefined && !isKnown(parent);
    // A statement around it that is new or gone tells of the move.
    if (
      isFree(a.parent, (parent) => this.#partners.has(parent)) ||
      isFree(b.parent, (parent) => this.#found.has(parent))
    )
      return true;
    if ((a.parent && this.#partners.get(a.parent)) !== b.parent) return false;
    return this.#blocks.add(a.steps.slice(0, -1).join('.'), b.steps.slice(0, -1).join('.'));
  }

  /** Statements that have no equal ones: those of one kind, in turn, are the same ones changed. */
  #gap(startA: number, endA: number, startB: number, endB: number): void {
    const types = (statements: readonly AddressedStatement[]) => statements.map(({ stmt }) => stmt.type);
    const [of, to] = [types(this.#a.statements.slice(startA, endA)), types(this.#b.statements.slice(startB, endB))];
    let [i, j] = [0, 0];
    const changed = (end: number) => {
      for (; i < end; i++, j++) this.#changed(startA + i, startB + j);
    };
    for (const [fromA, toA, , toB] of diff(of, to)) {
      changed(fromA);
      for (; i < toA; i++) this.changes.push({ change: 'removed', a: this.#a.statements[startA + i]! });
      for (; j < toB; j++) this.changes.push({ change: 'added', b: this.#b.statements[startB + j]! });
    }
    changed(of.length);
  }

  #changed(i: number, j: number): void {
    const [a, b] = this.#pair(i, j);
    this.#variables.matchWrites(i, j);
    this.changes.push({ change: 'changed', a, b });
  }
}

/** Which variables of two bodies are the same ones. */
class Matching {
  readonly #a: Variables;
  readonly #b: Variables;
  readonly #pairs = new Bijection<Variable>();

  constructor(a: Variables, b: Variables) {
    this.#a = a;
    this.#b = b;
    a.params.forEach((variable, i) => {
      const other = b.params[i];
      if (other !== undefined) this.#pairs.add(variable, other);
    });
  }

  /** Whether statements of one text have the same variables. */
  match(i: number, j: number): boolean {
    const reads = this.#all(this.#a.reads(i), this.#b.reads(j));
    return this.#all(this.#a.writes(i), this.#b.writes(j)) && reads;
  }

  /** What statements of one kind write is the same from now on, if it can be. */
  matchWrites(i: number, j: number): void {
    this.#all(this.#a.writes(i), this.#b.writes(j));
  }

  #all(a: readonly Variable[], b: readonly Variable[]): boolean {
    let areSame = a.length === b.length;
    a.forEach((variable, i) => {
      const other = b[i];
      if (other !== undefined && !this.#pairs.add(variable, other)) areSame = false;
    });
    return areSame;
  }
}

/** Pairs of which each one has one other. */
class Bijection<Key> {
  readonly #to = new Map<Key, Key>();
  readonly #from = new Map<Key, Key>();

  /** Pairs two; false if one of them has another already. */
  add(a: Key, b: Key): boolean {
    const [to, from] = [this.#to.get(a), this.#from.get(b)];
    if (to === undefined && from === undefined) {
      this.#to.set(a, b);
      this.#from.set(b, a);
      return true;
    }
    return to === b && from === a;
  }
}
