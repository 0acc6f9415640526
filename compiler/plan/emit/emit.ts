/**
 * Emits the statements of one function or plan: a current block, fresh locals, positions.
 */

import type { Block, Func, Location, Operand, Statements, Stmt, StmtType } from '../../../ir-schema/index.js';
import { isLocalOperand, maxBlockDepth } from '../../../ir-schema/index.js';
import type { CompileErrors } from '../../diagnostics/diagnostics.js';
import { compileErrors } from '../../diagnostics/render.js';
import { locationOf, nowhere, type Span } from '../../source/location.js';
import { noteOf, putNote, type StatementNote, type Subject } from './notes.js';
import { PlanScope } from './scope.js';
import type { Statics } from './statics.js';

export const inputLocal = 0;
export const dataLocal = 1;

/** An operand that is a local. */
export function local(value: number): Operand {
  return { type: 'local', value };
}

export const trueOperand: Operand = { type: 'bool', value: true };
export const falseOperand: Operand = { type: 'bool', value: false };

/**
 * Statements whose errors show their own place: calls of built-ins, and those that may find a
 * conflict.
 */
const showsItsPlace: ReadonlySet<StmtType> = new Set<StmtType>([
  'CallDynamicStmt',
  'AssignVarOnceStmt',
  'ObjectInsertOnceStmt',
]);

interface Emitted {
  readonly node: Stmt;
  span: Span;
  /** Whether its range is that of an expression. */
  isTaken: boolean;
}

/** Numbers of new locals. Functions may share them. */
export interface LocalNumbers {
  next: number;
}

export class Emitter {
  readonly statics: Statics;
  /** The purpose of the next statements, for their notes. */
  subject: Subject = { reason: 'query' };
  readonly #isNoted: boolean;
  #note: StatementNote | undefined;
  /** All statements in order. */
  readonly #emitted: Emitted[] = [];
  /** Locals that hold base documents which a ref has found so far, see `BaseLookups`. */
  readonly #bases = new Set([dataLocal]);
  /** Variables that are bound at this point. */
  scope = new PlanScope();
  #stmts: Stmt[] = [];
  /** Loops open in the current block. */
  #loops = 0;
  /** The number of open loops around the current statement, over all blocks. */
  #openLoops = 0;
  /** Blocks around the current statement. */
  #depth = 0;
  readonly #numbers: LocalNumbers;
  #span: Span | undefined;
  #location: Location | undefined;

  /**
   * @param numbers of locals: those of input and data are taken
   * @param isNoted whether statements get notes
   */
  constructor(statics: Statics, numbers: LocalNumbers, isNoted: boolean) {
    this.statics = statics;
    this.#numbers = numbers;
    this.#isNoted = isNoted;
  }

  /** How many loops are open in the current block. */
  get loops(): number {
    return this.#loops;
  }

  /** Whether the current statement stands in a loop. */
  get isInLoop(): boolean {
    return this.#openLoops > 0;
  }

  newLocal(): number {
    return this.#numbers.next++;
  }

  string(value: string): Operand {
    return { type: 'string_index', value: this.statics.string(value) };
  }

  /** Appends a statement to the current block. */
  emit<T extends StmtType>(type: T, span: Span, fields: Omit<Statements[T], keyof Location>): void {
    const { file, row, col, end_row, end_col } = this.#locate(span);
    // One spread and named fields: of two spreads, V8 copies the second field by field.
    const node = { type, stmt: { ...fields, file, row, col, end_row, end_col } } as unknown as Stmt;
    this.#stmts.push(node);
    this.#emitted.push({ node, span, isTaken: false });
    if (this.#isNoted) putNote(node, this.#currentNote());
  }

  /** How many statements have been emitted. */
  get emitted(): number {
    return this.#emitted.length;
  }

  /** The statements since there were `from` serve another expression. */
  serveSince(from: number, expr: Span): void {
    for (const { node } of this.#emitted.slice(from)) {
      const note = noteOf(node);
      if (note !== undefined) putNote(node, { ...note, subject: { ...note.subject, expr } });
    }
  }

  #currentNote(): StatementNote {
    const { scope, subject } = this;
    const last = this.#note;
    if (last?.subject === subject && last.scope === scope && last.bindings === scope.bindings) return last;
    return (this.#note = { subject, scope, bindings: scope.bindings });
  }

  #showsItsPlace({ type, stmt }: Stmt): boolean {
    return type === 'CallStmt' ? this.statics.hasBuiltin(stmt.func) : showsItsPlace.has(type);
  }

