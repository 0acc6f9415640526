import type { Stmt } from '../../../ir-schema/index.js';
import { segmentKey } from '../../../values/index.js';
import type { FunctionFacts } from '../facts/function-facts.js';
import type { Register } from '../lowered.js';

/** A register that holds the value at a path below a parameter. */
interface Available {
  readonly register: Register;
  /** It was looked up before its use and may be undefined. */
  readonly ahead: boolean;
}

/** The parts of parameters and documents that locals of an outermost block hold. */
export class Lookups {
  readonly #facts: FunctionFacts;
  /** The path below a parameter by local, as a text. */
  readonly #paths = new Map<number, string>();
  /** Registers by path. Scoped to the block where it was looked up. */
  readonly #available = new Map<string, Available>();
  /** Earlier entries of paths, the last change last: `forget` restores them. */
  readonly #before: (readonly [path: string, known: Available | undefined])[] = [];
  /** Registers of locals whose value was looked up before the loop that they stand in. */
  readonly hoisted = new Map<number, Register>();
  /** Scans whose look-ups were considered for hoisting. */
  readonly searched = new Set<Stmt>();
  /** Locals that hold a part of the base documents. */
  readonly #data = new Set<number>();

  constructor(facts: FunctionFacts) {
    this.#facts = facts;
  }

  /** Begins an outermost block. */
  enter(): void {
    // Most blocks use few of them, and an empty one costs as much to clear as a full one.
    if (this.#paths.size > 0) this.#paths.clear();
    if (this.#available.size > 0) this.#available.clear();
    if (this.hoisted.size > 0) this.hoisted.clear();
    if (this.searched.size > 0) this.searched.clear();
    if (this.#data.size > 0) this.#data.clear();
    this.#before.length = 0;
  }

  /** The register of a path below a parameter, if it was looked up. */
  available(path: string): Available | undefined {
    return this.#available.get(path);
  }

  setAvailable(path: string, known: Available): void {
    this.#before.push([path, this.#available.get(path)]);
    this.#available.set(path, known);
  }

  /** Begins a block; answers a mark, for `forget`. */
  mark(): number {
    return this.#before.length;
  }

  /** Ends a block: its look-ups are known inside it only. */
  forget(mark: number): void {
    while (this.#before.length > mark) {
      const [path, known] = this.#before.pop()!;
      if (known === undefined) this.#available.delete(path);
      else this.#available.set(path, known);
    }
  }

  /** The path below a parameter that a local is known to hold, as a text. */
  pathOf(local: number): string | undefined {
    return this.#facts.roots.has(local) ? `${local}/` : this.#paths.get(local);
  }

  setPath(local: number, path: string | undefined): void {
    if (path !== undefined) this.#paths.set(local, path);
  }

  /** Whether a local holds a part of the base documents, which outlast the evaluation. */
  isData(local: number): boolean {
    const { params, roots } = this.#facts;
    return this.#data.has(local) || (local === params[1] && roots.has(local));
  }

  /** Notes that a local holds the value of another, or a part of it. */
  follow(source: number, target: number): void {
    if (this.isData(source) && this.#facts.uses.isAssignedOnce(target)) this.#data.add(target);
  }
}

/** The text of a path one step down. */
export function pathBelow(path: string, key: string): string {
  return `${path}${segmentKey(key)}`;
}

/** The one name that a plain property look-up gets wrong, although it is a string. */
export const protoName = '__proto__';

/**
 * Hoists out of a loop, and of the loops in it, the look-ups below parameters that each round would
 * repeat.
 * @param lookUp looks up a name in a local, which holds the part of a parameter at a path; answers
 * the register of the result
 */
export function hoistLookups(
  scan: Stmt & { readonly type: 'ScanStmt' },
  facts: FunctionFacts,
  lookups: Lookups,
  lookUp: (above: string, source: number, name: string) => Register,
): void {
  if (lookups.searched.has(scan)) return;
  lookups.searched.add(scan);
  for (const node of scan.stmt.block?.stmts ?? []) {
    if (node.type === 'ScanStmt') hoistLookups(node, facts, lookups, lookUp);
    if (node.type !== 'DotStmt') continue;
    const { source, key, target } = node.stmt;
    if (source.type !== 'local' || key.type !== 'string_index' || !facts.isFixed(target)) continue;
    const above = lookups.pathOf(source.value);
    const name = facts.plan.string(key.value);
    if (above === undefined || name === protoName || facts.isBaseLookup(source, key)) continue;
    const path = pathBelow(above, name);
    lookups.setPath(target, path);
    const known = lookups.available(path) ?? { register: lookUp(above, source.value, name), ahead: true };
    if (lookups.available(path) === undefined) lookups.setAvailable(path, known);
    lookups.hoisted.set(target, known.register);
  }
}
