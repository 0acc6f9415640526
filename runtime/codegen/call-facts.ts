/** Where functions are called from: it decides where their results are remembered. */
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
}

export function callFacts(functions: readonly LoweredFunction[]): CallFacts {
  const calls = new Map<Index, Callers>();
  for (const [caller, func] of functions.entries())
    if (!note(func, caller, calls)) return { single: new Set(), onlyCallers: new Map() };
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
  return { single: new Set([...calls.keys()].filter(isSingle)), onlyCallers };
}

/** The only caller of a function, where that decides; otherwise whether it is called once. */
function onlyCaller(functions: readonly LoweredFunction[], callers: Callers = new Map()): Index | boolean {
  if ([...callers.values()].some((count) => count !== 1)) return false;
  const [first] = callers.keys();
  if (first === undefined || [...callers.keys()].every((caller) => functions[caller]?.kind === 'plan')) return true;
  return callers.size === 1 && first;
}

/** Notes the calls of a function; false where it may call any. */
function note({ body }: LoweredFunction, caller: Index, calls: Map<Index, Callers>): boolean {
  const visit = (block: LoweredBlock, isInLoop: boolean): boolean =>
    block.every((stmt) => {
      if (stmt.kind === 'callDynamic') return false;
      if (stmt.kind === 'call') {
        let callers = calls.get(stmt.func);
        if (callers === undefined) calls.set(stmt.func, (callers = new Map()));
        callers.set(caller, isInLoop || callers.has(caller) ? 'many' : 1);
      }
      return innerBlocks(stmt).every((inner) => visit(inner, isInLoop || stmt.kind === 'scan'));
    });
  return body.every((part) => {
    return blocksOfPart(part).every((block) => visit(block, false));
  });
}
