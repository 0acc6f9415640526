/**
 * The paths below elements by which loops of a plan look for a value: `e.user` in
 * `some e in events; e.user == user`. Loops that depend on the value at such a path only may share
 * the index of these loops.
 */
import { type Block, blocksOf, type Operand, type Stmt } from '../../../ir-schema/index.js';
import { pathKey } from '../../../values/index.js';

export class SearchedPaths {
  readonly #keys = new Set<string>();
  readonly #stringAt: (index: number) => string;

  constructor(stringAt: (index: number) => string) {
    this.#stringAt = stringAt;
  }

  has(path: readonly string[]): boolean {
    return this.#keys.has(pathKey(path));
  }

  /** Adds the paths of the loops in blocks: of those over `sources`, or of all. */
  add(blocks: readonly Block[], sources?: ReadonlySet<number>): void {
    for (const block of blocks) {
      for (const node of block.stmts) {
        if (node.type === 'ScanStmt' && sources?.has(node.stmt.source) !== false)
          this.#addLoop(node.stmt.value, node.stmt.block);
        this.add(blocksOf(node), sources);
      }
    }
  }

  /** `indexedScan` decides whether a loop has an index; this finds no fewer paths. */
  #addLoop(element: number, block: Block | null): void {
    const parts = new Map<number, readonly string[]>([[element, []]]);
    for (const node of block?.stmts ?? []) {
      if (node.type === 'EqualStmt') {
        const [a, b] = [partOf(node.stmt.a, parts), partOf(node.stmt.b, parts)];
        const path = a ?? b;
        if (path !== undefined && (a === undefined || b === undefined) && !path.includes('__proto__'))
          this.#keys.add(pathKey(path));
        continue;
      }
      this.#follow(node, parts);
    }
  }

  #follow({ type, stmt }: Stmt, parts: Map<number, readonly string[]>): void {
    if (type !== 'AssignVarStmt' && type !== 'DotStmt') return;
    const path = partOf(stmt.source, parts);
    if (path === undefined) return;
    if (type === 'AssignVarStmt') parts.set(stmt.target, path);
    else if (stmt.key.type === 'string_index') parts.set(stmt.target, [...path, this.#stringAt(stmt.key.value)]);
  }
}

function partOf(operand: Operand, parts: ReadonlyMap<number, readonly string[]>): readonly string[] | undefined {
  return operand.type === 'local' ? parts.get(operand.value) : undefined;
}
