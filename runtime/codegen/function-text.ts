/** Lowered functions → the text of JavaScript functions. */
import type { Dispatch, Index, LoweredBlock, LoweredFunction, Register } from '../lowering/lowered.js';
import { blocksOfPart, innerBlocks } from '../lowering/lowered.js';
import { writeSequence } from './blocks.js';
import type { Kind } from './known/known.js';
import { writeField } from './leaf.js';
import type { Piece, Sharing } from './part-sharing.js';
import { type CodeTables, CodeWriter, type WriterOptions } from './writer.js';

/** The most statements of a function that is written in one piece. */
const maxStatements = 400;

/** Dispatches over more rules look the constant up in a table. */
const maxTests = 8;

/** The text of a function's body, or of a part of one that was split. */
export interface FunctionText {
  readonly text: string;
  readonly writer: CodeWriter;
}

/** The number of statements, those of inner blocks included. */
function sizeOf(block: LoweredBlock): number {
  let size = 0;
  for (const stmt of block) size += 1 + innerBlocks(stmt).reduce((sum, inner) => sum + sizeOf(inner), 0);
  return size;
}

/** The number of statements of a function, or one that is larger than `most`. */
export function sizeOfFunction({ body }: LoweredFunction, most = Infinity): number {
  let size = 0;
  for (const part of body)
    for (const block of blocksOfPart(part)) {
      size += sizeOf(block);
      if (size > most) return size;
    }
  return size;
}

/** Whether a function is too long for one piece: V8 would never optimise it. */
export function needsSplit({ body }: LoweredFunction): boolean {
  let size = 0;
  for (const part of body) {
    if (part.kind === 'dispatch' && part.rules.length > maxTests) return true;
    for (const block of blocksOfPart(part)) size += sizeOf(block);
    if (size > maxStatements) return true;
  }
  return false;
}

/** A function that is called with these operands behind the documents. */
export interface CallInPlace {
  readonly operands: readonly { readonly text: string; readonly kind: Kind | undefined }[];
  readonly weight: number;
}

/**
 * The blocks of a function that is not split.
 * @param options see `WriterOptions`
 * @param call of a function that is written in the text of its caller
 */
export function wholeText(
  func: LoweredFunction,
  tables: CodeTables,
  options: Omit<WriterOptions, 'isWhole'>,
  call?: CallInPlace,
): FunctionText {
  const writer = new CodeWriter(func, tables, false, { ...options, isWhole: true });
  if (call !== undefined) beginInPlace(func, call, writer);
  if (func.tracker !== undefined) writer.line(`${writer.register(func.tracker)} = ${writer.use('newTracker')}();`);
  for (let register = func.params; register < func.cleared; register++) writer.known.write(register, 'undefined');
  for (const part of func.body) {
    if (part.kind === 'block') writeSequence([part.block], writer);
    else writeDispatch(part, writer);
  }
  writer.return('undefined');
  return { text: writer.text, writer };
}

/** Gives the registers of a function in the place of its call their values, and counts the call. */
function beginInPlace(func: LoweredFunction, { operands, weight }: CallInPlace, w: CodeWriter): void {
  for (const [i, { text, kind }] of operands.entries()) {
    w.line(`${w.register(2 + i)} = ${text};`);
    w.known.write(2 + i, kind);
  }
  // A call in a loop finds the values of the last one.
  if (w.loops > 0 && w.answers.length > 0) w.line(`${w.answers.join(' = ')} = undefined;`);
  if (w.loops > 0)
    for (let register = func.params; register < func.cleared; register++)
      w.line(`${w.register(register)} = undefined;`);
  w.line(w.countText(weight));
}

/**
 * Blocks of a function that is split. They return the register that is shared; where all are,
 * `goOn`, unless they return for the function.
 * @param values see `WriterOptions`
 */
export function partText(
  func: LoweredFunction,
  blocks: readonly LoweredBlock[],
  sharing: Sharing,
  tables: CodeTables,
  values?: unknown[],
): FunctionText {
  const writer = new CodeWriter(withBlocks(func, blocks), tables, sharing.kind === 'object', { values });
  writeSequence(blocks, writer);
  const result =
    sharing.kind === 'object'
      ? writer.use('goOn')
      : sharing.register === undefined
        ? 'undefined'
        : writer.register(sharing.register);
  writer.line(`return ${result};`);
  return { text: writer.text, writer };
}

/** The function with some of its blocks only: a writer reads all, and there may be thousands. */
function withBlocks(func: LoweredFunction, blocks: readonly LoweredBlock[]): LoweredFunction {
  return { ...func, body: blocks.map((block) => ({ kind: 'block', block })) };
}

/** The parameters of a part: the activation, shared registers, and values of its form. */
export function partParameters({ params }: LoweredFunction, sharing: Sharing): readonly string[] {
  return ['x', ...sharedBy(params, sharing), 'c'];
}

