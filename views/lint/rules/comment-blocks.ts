/** Blocks of comments: those of one column in lines without a gap. */

import type { Comment } from '../../../compiler/index.js';

type Block = readonly [Comment, ...Comment[]];

/** The blocks of a file, by rows and in these by columns. */
export function commentBlocks(comments: readonly Comment[]): readonly Block[] {
  const blocks: Block[] = [];
  let columns = new Map<number, [Comment, ...Comment[]]>();
  let last: number | undefined;
  for (const comment of comments) {
    const { row } = comment.loc;
    if (last !== undefined && row !== last + 1) columns = new Map();
    last = row;
    const column = commentColumn(comment);
    const block = columns.get(column);
    if (block) block.push(comment);
    else {
      const first: [Comment, ...Comment[]] = [comment];
      columns.set(column, first);
      blocks.push(first);
    }
  }
  return blocks;
}

/** The column of a comment. */
export function commentColumn({ loc }: Comment): number {
  return loc.source.position(loc.start).col;
}

/** Whether a block of comments is one of metadata. */
export function isMetadata([{ text }]: Block): boolean {
  return /^\s*METADATA/.test(text);
}
