/**
 * Functions of a plan with all decisions made: the register of each local, the values that are
 * known, the look-ups before loops, the dispatch of rules, where loops end early, where values may
 * have escaped. A back end writes instructions or JavaScript from them without reading the plan.
 */

import type { OrderFree } from '../operations/any-order.js';
import type { DispatchConstant } from '../operations/dispatch-key.js';

/** A register of the function's frame. */
export type Register = number;

/** A register if not negative, else the constant `-1 - operand` of the tables. */
export type LoweredOperand = number;

/** An index into one of the lists of the tables. */
export type Index = number;

export interface LoweredFunction {
  readonly name: string;
  readonly kind: 'plan' | 'rule' | 'function';
  /** The rule's place in `data`, for dynamic calls. */
  readonly path: readonly string[] | undefined;
  /** Whether its result is kept with the base documents, see `passes/data-rules.ts`. */
  readonly isOfData: boolean;
  /** The parameters are in the first registers. */
  readonly params: number;
  readonly registers: number;
  /**
   * The first registers, parameters included, must be undefined at first. The others are written
   * before they are read.
   */
  readonly cleared: number;
  /** Where the function may mutate an escaped value: the register that tracks its own values. */
  readonly tracker: Register | undefined;
  /** Whether no results by its argument are remembered, see `passes/quick-functions.ts`. */
  readonly isQuick: boolean;
  readonly body: readonly (OutermostBlock | Dispatch)[];
}

export interface OutermostBlock {
  readonly kind: 'block';
  readonly block: LoweredBlock;
}

/**
 * Rules that first compare one value with different constants: only those of its constant run. None
 * does where there is no value.
 */
export interface Dispatch {
  readonly kind: 'dispatch';
  readonly origin: Index;
  /** Three registers: the rules to run, the next of them, the value. */
  readonly iterator: Register;
  /** A parameter. */
  readonly root: Register;
  /** Constants: the value's path below the root. */
  readonly path: readonly Index[];
  readonly rules: readonly DispatchedRule[];
}

interface DispatchedRule {
  readonly constant: DispatchConstant;
  readonly blocks: readonly LoweredBlock[];
}

/** A statement that is undefined cuts its block short; a block of a `with` or a `not` too. */
export type LoweredBlock = readonly LoweredStmt[];

/** The index of an array that a scan may use instead of trying each element. */
export interface ScanIndex {
  /** Where in an element the value is, or in a member of a collection in the element. */
  readonly path: Index;
  /** Where in an element that collection is. The path is of this one only. */
  readonly above: Index | undefined;
  /** Constant: the paths that the first element needs so that its round gets to calls ahead. */
  readonly reached: Index | undefined;
  /** Undefined where no round gets past the comparison. */
  readonly wanted: LoweredOperand;
  /** Whether each member of the wanted value is wanted. */
  readonly isMany: boolean;
  /** Another comparison, for which the elements that have the wanted value are indexed. */
  readonly second: { readonly path: Index; readonly wanted: LoweredOperand } | undefined;
  /** Groups of the elements that have the wanted value, if there is no second comparison. */
  readonly groups: ScanGroups | undefined;
  /** Whether the array is part of the base documents, so that the index outlasts the evaluation. */
  readonly lasting: boolean;
  /** Whether an object has an index too: the function does not write into it. Sets have one. */
  readonly ofObjects: boolean;
  /** Holds the index while `ahead` runs. */
  readonly found: Register;
  /** Computes the wanted value as each round does, where some round would. */
  readonly ahead: LoweredBlock;
}

/**
 * A scan whose rounds depend on the value at a path only may visit the first element of each
 * value, if all elements have a scalar there.
 */
export interface ScanGroups {
  readonly path: Index;
  /** Whether the array is part of the base documents. */
  readonly lasting: boolean;
  /** The register of `newRounds`, which compares the rounds otherwise. */
  readonly rounds: Register | undefined;
}

