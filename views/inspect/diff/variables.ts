/**
 * The variables of a plan or function: a local is several where statements give its number to one
 * value after the other. Plans that differ in the numbers only have the same variables.
 */

import { type AddressedStatement, effectsOf } from '../../../ir-schema/index.js';
import { countWhile } from '../../../values/index.js';

/** A variable; one with another if a statement may read either of them. */
export class Variable {
  #same: Variable | undefined;

  /** The variable that stands for all that are the same as this one. */
  get root(): Variable {
    let root: Variable = this;
    for (let next = root.#same; next !== undefined; next = root.#same) {
      // Shortens the way for the next time.
      if (next.#same !== undefined) root.#same = next.#same;
      root = next;
    }
    return root;
  }

  join(other: Variable): void {
    const [root, same] = [this.root, other.root];
    if (root !== same) root.#same = same;
  }
}

/** A place where a local gets a value that each later statement of some block sees. */
interface Definition {
  readonly variable: Variable;
  /** The place of its statement among all; that of parameters is before them. */
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

/** The variables of a statement, in the order of its fields. */
export interface StatementVariables {
  readonly statement: AddressedStatement;
  readonly reads: readonly Variable[];
  readonly writes: readonly Variable[];
}

/** The variables of parameters, and those that each statement reads and then writes. */
export class BodyVariables {
  readonly params: readonly Variable[];
  readonly statements: readonly StatementVariables[];
  /** The index behind the last statement inside each statement. */
  readonly #ends: ReadonlyMap<AddressedStatement, number>;
  readonly #definitions = new Map<number, Definition[]>();
  /** Variables of locals that are read where no definition is known. */
  readonly #loose = new Map<number, Variable>();

  constructor({ params, statements }: Body) {
    this.#ends = endsOf(statements);
    const start = params.map((param) => this.#add(param, { index: -1, block: [], behind: -1 }));
    const defined = statements.map((statement) => {
      const { reads, writes } = effectsOf(statement.stmt);
      const written = writes.map((local) => ({ local, variable: this.#define(local, statement) }));
      return { statement, reads, written };
    });
    // A read is of all definitions that may run before it, those of later statements too.
    const found = defined.map(({ statement, reads, written }) => {
      const { type } = statement.stmt;
      // A variable that it sets once, or for the time of its block, stays the same.
      if (type === 'AssignVarOnceStmt' || type === 'WithStmt')
        for (const { local, variable } of written) variable.join(this.#read(local, statement));
      const variables = reads.map((local) => this.#read(local, statement));
      return { statement, reads: variables, writes: written.map(({ variable }) => variable) };
    });
    this.statements = found.map(({ statement, reads, writes }) => ({
      statement,
      reads: rootsOf(reads),
      writes: rootsOf(writes),
    }));
    this.params = rootsOf(start);
  }

  #define(local: number, { steps, stmt, index }: AddressedStatement): Variable {
    // The elements of a scan are known inside it.
    if (stmt.type === 'ScanStmt') return this.#add(local, { index, block: steps, behind: -1 });
    return this.#add(local, { index, block: steps.slice(0, -1), behind: steps.at(-1) ?? -1 });
  }

  #add(local: number, place: Omit<Definition, 'variable'>): Variable {
    const definition = { ...place, variable: new Variable() };
    const known = this.#definitions.get(local);
    if (known === undefined) this.#definitions.set(local, [definition]);
    else known.push(definition);
    return definition.variable;
  }

  /**
   * The variable that a statement reads: that of the last definition that runs before it in all
   * cases, one with those of all that may run in between.
   */
  #read(local: number, statement: AddressedStatement): Variable {
    const definitions = this.#definitions.get(local) ?? [];
    let at = countBefore(definitions, statement.index);
    let definition: Definition | undefined;
    do definition = definitions[--at];
    while (definition !== undefined && !isSeen(definition, statement.steps));
    if (definition === undefined) return this.#looseOf(local);
    // A loop around the statement may have run later ones in it before.
    const end = this.#ends.get(enclosing(statement, definition.block.length + 1)) ?? 0;
    for (let later = definitions[++at]; later !== undefined && later.index < end; later = definitions[++at]) {
      definition.variable.join(later.variable);
    }
    return definition.variable;
  }

  /** One variable of all definitions of a local. */
  #looseOf(local: number): Variable {
    const known = this.#loose.get(local);
    if (known !== undefined) return known;
    const variable = new Variable();
    this.#loose.set(local, variable);
    for (const definition of this.#definitions.get(local) ?? []) variable.join(definition.variable);
    return variable;
  }
}

function rootsOf(variables: readonly Variable[]): readonly Variable[] {
  return variables.map(({ root }) => root);
}

/** How many of the definitions, which are in order, stand before a statement. */
function countBefore(definitions: readonly Definition[], index: number): number {
  return countWhile(definitions, (definition) => definition.index < index);
}

/** Whether each way to a statement comes by a definition. */
function isSeen({ block, behind }: Definition, steps: readonly number[]): boolean {
  const step = steps[block.length];
  return step !== undefined && step > behind && block.every((own, i) => own === steps[i]);
}

/** The statement around one, or itself, whose address has `length` numbers. */
function enclosing(statement: AddressedStatement, length: number): AddressedStatement {
  let outer = statement;
  while (outer.steps.length > length && outer.parent) outer = outer.parent;
  return outer;
}

function endsOf(statements: readonly AddressedStatement[]): Map<AddressedStatement, number> {
  const ends = new Map<AddressedStatement, number>();
  // In reverse order, the first statement that is met inside another is the last one inside it.
  for (const statement of statements.toReversed()) {
    const end = ends.get(statement) ?? statement.index + 1;
    ends.set(statement, end);
    const { parent } = statement;
    if (parent !== undefined && !ends.has(parent)) ends.set(parent, end);
  }
  return ends;
}