  /**
   * Gives one of the last statements the range of the expression that they serve, unless one has
   * it already.
   */
  placeExpression(span: Span): void {
    let last: Emitted | undefined;
    for (let i = this.#emitted.length - 1; i >= 0; i--) {
      const emitted = this.#emitted[i]!;
      if (!span.includes(emitted.span)) break;
      if (emitted.isTaken) continue;
      if (emitted.span.includes(span)) {
        emitted.isTaken = true;
        return;
      }
      if (last === undefined && !this.#showsItsPlace(emitted.node)) last = emitted;
    }
    if (last === undefined) {
      this.emit('NopStmt', span, {});
      last = this.#emitted.at(-1)!;
    }
    Object.assign(last.node.stmt, this.#locate(span));
    last.span = span;
    last.isTaken = true;
  }

  #locate(span: Span): Location {
    // Statements of one node come one after the other.
    if (span === this.#span) return this.#location!;
    const start = span.source.position(span.start);
    const end = span.source.position(span.end);
    this.#span = span;
    this.#location = {
      file: this.statics.file(span.file),
      row: start.row,
      col: start.col,
      end_row: end.row,
      end_col: end.col,
    };
    return this.#location;
  }

  /**
   * A block of the statements that `fill` emits. Variables bound inside are not visible outside;
   * see `transparent` for where they are.
   */
  block(fill: () => void): Block {
    const scope = this.scope;
    this.scope = new PlanScope(scope);
    try {
      return this.transparent(fill).block;
    } finally {
      this.scope = scope;
    }
  }

  /**
   * A block of the statements that `fill` emits, whose variables stay bound; `opened` says that a
   * loop was opened in it and goes on to its end.
   * @param levels blocks around the statement, counted from here
   */
  transparent(fill: () => void, levels = 1): { readonly block: Block; readonly opened: boolean } {
    const before = this.#stmts;
    const loops = this.#loops;
    const openLoops = this.#openLoops;
    const depth = this.#depth;
    this.#depth += levels;
    const stmts: Stmt[] = [];
    this.#stmts = stmts;
    this.#loops = 0;
    if (this.#depth > maxBlockDepth) throw tooDeep(this.#span ?? nowhere);
    fill();
    const opened = this.#loops > 0;
    this.#depth = depth;
    this.#stmts = before;
    this.#loops = loops;
    this.#openLoops = openLoops;
    return { block: { stmts }, opened };
  }

  /**
   * A loop over a collection: it holds all statements emitted from here to the end of the current
   * block.
   */
  scan(source: number, span: Span): { readonly key: number; readonly value: number } {
    const key = this.newLocal();
    const value = this.newLocal();
    const stmts: Stmt[] = [];
    this.emit('ScanStmt', span, { source, key, value, block: { stmts } });
    this.#stmts = stmts;
    this.#loops++;
    this.#openLoops++;
    if (++this.#depth > maxBlockDepth) throw tooDeep(span);
    return { key, value };
  }

  /**
   * Alternatives: the first block that runs to its end is the last to run. At least one must
   * succeed; each assigns its result itself.
   */
  firstOf(span: Span, alternatives: readonly (() => void)[]): void {
    const leave = () => this.emit('BreakStmt', span, { index: 1 });
    const inner = this.block(() => {
      const blocks = alternatives.map((fill) => {
        const { block } = this.transparent(() => {
          fill();
          leave();
        });
        return block;
      });
      this.emit('BlockStmt', span, { blocks });
      // None of them: the enclosing block is undefined.
      leave();
    });
    this.emit('BlockStmt', span, { blocks: [inner] });
  }

  /**
   * Continues if the statements that `fill` emits are undefined in all rounds; their bindings are
   * not visible.
   */
  unless(span: Span, fill: () => void): void {
    const found = this.newLocal();
    let looped = false;
    const block = this.block(() => {
      fill();
      looped = this.#loops > 0;
      if (looped) this.succeed(span, found);
    });
    // The end of a loop is no failure, so a local records success inside it.
    if (!looped) return this.emit('NotStmt', span, { block });
    this.emit('ResetLocalStmt', span, { target: found });
    this.emit('BlockStmt', span, { blocks: [block] });
    this.emit('IsUndefinedStmt', span, { source: found });
  }

  /** Notes a success in a local and leaves the current block, out of all its loops. */
  succeed(span: Span, found: number): void {
    this.emit('AssignVarStmt', span, { source: trueOperand, target: found });
    this.emit('BreakStmt', span, { index: this.#loops });
  }

  /** A statement that is never true. */
  fail(span: Span): void {
    this.emit('BreakStmt', span, { index: 0 });
  }

  /** The operand as a local, for statements that take nothing else. */
  asLocal(operand: Operand, span: Span): number {
    if (operand.type === 'local') return operand.value;
    const target = this.newLocal();
    this.emit('AssignVarStmt', span, { source: operand, target });
    return target;
  }

  /** A look-up in base documents: other refs go on from a copy of what it finds. */
  find(source: Operand, key: Operand, target: number, span: Span): void {
    this.emit('DotStmt', span, { source, key, target });
    if (this.isBase(source)) this.#bases.add(target);
  }

  isBase(operand: Operand): boolean {
    return operand.type === 'local' && this.#bases.has(operand.value);
  }

  /**
   * An operand that a variable may hold, or whose parts are those of a value. Input and data are
   * copied as well: a `with` later in the body, or around this, has another value in their locals.
   */
  asValue(operand: Operand, span: Span): Operand {
    if (!this.isBase(operand) && !isLocalOperand(operand, inputLocal)) return operand;
    const target = this.newLocal();
    this.emit('AssignVarStmt', span, { source: operand, target });
    return local(target);
  }

  /** The outermost blocks of a function. */
  blocks(fills: readonly (() => void)[]): readonly Block[] {
    return fills.map((fill) => this.block(fill));
  }
}

function tooDeep(span: Span): CompileErrors {
  const message = `iterations and conditions are nested more than ${maxBlockDepth} levels deep`;
  return compileErrors([{ code: 'rego_compile_error', message, location: locationOf(span), details: undefined }]);
}

/** A function whose blocks end by returning a local. */
export function func(
  name: string,
  path: readonly string[],
  params: readonly number[],
  result: number,
  blocks: readonly Block[],
): Func {
  return { name, path, params, return: result, blocks };
}

/**
 * The path of a function that no dynamic call may find: paths of calls have more keys. Some engines
 * want every function to have a path.
 */
export function ownPath(name: string): readonly string[] {
  return [name];
}
