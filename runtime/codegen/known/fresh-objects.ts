import type { LoweredOf, LoweredStmt, Register } from '../../lowering/lowered.js';

/** Objects with more keys may have a cached order of keys, which an insertion drops. */
const maxKeys = 16;

/**
 * Objects that the current block has made and that only it knows, with their keys: an insertion of
 * a constant key is an assignment.
 */
export class FreshObjects {
  readonly #keys = new Map<Register, Set<string>>();

  /** Nothing is known where blocks begin and end. */
  clear(): void {
    this.#keys.clear();
  }

  /** Whether an insertion of a constant key is the first of this key into a fresh object. */
  takes({ object }: LoweredOf<'objectInsert'>, key: unknown): key is string {
    const keys = this.#keys.get(object);
    if (keys === undefined || typeof key !== 'string' || key === '__proto__' || keys.has(key) || keys.size >= maxKeys)
      return false;
    keys.add(key);
    return true;
  }

  /** Called before each statement: an object that it reads is no longer fresh. */
  before(stmt: LoweredStmt): void {
    if (this.#keys.size === 0) return;
    const { kind: _, origin: __, ...fields } = stmt;
    if (stmt.kind === 'objectInsert' && stmt.object !== stmt.value && stmt.object !== stmt.key)
      delete (fields as { object?: Register }).object;
    for (const field of Object.values(fields).flat()) if (typeof field === 'number') this.#keys.delete(field);
  }

  /** Called after each statement. */
  after(stmt: LoweredStmt): void {
    if (stmt.kind === 'makeObject' && !stmt.anyKeys) this.#keys.set(stmt.target, new Set());
  }
}
