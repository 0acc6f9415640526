import { effectsOf, mutatedBy } from '../../../ir-schema/effects.js';
import type { Block, Operand, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';
import { type NewLocal, renamed, renamedOperand } from './renamed.js';
import { addedBy, type SetMaker } from './set-makers.js';
import type { SetUse } from './set-uses.js';
import { eachStatement, type Uses } from './uses.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };

/** Where a statement stands in the source. */
type Place = Pick<Stmt['stmt'], 'file' | 'row' | 'col' | 'end_row' | 'end_col'>;

function placeOf({ stmt: { file, row, col, end_row, end_col } }: Stmt): Place {
  return { file, row, col, end_row, end_col };
}

/** Writes the blocks of one plan or function. */
export class SearchWriter {
  #next: number;
  readonly #uses: Uses;
  readonly #loopEnds: Map<Stmt, number>;
  readonly #searched: (maker: SetMaker) => readonly Block[];

  /** @param uses of the locals of all blocks */
  constructor(uses: Uses, loopEnds: Map<Stmt, number>, searched: (maker: SetMaker) => readonly Block[]) {
    this.#uses = uses;
    this.#next = Math.max(2, uses.next);
    this.#loopEnds = loopEnds;
    this.#searched = searched;
  }

  /**
   * The blocks in place of an outermost one. Where errors of built-ins are looked for, and there
   * may be some, it runs as it was: these come in another order otherwise, or not at all.
   */
  outermost(block: Block, uses: readonly SetUse[]): readonly Block[] {
    const nodes = new Set<Stmt>();
    eachStatement([block], (node) => nodes.add(node));
    const here = uses.filter(({ call, node }) => nodes.has(call) && nodes.has(node));
    if (here.length === 0) return [block];
    const searching = this.#rewritten(block, here);
    if (!here.some(({ mayFail }) => mayFail)) return [searching];
    const place = placeOf(here[0]!.call);
    const [skip, keep] = [this.#endWhereUnnoticed(place), this.#endWhereUnnoticed(place)];
    const otherwise: Stmt = { type: 'BreakStmt', stmt: { ...place, index: 1 } };
    const isUnnoticed: Stmt = { type: 'BlockStmt', stmt: { ...place, blocks: [{ stmts: [skip, otherwise] }] } };
    return [{ stmts: [isUnnoticed, ...searching.stmts] }, { stmts: [keep, ...block.stmts] }];
  }

  /** Ends its block where no errors are looked for. */
  #endWhereUnnoticed(place: Place): Stmt {
    const node: Stmt = { type: 'NopStmt', stmt: place };
    this.#loopEnds.set(node, 0);
    return node;
  }

  #rewritten({ stmts }: Block, uses: readonly SetUse[]): Block {
    return {
      stmts: stmts.flatMap((node, i): readonly Stmt[] => {
        for (const use of uses) {
          if (node === use.call || node === use.test) return [];
          if (use.typeTests.has(node)) return this.#typeTest(node, use);
          if (node === use.node) return node.type === 'ScanStmt' ? [this.#loop(node, use)] : this.#test(node, stmts.slice(0, i), use);
        }
        const inner = blocksOf(node);
        if (inner.length === 0) return [node];
        const blocks = inner.map((block) => this.#rewritten(block, uses));
        const { stmt } = node;
        return [{ ...node, stmt: node.type === 'BlockStmt' ? { ...stmt, blocks } : { ...stmt, block: blocks[0] } } as Stmt];
      }),
    };
  }

  #typeTest(node: Stmt, { maker }: SetUse): readonly Stmt[] {
    const holds = node.type === (maker.type === 'set' ? 'IsSetStmt' : 'IsArrayStmt');
    return holds ? [] : [{ type: 'BreakStmt', stmt: { ...placeOf(node), index: 0 } }];
  }

  /** The search in place of a loop: each member that is found is one round. */
  #loop(node: Scan, { maker, own }: SetUse): Stmt {
    const { stmt } = node;
    const place = placeOf(node);
    const found = (member: Operand, depth: number): Block => {
      const newLocal = this.#newLocals(own);
      const assign = (local: number): Stmt => ({ type: 'AssignVarStmt', stmt: { ...place, source: member, target: newLocal(local) } });
      const first = maker.type === 'set' ? [assign(stmt.key), assign(stmt.value)] : [assign(stmt.value)];
      // A break that leaves the loop leaves the search.
      const round = renamed(stmt.block!, newLocal, (copy, inside, node) => {
        if (copy.type === 'BreakStmt' && copy.stmt.index > inside)
          return [{ ...copy, stmt: { ...copy.stmt, index: copy.stmt.index + 1 + depth } }];
        return this.#copied(node, copy);
      });
      return { stmts: [...first, ...round.stmts] };
    };
    return { type: 'BlockStmt', stmt: { ...place, blocks: this.#search(maker, found) } };
  }

  /** The search in place of a question for a member; it ends where that is found. */
  #test(node: Stmt & { readonly type: 'CallStmt' }, before: readonly Stmt[], { maker }: SetUse): readonly Stmt[] {
    const place = placeOf(node);
    const target = this.#next++;
    const wanted = node.stmt.args![0]!;
    const found = (member: Operand, depth: number): Block => ({
      stmts: [
        ...this.#sameFields(member, wanted, before, place),
        { type: 'EqualStmt', stmt: { ...place, a: member, b: wanted } },
        { type: 'AssignVarStmt', stmt: { ...place, source: { type: 'bool', value: true }, target } },
        { type: 'BreakStmt', stmt: { ...place, index: 2 + depth } },
      ],
    });
    const search: Stmt = { type: 'BlockStmt', stmt: { ...place, blocks: this.#search(maker, found) } };
    return [
      { type: 'ResetLocalStmt', stmt: { ...place, target } },
      { type: 'BlockStmt', stmt: { ...place, blocks: [{ stmts: [search] }] } },
      { type: 'IsDefinedStmt', stmt: { ...place, source: target } },
    ];
  }

  /** Compares the fields of an object that the block has just made, before the whole object. */
  #sameFields(member: Operand, wanted: Operand, before: readonly Stmt[], place: Place): readonly Stmt[] {
    if (wanted.type !== 'local') return [];
    const [made, ...others] = this.#uses.writers(wanted.value);
    if (made?.type !== 'MakeObjectStmt' || others.length > 0) return [];
    const inserts = this.#uses.readers(wanted.value).filter((node) => mutatedBy(node) === wanted.value);
    if (!inserts.every((node) => before.includes(node))) return [];
    return inserts.flatMap(({ type, stmt }): readonly Stmt[] => {
      if (type !== 'ObjectInsertStmt' || stmt.key.type === 'local' || !this.#isFixed(stmt.value)) return [];
      const target = this.#next++;
      return [
        { type: 'DotStmt', stmt: { ...place, source: member, key: stmt.key, target } },
        { type: 'EqualStmt', stmt: { ...place, a: { type: 'local', value: target }, b: stmt.value } },
      ];
    });
  }

  /** Whether an operand has one value, which is not changed. */
  #isFixed(operand: Operand): boolean {
    if (operand.type !== 'local') return true;
    const { value } = operand;
    return this.#uses.writers(value).length <= 1 && this.#uses.readers(value).every((node) => mutatedBy(node) !== value);
  }

  /** The blocks of a maker, with other locals, that run `found` for each member. */
  #search(maker: SetMaker, found: (member: Operand, depth: number) => Block): readonly Block[] {
    const blocks = this.#searched(maker);
    const used = new Set<number>();
    eachStatement(blocks, (node) => {
      const { reads, writes } = effectsOf(node);
      for (const local of [...reads, ...writes]) if (local > 1) used.add(local);
    });
    const newLocal = this.#newLocals(used);
    return blocks.map((block) =>
      renamed(block, newLocal, (copy, depth, node) => {
        const member = addedBy(node, maker.type, maker.made);
        if (member === undefined) return this.#copied(node, copy);
        const added = renamedOperand(member, newLocal);
        const place = placeOf(node);
        const round: Stmt = { type: 'BlockStmt', stmt: { ...place, blocks: [found(added, depth)] } };
        return added.type === 'local' ? [{ type: 'IsDefinedStmt', stmt: { ...place, source: added.value } }, round] : [round];
      }),
    );
  }

  /** Ends the blocks behind the copy of a statement behind which it ends. */
  #copied(node: Stmt, copy: Stmt): undefined {
    const index = this.#loopEnds.get(node);
    if (index !== undefined) this.#loopEnds.set(copy, index);
  }

  /** Gives each of some locals a number of its own. */
  #newLocals(locals: ReadonlySet<number>): NewLocal {
    const numbers = new Map<number, number>();
    for (const local of locals) numbers.set(local, this.#next++);
    return (local) => numbers.get(local) ?? local;
  }
}