/** The fields by kind of statement: its own, not those of blocks inside. */
interface Fields {
  move: { target: Register; source: LoweredOperand };
  /** `exits`: it gives the outermost block its one result, and the block may end. */
  moveOnce: { target: Register; source: LoweredOperand; exits: boolean };
  /** A conflict whose text the plan gives: the evaluation ends. */
  raise: { text: Index };
  reset: { target: Register };
  makeArray: { target: Register };
  /** `anyKeys`: keys may be other than strings. */
  makeObject: { target: Register; anyKeys: boolean };
  makeSet: { target: Register };
  arrayAppend: { array: Register; value: LoweredOperand };
  setAdd: { set: Register; value: LoweredOperand };
  /** `once`: another value for the same key is a conflict. */
  objectInsert: { object: Register; key: LoweredOperand; value: LoweredOperand; once: boolean };
  objectMerge: { target: Register; a: Register; b: Register };
  /** The tracker knows a value that the function has just made. */
  track: { tracker: Register; made: Register; anyKeys: boolean };
  /** The value is seen by others from now on. */
  escape: { tracker: Register; value: Register };
  copyIfEscaped: { tracker: Register; changed: Register; anyKeys: boolean };
  /** `isBase`: in base documents, whose keys are texts. */
  dot: { target: Register; source: LoweredOperand; key: LoweredOperand; isBase: boolean };
  /** The key is a constant string other than `__proto__`. */
  dotConst: { target: Register; source: LoweredOperand; key: Index };
  /** A look-up before the loop that needs it: undefined cuts nothing short. */
  dotAhead: { target: Register; source: Register; key: Index };
  equal: { a: LoweredOperand; b: LoweredOperand };
  notEqual: { a: LoweredOperand; b: LoweredOperand };
  /** The constant equals nothing but itself: no number, no collection. */
  equalConst: { a: Register; b: Index };
  notEqualConst: { a: Register; b: Index };
  isArray: { source: LoweredOperand };
  isObject: { source: LoweredOperand };
  isSet: { source: LoweredOperand };
  isDefined: { source: Register };
  isUndefined: { source: Register };
  len: { target: Register; source: LoweredOperand };
  /** A function of the plan, by its number. */
  call: { func: Index; result: Register; args: readonly LoweredOperand[] };
  callDynamic: { result: Register; path: readonly LoweredOperand[]; args: readonly LoweredOperand[] };
  builtin: { builtin: Index; result: Register; args: readonly LoweredOperand[] };
  /** Relations and operators as in `operations/operators.ts`. */
  compare: { result: Register; relation: number; a: LoweredOperand; b: LoweredOperand };
  /** A comparison whose result is only tested. */
  compareTest: { relation: number; a: LoweredOperand; b: LoweredOperand };
  /** `lasting`: the collection is part of the base documents. */
  member: { element: LoweredOperand; collection: LoweredOperand; lasting: boolean };
  /** The built-in computes all but safe integers. */
  arithmetic: { builtin: Index; result: Register; operator: number; a: LoweredOperand; b: LoweredOperand };
  /** Before a loop: no round has run yet. */
  /** `paths`: those of the `distinctRound`s that read it. */
  newRounds: { target: Register; source: Register; paths: Index };
  /** Cuts a round short that would repeat an earlier one. `paths`: a list of lists of keys. */
  distinctRound: { rounds: Register; element: Register; paths: Index };
  /**
   * Before a round adds a value: one for which the order of rounds matters starts the loop again
   * and empties the array. `free`: of the loop. `unless`: values for which it does not matter.
   */
  inOrder: { free: Register; value: LoweredOperand; unless: OrderFree; array: Register | undefined };
  resultAdd: { value: Register };
  /** `withs`: how many `with` it leaves. */
  return: { source: Register; withs: number };
  /** Cuts the enclosing block `index` short, 0 is its own. */
  break: { index: number; withs: number };
  /** Cuts the block short unless errors of built-ins are reported: later rounds might have some. */
  endLoop: { index: number };
  blocks: { blocks: readonly LoweredBlock[] };
  not: { block: LoweredBlock };
  with: { register: Register; path: Index; value: LoweredOperand; block: LoweredBlock };
  /**
   * `iterator`: three registers. `copied`: rounds may make the array longer, so walk a copy.
   * `anyOrder`: members of a set may come in any order where no errors of built-ins are looked for.
   * `free`: they may come so until an `inOrder` writes true into this register, which is false once
   * they do; `restarts`: such a statement starts this loop again. `ahead` runs before the rounds.
   * `weight`: counts against the limit of instructions in each round.
   */
  scan: {
    iterator: Register;
    source: Register;
    copied: boolean;
    anyOrder: boolean;
    free: Register | undefined;
    restarts: boolean;
    ahead: LoweredBlock;
    index: ScanIndex | undefined;
    /** Undefined where it has an index. */
    groups: ScanGroups | undefined;
    key: Register;
    value: Register;
    weight: number;
    block: LoweredBlock;
  };
}

type Kind = keyof Fields;

/** A statement; `origin` is the index of its place in the source. */
export type LoweredStmt = {
  readonly [K in Kind]: { readonly kind: K; readonly origin: Index } & Readonly<Fields[K]>;
}[Kind];

export type LoweredOf<K extends Kind> = LoweredStmt & { readonly kind: K };

/** The blocks inside a statement. */
export function innerBlocks(stmt: LoweredStmt): readonly LoweredBlock[] {
  switch (stmt.kind) {
    case 'blocks':
      return stmt.blocks;
    case 'not':
    case 'with':
      return [stmt.block];
    case 'scan':
      return stmt.index === undefined ? [stmt.ahead, stmt.block] : [stmt.ahead, stmt.index.ahead, stmt.block];
    default:
      return [];
  }
}

/** Whether statements before a loop may have an error of a built-in, which no round may have. */
export function mayFailAhead({ ahead }: ScanIndex): boolean {
  return ahead.some(({ kind }) => kind === 'builtin' || kind === 'call' || kind === 'arithmetic');
}

/** The outermost blocks of a function. */
export function outermostBlocks({ body }: Pick<LoweredFunction, 'body'>): readonly LoweredBlock[] {
  return body.flatMap(blocksOfPart);
}

/** The outermost blocks of a part of a function's body. */
export function blocksOfPart(part: LoweredFunction['body'][number]): readonly LoweredBlock[] {
  return part.kind === 'block' ? [part.block] : part.rules.flatMap(({ blocks }) => blocks);
}

/**
 * The constant that a rule returns if it does nothing else: `limits["basic"] := 10`. A dynamic call
 * of it is a look-up.
 */
export function constantResult({ kind, body }: LoweredFunction): LoweredOperand | undefined {
  const [assigning, returning, ...more] = body;
  if (kind !== 'rule' || assigning?.kind !== 'block' || returning?.kind !== 'block' || more.length > 0)
    return undefined;
  const [assigned, ...others] = assigning.block;
  const [returned] = returning.block;
  if (others.length > 0 || assigned?.kind !== 'moveOnce' || assigned.source >= 0) return undefined;
  return returned?.kind === 'return' && returned.source === assigned.target ? assigned.source : undefined;
}
