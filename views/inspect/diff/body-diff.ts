/** The differences of two bodies of one plan or function. */
import { diff } from 'fast-myers-diff';
import type { AddressedStatement, Stmt } from '../../../ir-schema/index.js';
import { BodyVariables, type StatementVariables, type Variable } from './variables.js';

/** A body of a plan or function. */
export interface ComparedBody {
  readonly params: readonly number[];
  readonly statements: readonly AddressedStatement[];
  /** The shape, see `ShapeText.shape`. */
  shapeOf(stmt: Stmt): string;
}

export interface Both<Part> {
  readonly a: Part;
  readonly b: Part;
}

/**
 * A difference. `variables`: the statements are equal but for the variables, which are others;
 * `moved`: the second stands in another block.
 */
export type BodyChange<Part> =
  | ({ readonly change: 'changed' | 'variables' | 'moved' } & Both<Part>)
  | { readonly change: 'removed'; readonly a: Part }
  | { readonly change: 'added'; readonly b: Part };

type StatementChange = BodyChange<AddressedStatement>;

/** Statements of two bodies beside each other: changes, and those that are the same. */
export type AlignedStatements = StatementChange | ({ readonly change: 'same' } & Both<AddressedStatement>);

/** In the order of the statements. None only where the bodies differ in numbers of locals alone. */
export function diffBodies(a: ComparedBody, b: ComparedBody): StatementChange[] {
  return alignBodies(a, b).filter((one) => one.change !== 'same');
}

/** All statements of both bodies, each once, in the order of either. */
export function alignBodies(a: ComparedBody, b: ComparedBody): readonly AlignedStatements[] {
  return new BodyDiff(a, b).aligned;
}

interface Line extends StatementVariables {
  readonly shape: string;
}

class BodyDiff {
  readonly aligned: AlignedStatements[] = [];
  readonly #variables = new Matching();
  /** Statements of the first that are the same in the second, and blocks by the numbers before. */
  readonly #partners = new Map<AddressedStatement, AddressedStatement>();
  readonly #found = new Set<AddressedStatement>();
  readonly #blocks = new Bijection<string>();

  constructor(a: ComparedBody, b: ComparedBody) {
    const [variablesA, variablesB] = [new BodyVariables(a), new BodyVariables(b)];
    this.#variables.match(variablesA.params, variablesB.params);
    const [linesA, linesB] = [linesOf(a, variablesA), linesOf(b, variablesB)];
    for (const { same, gone, added } of compared(linesA, linesB, ({ shape }) => shape)) {
      for (const [left, right] of same) this.#same(left, right);
      this.#gap(gone, added);
    }
  }

  /** Statements of one text. */
  #same(left: Line, right: Line): void {
    const { a, b } = this.#pair(left, right);
    const readsMatch = this.#variables.match(left.reads, right.reads);
    if (!this.#variables.match(left.writes, right.writes) || !readsMatch)
      this.aligned.push({ change: 'variables', a, b });
    else this.aligned.push({ change: this.#isInPlace(a, b) ? 'same' : 'moved', a, b });
  }

  #pair({ statement: a }: Line, { statement: b }: Line): Both<AddressedStatement> {
    this.#partners.set(a, b);
    this.#found.add(b);
    return { a, b };
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
  #gap(a: readonly Line[], b: readonly Line[]): void {
    for (const { same, gone, added } of compared(a, b, ({ statement }) => statement.stmt.type)) {
      for (const [left, right] of same) {
        this.aligned.push({ change: 'changed', ...this.#pair(left, right) });
        // The written locals are the same variable from now on, if they can be.
        this.#variables.match(left.writes, right.writes);
      }
      for (const { statement } of gone) this.aligned.push({ change: 'removed', a: statement });
      for (const { statement } of added) this.aligned.push({ change: 'added', b: statement });
    }
  }
}

function linesOf({ shapeOf }: ComparedBody, { statements }: BodyVariables): readonly Line[] {
  return statements.map((line) => ({ ...line, shape: shapeOf(line.statement.stmt) }));
}

/** Lines of one text in pairs, and the lines behind them that have no equal ones. */
interface ComparedPart {
  readonly same: readonly (readonly [Line, Line])[];
  readonly gone: readonly Line[];
  readonly added: readonly Line[];
}

function* compared(a: readonly Line[], b: readonly Line[], textOf: (line: Line) => string): Iterable<ComparedPart> {
  const end = [a.length, a.length, b.length, b.length] as const;
  let [i, j] = [0, 0];
  for (const [startA, endA, startB, endB] of [...diff(a.map(textOf), b.map(textOf)), end]) {
    // Between two differences, both have equally many lines.
    const others = b.slice(j, startB);
    const same = a.slice(i, startA).map((line, at) => [line, others[at]!] as const);
    yield { same, gone: a.slice(startA, endA), added: b.slice(startB, endB) };
    [i, j] = [endA, endB];
  }
}

/** The variables that two bodies have in common. */
class Matching {
  readonly #pairs = new Bijection<Variable>();

  /** Whether these can be the same ones, which they are from now on. */
  match(a: readonly Variable[], b: readonly Variable[]): boolean {
    let areSame = a.length === b.length;
    for (const [i, variable] of a.entries()) {
      const other = b[i];
      if (other !== undefined && !this.#pairs.add(variable, other)) areSame = false;
    }
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
