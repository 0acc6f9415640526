/** Counts and times the statements of a plan, and the calls around them. */

import type { AddressedOwner, AddressedStatement, Addresses, Func, Plan, Stmt } from '../../ir-schema/index.js';
import { blocksOf } from '../../ir-schema/index.js';
import { lengthOf, type ReadLocals, type StatementObserver } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';

/** The numbers of a statement. Times are in milliseconds. */
export class StatementCounts {
  /** How often it began, passed, and failed. */
  count = 0;
  passed = 0;
  failed = 0;
  /** Calls that ran a function; the others had a remembered or constant result. */
  entered = 0;
  /** Elements of a loop without statements. */
  elements = 0;
  /** The time without and with the statements that ran meanwhile. */
  time = 0;
  totalTime = 0;
}

/** The calls of a plan or function from one place. */
export interface CallNode {
  readonly owner: AddressedOwner;
  /** Undefined for the plan, and for calls by many ways: see `maxNodes`. */
  readonly caller: AddressedStatement | undefined;
  readonly calls: CallNode[];
  /** The time of its own statements; some are left out where there are very many. */
  readonly statements: Map<AddressedStatement, number>;
  count: number;
  /** The time of its own statements. */
  time: number;
  totalTime: number;
}

interface OpenStatement {
  readonly counts: StatementCounts;
  readonly statement: AddressedStatement;
  readonly since: number;
}

interface OpenCall {
  readonly node: CallNode;
  readonly since: number;
  readonly open: OpenStatement[];
}

/** Times of statements by way to them. */
const maxEntries = 200_000;

/** Ways to a function that are told apart; calls by further ones are in one node by function. */
const maxNodes = 50_000;

export class StatementProfile implements StatementObserver {
  readonly counts = new Map<AddressedStatement, StatementCounts>();
  readonly roots: CallNode[] = [];
  readonly #addresses: Addresses;
  readonly #owners: ReadonlyMap<Plan | Func, AddressedOwner>;
  readonly #now: () => number;
  readonly #calls: OpenCall[] = [];
  readonly #further = new Map<AddressedOwner, CallNode>();
  #nodes = 0;
  #entries = 0;
  #since: number;

  constructor(addresses: Addresses, now: () => number = () => performance.now()) {
    this.#addresses = addresses;
    this.#owners = new Map(addresses.owners.toReversed().map((owner) => [owner.body, owner]));
    this.#now = now;
    this.#since = now();
  }

  /** Milliseconds of the plans. */
  get time(): number {
    return this.roots.reduce((sum, { owner, totalTime }) => (owner.kind === 'plan' ? sum + totalTime : sum), 0);
  }

  enter(body: Plan | Func): void {
    const now = this.#spend();
    const caller = this.#calls.at(-1);
    const from = caller?.open.at(-1);
    if (from !== undefined) from.counts.entered++;
    // The body is one of the policy.
    const node = this.#nodeOf(this.#owners.get(body)!, caller?.node, from?.statement);
    node.count++;
    this.#calls.push({ node, since: now, open: [] });
    this.resume();
  }

  exit(): void {
    const now = this.#spend();
    const { node, since } = this.#call;
    this.#calls.pop();
    node.totalTime += now - since;
    this.resume();
  }

  before(stmt: Stmt, locals: ReadLocals): void {
    const now = this.#spend();
    // It is one of the policy.
    const statement = this.#addresses.find(stmt)!;
    let counts = this.counts.get(statement);
    if (counts === undefined) this.counts.set(statement, (counts = new StatementCounts()));
    counts.count++;
    if (stmt.type === 'ScanStmt' && !blocksOf(stmt)[0]?.stmts.length)
      counts.elements += elementsIn(locals.get(stmt.stmt.source));
    this.#call.open.push({ counts, statement, since: now });
    this.resume();
  }

  passed(): void {
    this.#end().passed++;
    this.resume();
  }

  ended(_stmt: Stmt, how: 'failed' | 'left'): void {
    const counts = this.#end();
    if (how === 'failed') counts.failed++;
    this.resume();
  }

  /** The time until now is nobody's. */
  resume(): void {
    this.#since = this.#now();
  }

  /** Ends what an error left open. */
  close(): void {
    while (this.#calls.length > 0) {
      while (this.#call.open.length > 0) this.#end();
      this.exit();
    }
  }

  /** The innermost call: a plan is entered before anything in it is told. */
  get #call(): OpenCall {
    return this.#calls.at(-1)!;
  }

  #end(): StatementCounts {
    const now = this.#spend();
    // It was told before that the statement begins.
    const { counts, since } = this.#call.open.pop()!;
    counts.totalTime += now - since;
    return counts;
  }

  /** The time since the last event is that of the innermost open statement. */
  #spend(): number {
    const now = this.#now();
    const call = this.#calls.at(-1);
    if (call === undefined) return now;
    const time = now - this.#since;
    call.node.time += time;
    const open = call.open.at(-1);
    if (open === undefined) return now;
    open.counts.time += time;
    const { statements } = call.node;
    const known = statements.get(open.statement);
    if (known !== undefined || this.#entries++ < maxEntries) statements.set(open.statement, (known ?? 0) + time);
    return now;
  }

  #nodeOf(owner: AddressedOwner, above: CallNode | undefined, caller: AddressedStatement | undefined): CallNode {
    const siblings = above?.calls ?? this.roots;
    const known = siblings.find((node) => node.owner === owner && node.caller === caller);
    if (known !== undefined) return known;
    if (this.#nodes++ >= maxNodes) return this.#furtherNode(owner);
    const node: CallNode = { owner, caller, calls: [], statements: new Map(), count: 0, time: 0, totalTime: 0 };
    siblings.push(node);
    return node;
  }

  #furtherNode(owner: AddressedOwner): CallNode {
    let node = this.#further.get(owner);
    if (node === undefined) {
      node = { owner, caller: undefined, calls: [], statements: new Map(), count: 0, time: 0, totalTime: 0 };
      this.#further.set(owner, node);
      this.roots.push(node);
    }
    return node;
  }
}

/** Strings have a length, and no elements. */
function elementsIn(value: Value | undefined): number {
  return typeof value === 'object' ? (lengthOf(value) ?? 0) : 0;
}
