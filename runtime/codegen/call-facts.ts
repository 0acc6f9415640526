/** Where functions are called from: it decides where their results are remembered. */
import { type Block, blocksOf, type Policy } from '../../ir-schema/index.js';
import { blocksOfPart, type Index, innerBlocks, type LoweredBlock, type LoweredFunction } from '../lowering/lowered.js';

/** How often functions are called: by the number of a caller; `many` where it may be in a loop. */
type Callers = Map<Index, 1 | 'many'>;

export interface CallFacts {
  /**
   * The functions that one plan or other such function calls, at one place outside of loops;
   * several plans may call a function, since an evaluation runs one of them. Their results need
   * not be remembered.
   */
  readonly single: ReadonlySet<Index>;
  /** Functions that one function alone calls, which is a plan or such a function: that caller. */
  readonly onlyCallers: ReadonlyMap<Index, Index>;
  /** Functions that one place of the plan calls, which may be in a loop. */
  readonly placedOnce: ReadonlySet<Index>;
}

/** A call: its caller and the function. It may be made several times where it is in a loop. */
interface PlacedCall {
  readonly caller: Index;
  readonly func: Index;
  readonly isInLoop: boolean;
}

/**
 * @param functions of the program
 * @param placed the calls; undefined where any function may be called
 */
export function callFacts(
  functions: readonly Pick<LoweredFunction, 'kind'>[],
  placed: readonly PlacedCall[] | undefined,
): CallFacts {
  if (placed === undefined) return { single: new Set(), onlyCallers: new Map(), placedOnce: new Set() };
  const calls = new Map<Index, Callers>();
  const placedOnce = new Set<Index>();
  for (const { caller, func, isInLoop } of placed) {
    if (calls.has(func)) placedOnce.delete(func);
    else placedOnce.add(func);
    let callers = calls.get(func);
    if (callers === undefined) calls.set(func, (callers = new Map()));
    callers.set(caller, isInLoop || callers.has(caller) ? 'many' : 1);
  }
  const known = new Map<Index, boolean>();
  const isSingle = (func: Index): boolean => {
    // A chain of callers may be longer than the stack allows.
    const chain = new Set<Index>();
    let found: boolean | undefined;
    for (let at = func; found === undefined; ) {
      chain.add(at);
      const next = onlyCaller(functions, calls.get(at));
      if (typeof next === 'boolean') found = next;
      // A function that calls itself is called more than once.
      else if (chain.has(next)) found = false;
      else found = known.get((at = next));
    }
    for (const one of chain) known.set(one, found);
    return found;
  };
  const onlyCallers = new Map<Index, Index>();
  for (const [func, callers] of calls) {
    const [caller] = callers.keys();
    if (caller === undefined || callers.size > 1) continue;
    if (functions[caller]?.kind === 'plan' || isSingle(caller)) onlyCallers.set(func, caller);
  }
  return { single: new Set([...calls.keys()].filter(isSingle)), onlyCallers, placedOnce };
}

/** The only caller of a function, where that decides; otherwise whether it is called once. */
function onlyCaller(
  functions: readonly Pick<LoweredFunction, 'kind'>[],
  callers: Callers = new Map(),
): Index | boolean {
  if ([...callers.values()].some((count) => count !== 1)) return false;
  const [first] = callers.keys();
  if (first === undefined || [...callers.keys()].every((caller) => functions[caller]?.kind === 'plan')) return true;
  return callers.size === 1 && first;
}

/** The calls of lowered functions; undefined where one calls a function that it computes. */
export function loweredCalls(functions: readonly LoweredFunction[]): PlacedCall[] | undefined {
  const calls: PlacedCall[] = [];
  const visit = (block: LoweredBlock, caller: Index, isInLoop: boolean): boolean =>
    block.every((stmt) => {
      if (stmt.kind === 'callDynamic') return false;
      if (stmt.kind === 'call') calls.push({ caller, func: stmt.func, isInLoop });
      return innerBlocks(stmt).every((inner) => visit(inner, caller, isInLoop || stmt.kind === 'scan'));
    });
  const areKnown = functions.every(({ body }, caller) =>
    body.every((part) => blocksOfPart(part).every((block) => visit(block, caller, false))),
  );
  return areKnown ? calls : undefined;
}

/** The calls of a plan, whose functions may not be lowered: these make no other calls. */
export function plannedCalls({ funcs, plans }: Policy): PlacedCall[] | undefined {
  const functions = funcs?.funcs ?? [];
  const numbers = new Map(functions.map(({ name }, i) => [name, i]));
  const calls: PlacedCall[] = [];
  const visit = ({ stmts }: Block, caller: Index, isInLoop: boolean): boolean =>
    stmts.every((node) => {
      if (node.type === 'CallDynamicStmt') return false;
      const func = node.type === 'CallStmt' ? numbers.get(node.stmt.func) : undefined;
      if (func !== undefined) calls.push({ caller, func, isInLoop });
      return blocksOf(node).every((inner) => visit(inner, caller, isInLoop || node.type === 'ScanStmt'));
    });
  const bodies = [...functions, ...(plans?.plans ?? [])];
  const areKnown = bodies.every(({ blocks }, caller) => (blocks ?? []).every((block) => visit(block, caller, false)));
  return areKnown ? calls : undefined;
}
