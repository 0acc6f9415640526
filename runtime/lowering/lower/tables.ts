import { fileNames, type Policy, type Stmt } from '../../../ir-schema/index.js';
import { internalized, pathKey, type Value } from '../../../values/index.js';
import { relations } from '../../operations/operators.js';
import type { Index, LoweredOperand } from '../lowered.js';

/** A statement, and the index of its place. */
export interface PlacedStatement {
  readonly stmt: Stmt;
  readonly place: Index;
}

/** The lists that lowered functions of one plan share and point into by index. */
export class Tables {
  readonly constants: Value[] = [];
  /** Names of the built-ins that are called. */
  readonly builtins: string[] = [];
  /** Paths into documents and elements. */
  readonly documentPaths: string[][] = [];
  /** File, row and column of statements, three numbers each. */
  readonly places: number[] = [0, 0, 0];
  /** The statement of each place; of several in a row, the one that may fail. */
  readonly placed: (Stmt | undefined)[] = [undefined];
  /** The numbers of functions, by name. */
  readonly functions: ReadonlyMap<string, Index>;
  /** For listings: `place` tells statements of one place apart, and these are their numbers. */
  readonly statements: PlacedStatement[] | undefined;
  readonly #constantIndexes = new Map<unknown, Index>();
  readonly #builtinIndexes = new Map<string, Index>();
  readonly #pathIndexes = new Map<string, Index>();

  readonly #files: readonly string[];

  constructor(policy: Policy, listsStatements = false) {
    this.#files = fileNames(policy);
    this.statements = listsStatements ? [] : undefined;
    this.functions = new Map((policy.funcs?.funcs ?? []).map(({ name }, i) => [name, i]));
  }

  constant(value: Value): Index {
    let index = this.#constantIndexes.get(value);
    if (index === undefined) {
      index = this.constants.push(value) - 1;
      this.#constantIndexes.set(value, index);
    }
    return index;
  }

  constantOperand(value: Value): LoweredOperand {
    return -1 - this.constant(value);
  }

  /** Whether a constant equals identical values only: numbers have more than one form. */
  isIdentity(index: Index): boolean {
    const value = this.constants[index];
    return typeof value === 'string' || typeof value === 'boolean' || value === null;
  }

  builtin(name: string): Index {
    let index = this.#builtinIndexes.get(name);
    if (index === undefined) {
      index = this.builtins.push(name) - 1;
      this.#builtinIndexes.set(name, index);
    }
    return index;
  }

  /** @param above a path for which this one is another than elsewhere */
  path(keys: readonly string[], above?: readonly string[]): Index {
    const key = above === undefined ? pathKey(keys) : `${pathKey(above)}*${pathKey(keys)}`;
    let index = this.#pathIndexes.get(key);
    if (index === undefined) {
      index = this.documentPaths.push(keys.map(internalized)) - 1;
      this.#pathIndexes.set(key, index);
    }
    return index;
  }

  /** The number of a statement's place, or in listings of the statement. */
  place(node: Stmt): Index {
    const place = this.#placeOf(node);
    if (this.statements === undefined) return place;
    if (this.statements.at(-1)?.stmt === node) return this.statements.length;
    return this.statements.push({ stmt: node, place });
  }

  /** `file:row` of a statement; undefined where its file has no name. */
  placeText({ stmt: { file, row } }: Stmt): string | undefined {
    const name = this.#files[file] ?? '';
    return name === '' ? undefined : `${name}:${row}`;
  }

  #placeOf(node: Stmt): Index {
    const { file, row, col } = node.stmt;
    // Statements of one expression follow each other.
    const last = this.places.length - 3;
    if (this.places[last] === file && this.places[last + 1] === row && this.places[last + 2] === col) {
      const before = this.placed[last / 3];
      if (before === node || !mayFail(node)) return last / 3;
      // An error tells them apart.
      if (before === undefined || !mayFail(before)) {
        this.placed[last / 3] = node;
        return last / 3;
      }
    }
    this.placed.push(node);
    return this.places.push(file, row, col) / 3 - 1;
  }
}

/** Whether a statement may end the evaluation for another reason than a limit. */
function mayFail({ type, stmt }: Stmt): boolean {
  switch (type) {
    case 'AssignVarOnceStmt':
    case 'CallDynamicStmt':
    case 'ObjectInsertOnceStmt':
    case 'WithStmt':
      return true;
    case 'CallStmt':
      return !relations.has(stmt.func);
    default:
      return false;
  }
}
