/** The calls between plans and functions, and their places. */
import type { AddressedOwner, AddressedStatement, Addresses, Operand, Policy } from '../../ir-schema/index.js';

export interface PlanCall {
  readonly caller: AddressedOwner;
  /** The function, or the name of a built-in. */
  readonly callee: AddressedOwner | string;
  /** Whether the path of the call is known only when it runs: it can reach this function. */
  readonly isDynamic: boolean;
  readonly stmt: AddressedStatement;
}

/** The calls of a policy. Linear in its size, times the functions that a dynamic call can reach. */
export class CallGraph {
  readonly calls: readonly PlanCall[];
  readonly #from: ReadonlyMap<AddressedOwner, readonly PlanCall[]>;
  readonly #to: ReadonlyMap<AddressedOwner | string, readonly PlanCall[]>;

  constructor(policy: Policy, addresses: Addresses) {
    this.calls = [...callsOf(policy, addresses)];
    this.#from = Map.groupBy(this.calls, ({ caller }) => caller);
    this.#to = Map.groupBy(this.calls, ({ callee }) => callee);
  }

  /** The functions and built-ins that are called, in the order of first calls. */
  get callees(): readonly (AddressedOwner | string)[] {
    return [...this.#to.keys()];
  }

  /** The calls in a plan or function, in order. */
  from(caller: AddressedOwner): readonly PlanCall[] {
    return this.#from.get(caller) ?? [];
  }

  /** The calls of a function or built-in. */
  to(callee: AddressedOwner | string): readonly PlanCall[] {
    return this.#to.get(callee) ?? [];
  }

  /** The functions that a plan or function calls, directly or not, in the order of first calls. */
  reachableFrom(owner: AddressedOwner): readonly AddressedOwner[] {
    return closure(
      this.from(owner),
      ({ callee }) => (typeof callee === 'string' ? undefined : callee),
      (next) => this.from(next),
    );
  }

  /** The plans and functions that call a function or built-in, directly or not. */
  callersOf(callee: AddressedOwner | string): readonly AddressedOwner[] {
    return closure(
      this.to(callee),
      ({ caller }) => caller,
      (next) => this.to(next),
    );
  }
}

/** The ends of calls, and those of the calls that go on from there, in the order of first calls. */
function closure(
  calls: readonly PlanCall[],
  endOf: (call: PlanCall) => AddressedOwner | undefined,
  next: (owner: AddressedOwner) => readonly PlanCall[],
): readonly AddressedOwner[] {
  const found = new Set<AddressedOwner>();
  const waiting = [calls];
  // A list that grows while it is walked.
  for (const some of waiting) {
    for (const call of some) {
      const end = endOf(call);
      if (end === undefined || found.has(end)) continue;
      found.add(end);
      waiting.push(next(end));
    }
  }
  return [...found];
}

function* callsOf(policy: Policy, addresses: Addresses): Generator<PlanCall> {
  const funcs = addresses.owners.filter(({ kind }) => kind === 'func');
  const byName = new Map<string, AddressedOwner>();
  // The first of several functions with one name, which is a fault, stands for it.
  for (const func of funcs) if (!byName.has(func.body.name)) byName.set(func.body.name, func);
  const byLength = Map.groupBy(funcs, ({ body }) => ('path' in body ? (body.path?.length ?? 0) : 0));
  for (const found of addresses) {
    const { owner: caller, stmt } = found;
    if (stmt.type === 'CallStmt') {
      yield { caller, callee: byName.get(stmt.stmt.func) ?? stmt.stmt.func, isDynamic: false, stmt: found };
    } else if (stmt.type === 'CallDynamicStmt') {
      const keys = stmt.stmt.path ?? [];
      for (const func of byLength.get(keys.length) ?? []) {
        if (mayCall(keys, func, policy)) yield { caller, callee: func, isDynamic: true, stmt: found };
      }
    }
  }
}

/** Whether a dynamic call can reach a path of its length: equal where its own is constant. */
function mayCall(keys: readonly Operand[], { body }: AddressedOwner, policy: Policy): boolean {
  const path = ('path' in body && body.path) || [];
  if (path.length === 0) return false;
  return keys.every(
    (key, i) =>
      key.type === 'local' || (key.type === 'string_index' && policy.static?.strings?.[key.value]?.value === path[i]),
  );
}
