import type { Block, Operand, Stmt } from '../../../ir-schema/index.js';
import { BaseLookups, blocksOf, isTextKey, LocalUses, madeLocals, mutatedBy } from '../../../ir-schema/index.js';
import type { Steps } from '../../../values/index.js';
import { localsWithAnyKeys } from './any-keys.js';
import { ArrayUses } from './array-uses.js';
import { type Escape, escapeOf } from './escape-analysis.js';
import type { PlanFacts } from './plan-facts.js';
import { SearchedPaths } from './searched-paths.js';

const statementsOfStep = 256;

const noLocals: ReadonlySet<number> = new Set();

/** Notes whether a block changes values in place, and whether keys of objects may be no strings. */
function lookFor(look: { mutates: boolean; variesKeys: boolean }, block: Block): void {
  for (const node of block.stmts) {
    look.mutates ||= mutatedBy(node) !== undefined;
    const inserts = node.type === 'ObjectInsertStmt' || node.type === 'ObjectInsertOnceStmt';
    look.variesKeys ||= inserts && node.stmt.key.type !== 'string_index';
    for (const inner of blocksOf(node)) lookFor(look, inner);
  }
}

/** The parts of a function or of a plan. */
export interface FunctionBody {
  /** The name of a function; undefined for a plan. */
  readonly name: string | undefined;
  readonly params: readonly number[];
  readonly blocks: readonly Block[];
}

/** Facts of a function, found before its statements are lowered. */
export class FunctionFacts {
  readonly plan: PlanFacts;
  /** The name of a function; undefined for a plan. */
  readonly name: string | undefined;
  readonly blocks: readonly Block[];
  readonly params: readonly number[];
  readonly uses: LocalUses;
  /** Locals whose objects may get keys other than strings. */
  readonly anyKeys: ReadonlySet<number>;
  /** Parameters that keep their value: look-ups below them need be done only once. */
  readonly roots: ReadonlySet<number>;
  /** The fact that holds for all values that the function mutates. */
  readonly mutations: Escape;
  /** Whether the function was analysed. Otherwise nothing is known that would save a statement. */
  readonly areKnown: boolean;
  #arrays: ArrayUses | undefined;
  #base: BaseLookups | undefined;
  #made: ReadonlySet<number> | undefined;
  #searchedInMade: SearchedPaths | undefined;

  /** In steps if the function is long: each analysis reads all of it. */
  static *over(body: FunctionBody, plan: PlanFacts): Steps<FunctionFacts> {
    const { params, blocks } = body;
    const uses = new LocalUses(blocks, params);
    const isLong = uses.positions.size > statementsOfStep;
    if (isLong) yield;
    const anyKeys = localsWithAnyKeys(blocks);
    if (isLong) yield;
    const mutations = escapeOf(blocks, params, uses.shared);
    if (isLong) yield;
    return new FunctionFacts(body, plan, { uses, anyKeys, mutations, areKnown: true });
  }

  /** The facts of a function that runs before it is worth an analysis. */
  static unknown(body: FunctionBody, plan: PlanFacts): FunctionFacts {
    const { blocks } = body;
    const look = { mutates: false, variesKeys: false };
    for (const block of blocks) lookFor(look, block);
    return new FunctionFacts(body, plan, {
      uses: LocalUses.unknown(),
      anyKeys: look.variesKeys ? localsWithAnyKeys(blocks) : noLocals,
      mutations: look.mutates ? 'unknown' : 'unescaped',
      areKnown: false,
    });
  }

  private constructor(
    { name, params, blocks }: FunctionBody,
    plan: PlanFacts,
    { uses, anyKeys, mutations, areKnown }: Pick<FunctionFacts, 'uses' | 'anyKeys' | 'mutations' | 'areKnown'>,
  ) {
    this.plan = plan;
    this.name = name;
    this.blocks = blocks;
    this.params = params;
    this.uses = uses;
    this.anyKeys = anyKeys;
    this.mutations = mutations;
    this.areKnown = areKnown;
    this.roots = new Set(params.filter((param) => uses.of(param).definitions === 0 && !this.isMutated(param)));
  }

  /** The uses of arrays, for an analysed function. */
  get arrays(): ArrayUses {
    return (this.#arrays ??= new ArrayUses(this.blocks, this.uses));
  }

  /** Locals that may hold a value that the function made. */
  get made(): ReadonlySet<number> {
    return (this.#made ??= madeLocals(this.blocks, { scanned: true }));
  }

  /** Whether a look-up is one in base documents, by a key that is a text there. */
  isBaseLookup(source: Operand, key: Operand): boolean {
    const { string } = this.plan;
    if (source.type !== 'local' || !isTextKey(key, string)) return false;
    this.#base ??= new BaseLookups(this.blocks, this.params[1], string);
    return this.#base.has(source.value);
  }

  /** The paths by which loops over values that the function made look for an element. */
  get searchedInMade(): SearchedPaths {
    if (this.#searchedInMade === undefined) {
      this.#searchedInMade = new SearchedPaths(this.plan.string);
      this.#searchedInMade.add(this.blocks, this.made);
    }
    return this.#searchedInMade;
  }

  isMutated(local: number): boolean {
    return this.uses.of(local).mutations > 0;
  }

  /** Whether a local is assigned once, not mutated, and a local of the current outermost block. */
  isFixed(local: number): boolean {
    return this.uses.isAssignedOnce(local) && !this.isMutated(local);
  }

  /** Whether a statement tests that a local is not false, and nothing else reads the local. */
  isOnlyTested(local: number, test: Stmt | undefined): boolean {
    if (test?.type !== 'NotEqualStmt') return false;
    const { a, b } = test.stmt;
    if (a.type !== 'local' || a.value !== local || b.type !== 'bool' || b.value) return false;
    const { firstRead, lastRead } = this.uses.of(local);
    const at = this.uses.positions.get(test);
    return firstRead === at && lastRead === at;
  }
}
