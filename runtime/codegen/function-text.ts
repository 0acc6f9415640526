/** Lowered functions → the text of JavaScript functions. */
import { type Dispatch, type Index, innerBlocks, type LoweredBlock, type LoweredFunction } from '../lowering/lowered.js';
import { writeSequence } from './blocks.js';
import { writeField } from './leaf.js';
import { type CodeTables, Writer } from './writer.js';

/** A function whose text has at most so many statements is written in one piece. */
const maxStatements = 400;

/** Dispatches over more rules look the constant up in a table. */
const maxTests = 8;

/** The text of a function's body, or of a part of one that was split. */
export interface FunctionText {
  readonly text: string;
  readonly writer: Writer;
}

/** The number of statements, those of inner blocks included. */
function sizeOf(block: LoweredBlock): number {
  let size = 0;
  for (const stmt of block) size += 1 + innerBlocks(stmt).reduce((sum, inner) => sum + sizeOf(inner), 0);
  return size;
}

function blocksOf(part: LoweredFunction['body'][number]): readonly LoweredBlock[] {
  return part.kind === 'block' ? [part.block] : part.rules.flatMap(({ blocks }) => blocks);
}

/** Whether a function is too long for one piece: V8 would never optimise it. */
export function needsSplit({ body }: LoweredFunction): boolean {
  let size = 0;
  for (const part of body) {
    if (part.kind === 'dispatch' && part.rules.length > maxTests) return true;
    for (const block of blocksOf(part)) size += sizeOf(block);
    if (size > maxStatements) return true;
  }
  return false;
}

/** The blocks of a function that is not split. */
export function wholeText(func: LoweredFunction, tables: CodeTables): FunctionText {
  const writer = new Writer(func, tables, false);
  if (func.tracker !== undefined) writer.line(`${writer.register(func.tracker)} = ${writer.use('newTracker')}();`);
  for (const part of func.body) {
    if (part.kind === 'block') writeSequence([part.block], writer);
    else writeDispatch(part, writer);
  }
  writer.line('return undefined;');
  return { text: writer.text, writer };
}

/** Blocks of a function that is split: `goOn` is returned where they do not return. */
export function partText(func: LoweredFunction, blocks: readonly LoweredBlock[], tables: CodeTables): FunctionText {
  const writer = new Writer(func, tables, true);
  writeSequence(blocks, writer);
  writer.line(`return ${writer.use('goOn')};`);
  return { text: writer.text, writer };
}

/** A piece of a function that is split. */
export type Piece = { readonly kind: 'blocks'; readonly blocks: readonly LoweredBlock[] } | Dispatch;

/** The pieces in order; blocks that follow each other are one piece while they are short. */
export function piecesOf({ body }: LoweredFunction): readonly Piece[] {
  const pieces: Piece[] = [];
  let blocks: LoweredBlock[] = [];
  let size = 0;
  const flush = () => {
    if (blocks.length > 0) pieces.push({ kind: 'blocks', blocks });
    blocks = [];
    size = 0;
  };
  for (const part of body) {
    if (part.kind === 'dispatch') {
      flush();
      pieces.push(part);
      continue;
    }
    const length = sizeOf(part.block);
    if (size + length > maxStatements) flush();
    blocks.push(part.block);
    size += length;
  }
  flush();
  return pieces;
}

/** The place at which a function begins: that of its first instruction on the VM. */
export function firstOrigin({ body, tracker }: LoweredFunction): Index {
  if (tracker !== undefined) return 0;
  for (const part of body) {
    const origin = part.kind === 'dispatch' ? part.origin : firstOriginIn(part.block);
    if (origin !== undefined) return origin;
  }
  return 0;
}

function firstOriginIn(block: LoweredBlock): Index | undefined {
  for (const stmt of block) {
    if (stmt.kind === 'not') return firstOriginIn(stmt.block) ?? stmt.origin;
    if (stmt.kind !== 'blocks') return stmt.origin;
    for (const inner of stmt.blocks) {
      const origin = firstOriginIn(inner);
      if (origin !== undefined) return origin;
    }
  }
  return undefined;
}

/** Rules that compare one value with constants: one comparison each. */
function writeDispatch({ iterator, root, path, rules }: Dispatch, w: Writer): void {
  const label = `d${w.id()}`;
  w.line(`${label}: {`);
  let value = root;
  w.inBlock(`break ${label};`, () => {
    for (const key of path) {
      writeField(w.register(value), key, iterator + 2, w);
      value = iterator + 2;
    }
  });
  // The blocks of the rules are outermost blocks: to end one goes on with the next rule.
  for (const { constant, blocks } of rules) {
    w.line(`if (${w.register(value)} === ${JSON.stringify(constant)}) {`);
    writeSequence(blocks, w);
    w.line('}');
  }
  w.line('}');
  w.joined();
}
