/**
 * The variables of a plan or function: a local is several where statements give its number to one
 * value after the other. Plans that differ in the numbers only have the same variables.
 */
import type { AddressedStatement } from '../../ir-schema/address.js';
import { effectsOf } from '../../ir-schema/effects.js';

/** A number for each variable. */
export type Variable = number;

/** A place where a local gets a value that each later statement of some block sees. */
interface Definition {
  readonly variable: Variable;
  /** Its place among the statements. */
  readonly index: number;
  /** The block whose statements see it: the numbers of their addresses begin so. */
  readonly block: readonly number[];
  /** The number of the statement in the block behind which they see it. */
  readonly behind: number;
}

interface Body {
  readonly params: readonly number[];
  /** In order, with the numbers of their addresses. */
  readonly statements: readonly AddressedStatement[];
}

/** The variables of parameters, and of what each statement reads and then writes. */
export class Variables {
  readonly params: readonly Variable[];
  /** By statement. */
  readonly #reads: (readonly Variable[])[] = [];
  readonly #writes: (readonly Variable[])[] = [];
  readonly #statements: readonly AddressedStatement[];
  readonly #first: number;
  /** By statement: the index behind the last one inside it. */
  readonly #ends: Int32Array;
  readonly #definitions = new Map<number, Definition[]>();
  /** Of locals that are read where no definition is known. */
  readonly #loose = new Map<number, Variable>();
  readonly #joined: Variable[] = [];

  constructor({ params, statements }: Body) {
    this.#statements = statements;
    this.#first = statements[0]?.index ?? 0;
    this.#ends = endsOf(statements);
    const start = params.map((param) => this.#add(param, { index: -1, block: [], behind: -1 }));
    const effects = statements.map(({ stmt }) => effectsOf(stmt));
    const writes = statements.map((statement, i) =>
      effects[i]!.writes.map((local) => this.#define(local, statement, i)),
    );
    const reads = statements.map((statement, i) => effects[i]!.reads.map((local) => this.#read(local, statement, i)));
    for (const [i, { stmt }] of statements.entries()) {
      // What it sets once, or for the time of its block, is what it was.
      if (stmt.type === 'AssignVarOnceStmt' || stmt.type === 'WithStmt') {
        const own = effects[i]!.reads.indexOf(effects[i]!.writes[0]!);
        this.#join(writes[i]![0]!, reads[i]![own]!);
      }
    }
    for (const i of statements.keys()) {
      this.#reads.push(reads[i]!.map((variable) => this.#rootOf(variable)));
      this.#writes.push(writes[i]!.map((variable) => this.#rootOf(variable)));
    }
    this.params = start.map((variable) => this.#rootOf(variable));
  }

  /** The variables that a statement reads, in the order of its fields. */
  reads(index: number): readonly Variable[] {
    return this.#reads[index]!;
  }

  writes(index: number): readonly Variable[] {
    return this.#writes[index]!;
  }

  #define(local: number, { steps, stmt }: AddressedStatement, index: number): Variable {
    // The elements of a scan are known inside it.
    if (stmt.type === 'ScanStmt') return this.#add(local, { index, block: steps, behind: -1 });
    return this.#add(local, { index, block: steps.slice(0, -1), behind: steps.at(-1)! });
  }

  #add(local: number, place: Omit<Definition, 'variable'>): Variable {
    const definition = { ...place, variable: this.#new() };
    const known = this.#definitions.get(local);
    if (known === undefined) this.#definitions.set(local, [definition]);
    else known.push(definition);
    return definition.variable;
  }

  /**
   * The variable that a statement reads: that of the last definition that runs before it in all
   * cases, one with those of all that may run in between.
   */
  #read(local: number, { steps }: AddressedStatement, index: number): Variable {
    const definitions = this.#definitions.get(local) ?? [];
    let at = before(definitions, index) - 1;
    while (at >= 0 && !isSeen(definitions[at]!, steps)) at--;
    const definition = definitions[at];
    if (definition === undefined) return this.#looseOf(local);
    // A loop around the statement may have run later ones in it before.
    const end = this.#ends[this.#enclosing(index, definition.block.length + 1)]!;
    for (let later = at + 1; later < definitions.length && definitions[later]!.index < end; later++) {
      this.#join(definition.variable, definitions[later]!.variable);
    }
    return definition.variable;
  }

  /** The statement around one, or itself, whose address has so many numbers. */
  #enclosing(index: number, length: number): number {
    let statement = this.#statements[index]!;
    while (statement.steps.length > length && statement.parent) statement = statement.parent;
    return statement.index - this.#first;
  }

  /** One variable of all definitions of a local. */
  #looseOf(local: number): Variable {
    const known = this.#loose.get(local);
    if (known !== undefined) return known;
    const variable = this.#new();
    this.#loose.set(local, variable);
    for (const definition of this.#definitions.get(local) ?? []) this.#join(variable, definition.variable);
    return variable;
  }

  #new(): Variable {
    return this.#joined.push(this.#joined.length) - 1;
  }

  #rootOf(variable: Variable): Variable {
    let root = variable;
    while (this.#joined[root] !== root) root = this.#joined[root] = this.#joined[this.#joined[root]!]!;
    return root;
  }

  #join(a: Variable, b: Variable): void {
    this.#joined[this.#rootOf(a)] = this.#rootOf(b);
  }
}

/** How many of the definitions stand before a statement. */
function before(definitions: readonly Definition[], index: number): number {
  let [low, high] = [0, definitions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (definitions[middle]!.index < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether each way to a statement comes by a definition. */
function isSeen({ block, behind }: Definition, steps: readonly number[]): boolean {
  return steps.length > block.length && steps[block.length]! > behind && block.every((step, i) => step === steps[i]);
}

function endsOf(statements: readonly AddressedStatement[]): Int32Array {
  const ends = new Int32Array(statements.length);
  const first = statements[0]?.index ?? 0;
  for (let i = statements.length - 1; i >= 0; i--) {
    if (ends[i]! <= i) ends[i] = i + 1;
    const parent = statements[i]!.parent;
    if (parent !== undefined) ends[parent.index - first] = Math.max(ends[parent.index - first]!, ends[i]!);
  }
  return ends;
}
