/**
 * Finds scans that compare a value in their elements before they do anything else: `some e in
 * events; e.user == user`. Such a scan does nothing for elements with other values, so the matching
 * ones may be looked up in an index of the array.
 */
import { type Block, blocksOf, mutatedBy, type Operand, type Stmt } from '../../../ir-schema/index.js';
import { pathKey } from '../../../values/index.js';
import { CalledBodies, firstCalled } from '../facts/called-bodies.js';
import type { FunctionFacts } from '../facts/function-facts.js';
import { isIdle, isTestStatement, makesScalar, membersAsked, stepTarget } from '../facts/round-statements.js';
import type { Lookups } from './hoisted-lookups.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };
type Call = Stmt & { readonly type: 'CallStmt' };

/** Where a value is: in an element, or in a member of the collection at `above` in an element. */
interface Part {
  readonly above: readonly string[] | undefined;
  readonly path: readonly string[];
}

interface Match extends Part {
  /** The value to find: a constant, or a local that the scan does not change. */
  readonly wanted: Operand;
  /** Whether each member of that value is wanted. */
  readonly isMany: boolean;
}

interface IndexedScan {
  readonly match: Match;
  /** Another comparison of an element behind it, with a value that is no constant. */
  readonly second: Match | undefined;
  /** Statements of the block that compute the values, the same in each round. */
  readonly steps: readonly Stmt[];
  /** Paths without which no round gets to a call in `steps`, apart from those to the value. */
  readonly reached: readonly (readonly string[])[];
}

/**
 * A comparison in a scan's block with nothing before it but look-ups in the element, tests, and
 * computations that are the same in each round; else undefined. It may be in a scan of a part of
 * the element with which the block ends, or ask for a member of a part. Of several, the first one
 * with a value that is no constant: it tells more elements apart than `status == "active"`.
 */
export function indexedScan(scan: Scan, facts: FunctionFacts, lookups: Lookups): IndexedScan | undefined {
  const { key, value, block } = scan.stmt;
  if (block === null || key === value) return undefined;
  const search = new ComparisonSearch(scan, block, facts, lookups);
  search.read(block.stmts);
  return search.found();
}

/** Functions that call each other are read so often. */
const maxEntered = 4;

/** Reads the statements of a round in order, as far as they may come before a comparison. */
class ComparisonSearch {
  readonly #scan: Scan;
  readonly #block: Block;
  readonly #facts: FunctionFacts;
  readonly #lookups: Lookups;
  readonly #bodies = new CalledBodies();
  #entered = 0;
  /** The key of the innermost loop. */
  #key: number;
  /** Locals that hold the element or a part of it. */
  readonly #parts: Map<number, Part>;
  /** Locals that the statements so far write. */
  readonly #touched: number[];
  /** Statements that compute the same in each round, and the locals that they assign. */
  readonly #steps: Stmt[] = [];
  readonly #computed = new Set<number>();
  readonly #constants = new Set<number>();
  /** Arrays and objects that the steps make. */
  readonly #built = new Set<number>();
  /** Parts that are looked up before a call: no round gets to it without them. */
  readonly #beforeCall: Part[] = [];
  /** Whether an element may fail a test: then some calls behind it may never run. */
  #isTested = false;
  /** The first comparison with a constant, and the first two with other values. */
  #constant: Match | undefined;
  #first: Match | undefined;
  #second: Match | undefined;
  /** The first question whether a collection that is the same in each round has the value. */
  #many: Match | undefined;
  /** The number of steps before the comparisons. */
  #used = 0;
  /** The locals whose values the rounds change in place, once they are asked for. */
  #changed: ReadonlySet<number> | undefined;

  constructor(scan: Scan, block: Block, facts: FunctionFacts, lookups: Lookups) {
    const { key, value } = scan.stmt;
    this.#scan = scan;
    this.#block = block;
    this.#facts = facts;
    this.#lookups = lookups;
    this.#key = key;
    this.#parts = new Map([[value, { above: undefined, path: [] }]]);
    this.#touched = [key, value];
  }

