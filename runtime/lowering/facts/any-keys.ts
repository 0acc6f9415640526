import { type Block, blocksOf, type Operand } from '../../../ir-schema/index.js';

/**
 * Locals whose objects may get keys other than constant strings: an object made for one of them
 * must take any key, others are plain. An object that is looked up in another one and then
 * mutated is one that was put into that other one.
 */
export function localsWithAnyKeys(blocks: readonly Block[]): ReadonlySet<number> {
  /** The locals that a local's object may come from. */
  const copied = new Map<number, number[]>();
  const lookedUp = new Map<number, number[]>();
  const contents = new Map<number, number[]>();
  const itself = new Set<number>();
  const inside = new Set<number>();
  const pending: (() => void)[] = [];

  const link = (map: Map<number, number[]>, from: number, to: Operand): void => {
    if (to.type !== 'local') return;
    const list = map.get(from);
    if (list === undefined) map.set(from, [to.value]);
    else list.push(to.value);
  };
  const markItself = (local: number): void => {
    if (itself.has(local)) return;
    itself.add(local);
    pending.push(() => {
      for (const source of copied.get(local) ?? []) markItself(source);
      for (const container of lookedUp.get(local) ?? []) markInside(container);
    });
  };
  const markInside = (local: number): void => {
    if (inside.has(local)) return;
    inside.add(local);
    pending.push(() => {
      for (const source of copied.get(local) ?? []) markInside(source);
      for (const container of lookedUp.get(local) ?? []) markInside(container);
      for (const member of contents.get(local) ?? []) {
        markItself(member);
        markInside(member);
      }
    });
  };
  const targets: number[] = [];
  const visit = (block: Block): void => {
    for (const node of block.stmts) {
      if (node.type === 'ObjectInsertStmt' || node.type === 'ObjectInsertOnceStmt') {
        link(contents, node.stmt.object, node.stmt.value);
        if (node.stmt.key.type !== 'string_index') targets.push(node.stmt.object);
      } else if (node.type === 'ArrayAppendStmt') link(contents, node.stmt.array, node.stmt.value);
      else if (node.type === 'DotStmt') link(lookedUp, node.stmt.target, node.stmt.source);
      else if (node.type === 'ScanStmt') link(lookedUp, node.stmt.value, { type: 'local', value: node.stmt.source });
      else if (node.type === 'AssignVarStmt' || node.type === 'AssignVarOnceStmt')
        link(copied, node.stmt.target, node.stmt.source);
      for (const inner of blocksOf(node)) visit(inner);
    }
  };
  for (const block of blocks) visit(block);
  for (const local of targets) markItself(local);
  for (let mark = pending.pop(); mark !== undefined; mark = pending.pop()) mark();
  return itself;
}
