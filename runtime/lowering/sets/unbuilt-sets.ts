/**
 * Sets and arrays that a rule makes, and that other rules only walk or ask for one member:
 * `some grant in user_grants; …`. The body that finds the members runs in place of the loop, and
 * does in it what a round does. Nothing is collected, compared or sorted, and the search ends with
 * the first member that suffices.
 */
import type { Block, Func, Policy, Stmt } from '../../../ir-schema/plan.js';
import type { Steps } from '../../../values/steps.js';
import type { SilentCalls } from '../calls/silent-calls.js';
import { SearchWriter } from './search-writer.js';
import { type SetMaker, setMaker } from './set-makers.js';
import { type Owner, type SetUse, setUses } from './set-uses.js';
import { eachStatement, Uses } from './uses.js';

/** A body may search so often for the members that it made once before. */
const mostSearches = 2;

/** Searches in searches nest so deeply at most. */
const mostNested = 3;

/** Most statements of a search, and of all that it does for the members that it finds. */
const mostStatements = 300;

export class UnbuiltSets {
  readonly #silent: SilentCalls;
  readonly #loopEnds: Map<Stmt, number>;
  readonly #makers = new Map<string, SetMaker>();
  /** By maker: the bodies that call it, each as often as it does. */
  readonly #callers = new Map<string, Owner[]>();
  /** By body: its calls of makers. */
  readonly #uses = new Map<Owner, ReadonlyMap<Stmt, SetUse | undefined>>();
  /** By maker: how often an evaluation searches for members in its place; 0 where it is called. */
  readonly #searches = new Map<string, number>();
  readonly #blocks = new Map<Func, readonly Block[]>();

  /** @param loopEnds gets statements behind which a block ends where no errors are looked for */
  private constructor(silent: SilentCalls, loopEnds: Map<Stmt, number>) {
    this.#silent = silent;
    this.#loopEnds = loopEnds;
  }

  static *over(policy: Policy, silent: SilentCalls, loopEnds: Map<Stmt, number>): Steps<UnbuiltSets> {
    const sets = new UnbuiltSets(silent, loopEnds);
    const functions = policy.funcs?.funcs ?? [];
    for (const func of functions) {
      const maker = setMaker(func);
      if (maker !== undefined) sets.#makers.set(func.name, maker);
    }
    for (const owner of [...functions, ...(policy.plans?.plans ?? [])]) {
      if (sets.#makers.size === 0) return sets;
      if (!sets.#noteCalls(owner)) sets.#makers.clear();
      yield;
    }
    return sets;
  }

  /** Notes the makers that a body calls; false where it may call any. */
  #noteCalls(owner: Owner): boolean {
    let isKnown = true;
    eachStatement(owner.blocks ?? [], ({ type, stmt }) => {
      if (type === 'CallDynamicStmt') isKnown = false;
      if (type !== 'CallStmt' || !this.#makers.has(stmt.func)) return;
      const callers = this.#callers.get(stmt.func);
      if (callers === undefined) this.#callers.set(stmt.func, [owner]);
      else callers.push(owner);
    });
    return isKnown;
  }

  /** The blocks of a plan or function, in which the members of others are searched for. */
  blocksOf(owner: Owner): readonly Block[] {
    const maker = this.#makers.get(owner.name);
    // It is called only where errors are looked for.
    return maker !== undefined && this.#searchesFor(maker) > 0 ? (owner.blocks ?? []) : this.#searching(owner);
  }

  #searching(owner: Owner): readonly Block[] {
    const blocks = owner.blocks ?? [];
    if (this.#makers.size === 0) return blocks;
    const uses = [...this.#usesOf(owner).values()].filter((use) => use !== undefined && this.#isSearched(use.maker)) as SetUse[];
    if (uses.length === 0) return blocks;
    const writer = new SearchWriter(new Uses(blocks), this.#loopEnds, (maker) => this.#searched(maker));
    return blocks.flatMap((block) => writer.outermost(block, uses));
  }

  #isSearched(maker: SetMaker): boolean {
    if (this.#searchesFor(maker) === 0) return false;
    let size = 0;
    eachStatement(this.#searched(maker), () => size++);
    return size <= mostStatements;
  }

  /** The blocks of a maker that find its members. */
  #searched(maker: SetMaker): readonly Block[] {
    let blocks = this.#blocks.get(maker.func);
    if (blocks === undefined) {
      blocks = setMaker({ ...maker.func, blocks: this.#searching(maker.func) })?.blocks ?? maker.blocks;
      this.#blocks.set(maker.func, blocks);
    }
    return blocks;
  }

  #usesOf(owner: Owner): ReadonlyMap<Stmt, SetUse | undefined> {
    let uses = this.#uses.get(owner);
    if (uses === undefined) this.#uses.set(owner, (uses = setUses(owner, this.#makers, this.#silent)));
    return uses;
  }

  #searchesFor({ func, adds }: SetMaker, depth = 0): number {
    const known = this.#searches.get(func.name);
    if (known !== undefined) return known;
    this.#searches.set(func.name, 0);
    if (depth > mostNested) return 0;
    let searches = 0;
    for (const caller of new Set(this.#callers.get(func.name))) {
      for (const [call, use] of this.#usesOf(caller)) {
        if (call.type !== 'CallStmt' || call.stmt.func !== func.name) continue;
        if (use === undefined || use.size * adds > mostStatements) return 0;
        const maker = this.#makers.get(caller.name);
        const outer = maker === undefined ? 0 : this.#searchesFor(maker, depth + 1);
        // Of 1 and 1.0, a set keeps the first one: only a search does not show which.
        for (const local of use.adds) if (outer === 0 || local !== maker!.made) return 0;
        searches += Math.max(1, outer);
        if (searches > mostSearches) return 0;
      }
    }
    this.#searches.set(func.name, searches);
    return searches;
  }
}