function sharedBy(params: number, sharing: Sharing): readonly string[] {
  if (sharing.kind === 'object') return ['s'];
  const registers = Array.from({ length: params }, (_, i) => `r${i}`);
  return sharing.register === undefined ? registers : [...registers, `r${sharing.register}`];
}

/** The pieces in order; blocks that follow each other are one piece while they are short. */
export function piecesOfText({ body }: LoweredFunction): readonly Piece[] {
  const pieces: Piece[] = [];
  let blocks: LoweredBlock[] = [];
  let size = 0;
  let inside = 0;
  const flush = () => {
    const isPart = inside + size > maxStatements;
    if (!isPart) inside += size;
    if (blocks.length > 0) pieces.push({ kind: 'blocks', blocks, isPart });
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

/**
 * Gives `value` what a dispatch compares with its constants. The text leaves `label` where there is
 * nothing.
 */
function writeValue(dispatch: Dispatch, label: string, value: string, w: CodeWriter): void {
  const { iterator, root, path, rules } = dispatch;
  w.inBlock(`break ${label};`, () => {
    const at = writePath(root, path, iterator + 2, w);
    // Strings and booleans are their own keys.
    const hasNumber = rules.some(({ constant }) => typeof constant === 'number');
    w.line(`${value} = ${hasNumber ? `${w.use('dispatchKey')}(${at})` : at};`);
  });
  w.joined();
}

/** Looks up a path below a register; answers the text of the value there. */
function writePath(root: Register, path: readonly Index[], target: Register, w: CodeWriter): string {
  let at = root;
  for (const key of path) {
    if (typeof w.constantValue(key) === 'string') writeField(w.register(at), key, target, w);
    else {
      w.cutIf([`(t = ${w.use('valueAt')}(${w.register(at)}, ${w.literal(key)})) === undefined`]);
      w.line(`${w.register(target)} = t;`);
    }
    at = target;
  }
  return w.register(at);
}

/** Rules that compare one value with constants: one comparison each. */
function writeDispatch(dispatch: Dispatch, w: CodeWriter): void {
  const label = `d${w.id()}`;
  const around = w.mark(dispatch.origin);
  w.line(`${label}: {`);
  const value = `value${w.id()}`;
  w.line(`let ${value} = null;`);
  writeValue(dispatch, label, value, w);
  // The blocks of the rules are outermost blocks: to end one goes on with the next rule.
  for (const rule of dispatch.rules) {
    w.line(`if (${value} === ${JSON.stringify(rule.constant)}) {`);
    writeSequence(rule.blocks, w);
    w.line('}');
  }
  w.line('}');
  w.mark(around);
  w.joined();
}

/**
 * The pieces of a function that is split: short blocks as they are, others as calls of the parts,
 * and dispatches as look-ups in the tables of `parts`. A part adds its place to errors itself.
 */
export function splitText(
  index: Index,
  func: LoweredFunction,
  pieces: readonly Piece[],
  sharing: Sharing,
  tables: CodeTables,
): FunctionText {
  const written = pieces.flatMap((piece) => (piece.kind === 'blocks' && !piece.isPart ? piece.blocks : []));
  const writer = new CodeWriter(withBlocks(func, written), tables, sharing.kind === 'object');
  let parts = 0;
  const call = (part: string, values: string) => callText(part, values, func, sharing, writer);
  for (const piece of pieces) {
    if (piece.kind === 'dispatch') writeTable(piece, parts++, call, writer);
    else if (piece.isPart) {
      writer.line(call(`p${parts++}`, 'undefined'));
      writer.known.clear();
    } else {
      writer.line('try {');
      writeSequence(piece.blocks, writer);
      writer.line(`} catch (error) { throw x.failed(error, ${index}, at); }`);
    }
  }
  return { text: writer.text, writer };
}

/** Calls a part, and takes its results. */
function callText(part: string, values: string, { params }: LoweredFunction, sharing: Sharing, w: CodeWriter): string {
  const call = `${part}(${['x', ...sharedBy(params, sharing), values].join(', ')})`;
  if (sharing.kind === 'object') return `if ((t = ${call}) !== ${w.use('goOn')}) return t;`;
  return sharing.register === undefined ? `${call};` : `${w.register(sharing.register)} = ${call};`;
}

function writeTable(
  dispatch: Dispatch,
  part: number,
  call: (part: string, values: string) => string,
  w: CodeWriter,
): void {
  const label = `d${w.id()}`;
  const around = w.mark(dispatch.origin);
  w.line(`${label}: {`);
  const value = `value${w.id()}`;
  w.line(`let ${value} = null;`);
  writeValue(dispatch, label, value, w);
  w.line(`for (let e = p${part}.get(${value}); e !== undefined; e = e.next) ${call('e.part', 'e.values')}`);
  w.line('}');
  w.mark(around);
  w.known.clear();
  w.joined();
}