  read(stmts: readonly Stmt[]): void {
    for (const [i, node] of stmts.entries()) {
      if (this.#second !== undefined) return;
      if (isIdle(node) || this.#followsElement(node) || this.#compares(node, stmts[i + 1]) || this.#tests(node))
        continue;
      if (node.type === 'ScanStmt') {
        if (i === stmts.length - 1) this.#enterLoop(node);
        return;
      }
      if (this.#builds(node)) continue;
      const target = stepTarget(node, this.#facts.plan, (operand) => this.#isUnchanged(operand));
      if (target === undefined) return this.#enterFunction(node);
      if (!this.#takeStep(node, target)) return;
    }
  }

  found(): IndexedScan | undefined {
    const match = this.#first ?? this.#many ?? this.#constant;
    if (match === undefined) return undefined;
    const steps = this.#steps.slice(0, this.#used);
    const hasCall = steps.some(({ type }) => type === 'CallStmt');
    return { match, second: this.#second, steps, reached: hasCall ? this.#reachedBefore(match) : [] };
  }

  /** Whether an operand has the same value in each round. */
  #isUnchanged(operand: Operand): boolean {
    if (operand.type !== 'local' || this.#computed.has(operand.value) || this.#lookups.hoisted.has(operand.value))
      return true;
    const { value: local } = operand;
    return (
      local > firstCalled && this.#facts.uses.keeps(local, this.#scan, this.#block) && !this.#isChangedInside(local)
    );
  }

  /** Whether a round may change the value of a local in place: it may have several names. */
  #isChangedInside(local: number): boolean {
    const { mutations, made } = this.#facts;
    const isUnaliased = mutations === 'unaliased';
    if (isUnaliased ? !this.#facts.isMutated(local) : !made.has(local)) return false;
    this.#changed ??= new Set(mutatedIn(this.#block));
    return isUnaliased ? this.#changed.has(local) : this.#changed.size > 0;
  }

  /** Whether a local is one of a round. Locals of functions that a round calls are. */
  #isInside(local: number): boolean {
    if (local <= firstCalled) return true;
    const { uses } = this.#facts;
    return uses.of(local).definitions === 1 && uses.readOnlyAfter(local, this.#scan, this.#block);
  }

  /** Notes a look-up in the element, or a copy of a part or of the key; false for others. */
  #followsElement({ type, stmt }: Stmt): boolean {
    if ((type !== 'AssignVarStmt' && type !== 'DotStmt') || stmt.source.type !== 'local') return false;
    const part = this.#parts.get(stmt.source.value);
    if (type === 'AssignVarStmt') {
      if (part === undefined && stmt.source.value !== this.#key) return false;
      if (part !== undefined) this.#parts.set(stmt.target, part);
    } else if (part === undefined || stmt.key.type !== 'string_index') return false;
    else
      this.#parts.set(stmt.target, {
        above: part.above,
        path: [...part.path, this.#facts.plan.string(stmt.key.value)],
      });
    this.#touched.push(stmt.target);
    return true;
  }

  /** Notes a comparison of a part, or a question for a member of one; false for others. */
  #compares(node: Stmt, next: Stmt | undefined): boolean {
    const member = node.type === 'CallStmt' ? this.#memberMatch(node, next) : undefined;
    if (node.type !== 'EqualStmt' && member === undefined) return false;
    const match = node.type === 'EqualStmt' ? this.#equalMatch(node.stmt.a, node.stmt.b) : member;
    this.#isTested = true;
    if (
      match !== undefined &&
      this.#isUnchanged(match.wanted) &&
      isIndexPath(match) &&
      this.#touched.every((local) => this.#isInside(local))
    )
      this.#take(match);
    return true;
  }

  #take(match: Match): void {
    const { wanted, above } = match;
    const isConstant = wanted.type !== 'local' || this.#constants.has(wanted.value);
    if (match.isMany) {
      if (this.#many !== undefined || isConstant) return;
      this.#many = match;
      this.#used = this.#steps.length;
      return;
    }
    const isLasting = this.#lookups.isData(this.#scan.stmt.source);
    const isLate = isConstant && (this.#constant !== undefined || (above !== undefined && !isLasting));
    if (isLate || (this.#first !== undefined && (isConstant || above !== undefined))) return;
    if (isConstant) this.#constant = match;
    else if (this.#first === undefined) this.#first = match;
    else this.#second = match;
    this.#used = this.#steps.length;
  }

  #equalMatch(a: Operand, b: Operand): Match | undefined {
    return this.#matchOf(a, b) ?? this.#matchOf(b, a);
  }

  /**
   * `wanted in element.members`, or `element.part in wanted`, if the next statement tests the
   * result.
   */
  #memberMatch(node: Call, test: Stmt | undefined): Match | undefined {
    const asked = membersAsked(node, test, this.#facts.plan);
    if (asked === undefined) return undefined;
    const { element, collection } = asked;
    const match = this.#matchOf(collection, element);
    const of = match ?? this.#matchOf(element, collection);
    if (of === undefined || of.above !== undefined || isBuilt(collection, this.#built)) return undefined;
    this.#touched.push(node.stmt.result);
    return match === undefined ? { ...of, isMany: true } : { ...of, above: of.path, path: [] };
  }

  #matchOf(element: Operand, wanted: Operand): Match | undefined {
    if (element.type !== 'local') return undefined;
    const part = this.#parts.get(element.value);
    if (part === undefined || (wanted.type === 'local' && this.#parts.has(wanted.value))) return undefined;
    return { ...part, wanted, isMany: false };
  }

  #tests(node: Stmt): boolean {
    if (!isTestStatement(node, this.#facts.plan, this.#touched)) return false;
    this.#isTested = true;
    return true;
  }

  /** Goes on in a loop over a part of the element. It may have no rounds. */
  #enterLoop({ stmt: { source, key, value, block } }: Scan): void {
    const part = this.#parts.get(source);
    if (part === undefined || part.above !== undefined || block === null || key === value) return;
    this.#parts.set(value, { above: part.path, path: [] });
    this.#touched.push(key, value);
    this.#isTested = true;
    this.#key = key;
    this.read(block.stmts);
  }

  /** Goes on in a function that is called: where it fails, the round does. */
  #enterFunction(node: Stmt): void {
    const called = node.type === 'CallStmt' ? this.#facts.plan.functions.get(node.stmt.func) : undefined;
    if (node.type !== 'CallStmt' || called === undefined || this.#entered === maxEntered) return;
    const body = this.#bodies.of(node.stmt.args ?? [], called);
    if (body === undefined) return;
    this.#entered++;
    this.#isTested = true;
    this.read(body);
  }

  /**
   * Notes a statement that makes an array, or an object with constant keys, of what is the same in
   * each round; false for others.
   */
  #builds(node: Stmt): boolean {
    if (node.type === 'MakeArrayStmt' || node.type === 'MakeObjectStmt') {
      this.#built.add(node.stmt.target);
      return this.#takeStep(node, node.stmt.target);
    }
    if (node.type !== 'ArrayAppendStmt' && node.type !== 'ObjectInsertStmt') return false;
    if (node.type === 'ObjectInsertStmt' && node.stmt.key.type !== 'string_index') return false;
    const into = node.type === 'ArrayAppendStmt' ? node.stmt.array : node.stmt.object;
    if (!this.#built.has(into) || !this.#isUnchanged(node.stmt.value)) return false;
    this.#steps.push(node);
    return true;
  }

  /** Notes a statement that computes the same in each round; false where it may never run. */
  #takeStep(node: Stmt, target: number): boolean {
    if (node.type === 'CallStmt' && !this.#isSilent(node)) {
      if (this.#isTested) return false;
      this.#beforeCall.push(...this.#parts.values());
    }
    this.#touched.push(target);
    this.#steps.push(node);
    this.#computed.add(target);
    if (makesScalar(node)) this.#constants.add(target);
    return true;
  }

  /** Whether a call may also run where no round gets to it. That of a function may take long. */
  #isSilent({ stmt: { func } }: Call): boolean {
    const { functions, silent } = this.#facts.plan;
    return !functions.has(func) && silent.has(func);
  }

  /** The paths that an element needs so that its round gets to the calls, but for a part's. */
  #reachedBefore({ above = [], path }: Part): readonly (readonly string[])[] {
    const whole = [...above, ...path];
    const reached = new Map<string, readonly string[]>();
    for (const part of this.#beforeCall) {
      if (!part.path.every((key, i) => key === whole[i])) reached.set(pathKey(part.path), part.path);
    }
    return [...reached.values()];
  }
}

/** The locals whose values the statements of a block change in place. */
function* mutatedIn({ stmts }: Block): Iterable<number> {
  for (const node of stmts) {
    const local = mutatedBy(node);
    if (local !== undefined) yield local;
    for (const inner of blocksOf(node)) yield* mutatedIn(inner);
  }
}

const isBuilt = (operand: Operand, built: ReadonlySet<number>) => operand.type === 'local' && built.has(operand.value);

function isIndexPath({ above = [], path }: Part): boolean {
  return !above.includes('__proto__') && !path.includes('__proto__');
}
