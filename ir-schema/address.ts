/**
 * Addresses of statements: `authz/allow/0.3.2` is the statement 2 inside statement 3 of block 0 of
 * the plan `authz/allow`. docs/plan.md specifies them.
 */

import type { Block, Func, Plan, Policy, Stmt } from './plan.js';
import { blocksOf } from './walk.js';

/** A plan or a function, with the name that the addresses of its statements begin with. */
export interface AddressedOwner {
  /** Its own name; `main#2` where an earlier plan or function has the name `main`. */
  readonly name: string;
  readonly kind: 'plan' | 'func';
  readonly body: Plan | Func;
  /** Its place among all plans and functions. */
  readonly index: number;
}

/** A statement of a plan or a function, and where it stands. */
export interface AddressedStatement {
  readonly address: string;
  readonly stmt: Stmt;
  readonly owner: AddressedOwner;
  /** Number of the block and statement, then down the nesting: the address without its owner. */
  readonly steps: readonly number[];
  /** The statement that it is nested in. */
  readonly parent: AddressedStatement | undefined;
  /** How many blocks are around it; 1 directly in a block of the owner. */
  readonly depth: number;
  /** Its place among all statements, in the order of the listing. */
  readonly index: number;
}

/**
 * The addresses of all statements of a policy, plans before functions, outer statements before
 * those inside them.
 * @example
 * const addresses = new Addresses(policy);
 * addresses.of(stmt); // 'authz/allow/0.3'
 * addresses.at('authz/allow/0.3')?.stmt;
 * for (const { address, stmt } of addresses) print(address, stmt.type);
 */
export class Addresses implements Iterable<AddressedStatement> {
  readonly owners: readonly AddressedOwner[];
  readonly #all: AddressedStatement[] = [];
  readonly #byStmt = new Map<Stmt, AddressedStatement>();
  readonly #byAddress = new Map<string, AddressedStatement>();
  readonly #byOwner = new Map<AddressedOwner | Plan | Func, readonly AddressedStatement[]>();

  constructor(policy: Policy) {
    this.owners = addressedOwners(policy);
    for (const owner of this.owners) {
      const start = this.#all.length;
      (owner.body.blocks ?? []).forEach((block, i) => {
        this.#addBlock(block, owner, [i], undefined, 1);
      });
      const statements = this.#all.slice(start);
      this.#byOwner.set(owner, statements);
      if (!this.#byOwner.has(owner.body)) this.#byOwner.set(owner.body, statements);
    }
  }

  get size(): number {
    return this.#all.length;
  }

  [Symbol.iterator](): Iterator<AddressedStatement> {
    return this.#all[Symbol.iterator]();
  }

  /**
   * The address of a statement of the policy: that of its first place, if one object stands at
   * several. Throws for a statement of another policy.
   */
  of(stmt: Stmt): string {
    const found = this.#byStmt.get(stmt);
    if (found === undefined) throw new Error('the statement is not in this policy');
    return found.address;
  }

  /** The statement with its place; undefined for a statement of another policy. */
  find(stmt: Stmt): AddressedStatement | undefined {
    return this.#byStmt.get(stmt);
  }

  /** The statement of an address. */
  at(address: string): AddressedStatement | undefined {
    return this.#byAddress.get(address);
  }

  /** The statement that a JSON pointer into the policy leads to, or into. */
  atPointer(pointer: string): AddressedStatement | undefined {
    const found = /^\/(plans|funcs)\/\1\/(\d+)\/blocks\/(\d+)\/stmts\/(\d+)(.*)$/s.exec(pointer);
    const owner = this.ownerAtPointer(pointer);
    if (found === null || owner === undefined) return undefined;
    const [, , , block, stmt, below = ''] = found;
    const steps = [block, stmt];
    for (const [, inner, next] of below.matchAll(/\/stmt\/block(?:s\/(\d+))?\/stmts\/(\d+)/g)) {
      steps.push(...(inner === undefined ? [] : [inner]), next);
    }
    return this.at(`${owner.name}/${steps.join('.')}`);
  }

  /** The plan or function that a JSON pointer into the policy leads to, or into. */
  ownerAtPointer(pointer: string): AddressedOwner | undefined {
    const found = /^\/(plans|funcs)\/\1\/(\d+)(?:\/|$)/.exec(pointer);
    if (found === null) return undefined;
    const kind = found[1] === 'plans' ? 'plan' : 'func';
    return this.owners.filter((owner) => owner.kind === kind)[Number(found[2])];
  }

  /** The statement by its place among all. */
  get(index: number): AddressedStatement | undefined {
    return this.#all[index];
  }

  /** The statements of a plan or a function, in order. */
  inside(owner: AddressedOwner | Plan | Func): readonly AddressedStatement[] {
    return this.#byOwner.get(owner) ?? [];
  }

  #addBlock(
    block: Block,
    owner: AddressedOwner,
    steps: readonly number[],
    parent: AddressedStatement | undefined,
    depth: number,
  ): void {
    block.stmts.forEach((stmt, i) => {
      const at = [...steps, i];
      const address = `${owner.name}/${at.join('.')}`;
      const added: AddressedStatement = { address, stmt, owner, steps: at, parent, depth, index: this.#all.length };
      this.#all.push(added);
      this.#byAddress.set(address, added);
      if (!this.#byStmt.has(stmt)) this.#byStmt.set(stmt, added);
      blocksOf(stmt).forEach((inner, j) => {
        this.#addBlock(inner, owner, hasNumberedBlocks(stmt) ? [...at, j] : at, added, depth + 1);
      });
    });
  }
}

/** Whether the number of a block inside a statement is a step: others have one block. */
export function hasNumberedBlocks(stmt: Stmt): boolean {
  return stmt.type === 'BlockStmt';
}

/** The parts of an address: the name of its plan or function, and the numbers. */
export function splitAddress(
  address: string,
): { readonly owner: string; readonly steps: readonly number[] } | undefined {
  const [, owner, numbers] = /^(.*)\/(\d+(?:\.\d+)+)$/s.exec(address) ?? [];
  if (owner === undefined || numbers === undefined) return undefined;
  return { owner, steps: numbers.split('.').map(Number) };
}

/** Plans and functions with names that differ, in the order of the policy. */
export function addressedOwners(policy: Policy): AddressedOwner[] {
  const bodies = [
    ...(policy.plans?.plans ?? []).map((body) => ({ kind: 'plan', body }) as const),
    ...(policy.funcs?.funcs ?? []).map((body) => ({ kind: 'func', body }) as const),
  ];
  const given = new Set(bodies.map(({ body }) => body.name));
  const taken = new Set<string>();
  return bodies.map(({ kind, body }, index) => {
    let name = body.name;
    // Only faulty plans have a name twice, but a plan and a function may share one.
    for (let n = 2; taken.has(name); n++) if (!given.has(`${body.name}#${n}`)) name = `${body.name}#${n}`;
    taken.add(name);
    return { name, kind, body, index };
  });
}
