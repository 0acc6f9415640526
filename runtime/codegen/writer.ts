/** The text of one generated function while it is written. */

import type { Value } from '../../values/index.js';
import type { PlacedStatement } from '../lowering/lower/tables.js';
import type { Index, LoweredBlock, LoweredFunction, LoweredOf, LoweredOperand, Register } from '../lowering/lowered.js';
import { innerBlocks, outermostBlocks } from '../lowering/lowered.js';
import { writtenIn } from '../lowering/register-uses.js';
import { ArrayLiterals } from './inline/array-literals.js';
import { LoopEntries } from './inline/entries.js';
import { Splits } from './inline/splits.js';
import { Walks } from './inline/walks.js';
import { FreshObjects } from './known/fresh-objects.js';
import { type Kind, Known, kindOf } from './known/known.js';
import { Fusions } from './loops/fusions.js';
import { Memberships } from './memory/memberships.js';
import type { SupportName } from './support.js';

/** The tables of a program that generated text names parts of. */
export interface CodeTables {
  readonly constants: readonly Value[];
  readonly documentPaths: readonly (readonly string[])[];
  readonly builtins: readonly string[];
  /** See `Program.statements`. */
  readonly statements?: readonly PlacedStatement[];
}

/** Support functions that may count work. */
const counting: ReadonlySet<SupportName> = new Set([
  'equal',
  'relates',
  'isMemberIn',
  'lengthOf',
  'merge',
  'insert',
  'insertEntry',
  'checkUnique',
  'copyIfEscaped',
  'withValueAt',
  'valueAt',
  'keysOf',
  'unsortedKeysOf',
  'elementAt',
  'countWork',
  'listedWalk',
  'objectIndex',
  'narrowed',
  'narrowedGroups',
  'placesOfMembers',
]);

/** In listings: begins a line with the number of the statement of the lines below it. */
export const markOfLine = '//# ';

/** The text of a rule or function in the place of a call of it. */
export type CalleeText = (call: LoweredOf<'call'>, caller: CodeWriter) => string | undefined;

export interface WriterOptions {
  /** Takes the constants and places, so that texts of the same form are the same. */
  readonly values?: unknown[] | undefined;
  /** Whether the function keeps the results of a callee in its variables. */
  readonly remembers?: (callee: Index) => boolean;
  /** Whether the text is that of the whole function. */
  readonly isWhole?: boolean;
  /** Writes a function where it is called; undefined where it is called as one. */
  readonly calleeText?: CalleeText | undefined;
  /** The text that this one is part of: it has all that the text names and declares. */
  readonly caller?: CodeWriter;
}

/** A `with` around the current statement: the variables that hold the state before it. */
interface OpenWith {
  readonly register: string;
  readonly id: number;
}

export class CodeWriter {
  readonly func: LoweredFunction;
  /** Support functions and constants that the text names. */
  readonly names: Set<SupportName>;
  readonly constants: Set<Index>;
  /** Functions that look up a path, by their text: their names. */
  readonly readers: Map<string, string>;
  /** Functions that the text calls. */
  readonly functions: Set<Index>;
  /** The rules below paths, for dynamic calls, by their text: their names. */
  readonly rules: Map<string, string>;
  /** Built-ins that the text calls. */
  readonly builtins: Set<Index>;
  /** In the text of a caller, the label of the block that is left with the result in `t`. */
  readonly label: string | undefined;
  /** The number of the first register, where registers of callers have those below. */
  readonly #firstRegister: number;
  /** Writes a function where it is called; undefined where it is called as one. */
  readonly calleeText: (call: LoweredOf<'call'>) => string | undefined;
  /** Whether the registers that blocks share are fields of an object: the function was split. */
  readonly #shared: boolean;
  /** Constants and places that are not in the text but in the array `c`, in this order. */
  readonly #values: unknown[] | undefined;
  readonly #tables: CodeTables;
  readonly #lines: string[] = [];
  /** Statements that leave each enclosing block, innermost last. */
  readonly #cuts: string[] = [];
  readonly withs: OpenWith[] = [];
  /** The number of loops around the statement that is being written. */
  loops = 0;
  /** Labels of loops that may start again, by their register. */
  readonly starts = new Map<Register, string>();
  readonly fresh = new FreshObjects();
  readonly fusions: Fusions;
  readonly literals: ArrayLiterals;
  readonly splits: Splits;
  /** Undefined in a part of a function. */
  readonly walks: Walks | undefined;
  /** Undefined in a part of a function. */
  readonly entries: LoopEntries | undefined;
  readonly #memberships: Memberships | undefined;
  /** The variables that keep the memberships of arguments. */
  readonly answers: readonly string[];
  /** Registers whose value is made where it is first read, with the text that reads them. */
  readonly lazy = new Map<Register, string>();
  readonly known = new Known();
  /** Whether the input and the data are the same everywhere in the function. */
  readonly keepsDocuments: boolean;
  readonly remembers: (callee: Index) => boolean;
  /**
   * Whether the variable `n` has the work of rounds of loops that `m.left` does not have yet. To
   * count it there in each round, which waits for the last one, takes longer than a short round.
   * It is counted there before other work that may be counted.
   */
  readonly countsRounds: boolean;
  #isApart = false;
  readonly #declared: Set<string>;
  /** Counters of texts in each other. `hasRounds`: whether `n` counts a loop of the text so far. */
  readonly #numbers: { id: number; register: number; lookup: number | undefined; hasRounds: boolean };
  /** The place that the variable `at` holds here, if that is known. */
  #at: Index | undefined;
  /** In listings: the statement that is being written. */
  #marked: Index = 0;

  constructor(func: LoweredFunction, tables: CodeTables, shared: boolean, options: WriterOptions = {}) {
    const { values, remembers = () => false, isWhole = false, calleeText, caller } = options;
    this.func = func;
    this.names = caller?.names ?? new Set();
    this.constants = caller?.constants ?? new Set();
    this.readers = caller?.readers ?? new Map();
    this.functions = caller?.functions ?? new Set();
    this.rules = caller?.rules ?? new Map();
    this.builtins = caller?.builtins ?? new Set();
    this.#declared = caller === undefined ? new Set() : caller.#declared;
    this.#numbers =
      caller === undefined ? { id: 0, register: 0, lookup: undefined, hasRounds: false } : caller.#numbers;
    this.label = caller && `b${this.id()}`;
    this.#firstRegister = this.#numbers.register;
    this.#numbers.register += func.registers;
    this.calleeText = (call) => calleeText?.(call, this);
    this.remembers = remembers;
    this.loops = caller?.loops ?? 0;
    this.countsRounds = caller?.countsRounds ?? (isWhole && outermostBlocks(func).some(hasScan));
    this.#tables = tables;
    this.fusions = new Fusions(func, tables.builtins);
    this.literals = new ArrayLiterals(func);
    this.splits = new Splits(func, tables);
    this.entries = isWhole ? new LoopEntries(func) : undefined;
    this.walks = isWhole ? new Walks(func, tables) : undefined;
    this.#shared = shared;
    this.#values = values;
    this.keepsDocuments = !changesDocuments(func);
    this.#memberships = isWhole && this.keepsDocuments ? new Memberships(func) : undefined;
    this.answers = Array.from({ length: this.#memberships?.size ?? 0 }, () => `is${this.id()}`);
    this.declare(...this.answers);
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  /** The registers that are local variables of the text, parameters left out. */
  get locals(): readonly string[] {
    return [...this.#declared];
  }

  line(text: string): void {
    this.#lines.push(text);
  }

  /** Declares local variables of the text. */
  declare(...names: readonly string[]): void {
    for (const name of names) this.#declared.add(name);
  }

  /** The next number for a label or variable. */
  id(): number {
    return this.#numbers.id++;
  }

  /** The variable that keeps the answer of a statement, if others ask the same. */
  answerOf(stmt: LoweredOf<'member'>): string | undefined {
    const answer = this.#memberships?.of(stmt);
    return answer === undefined ? undefined : this.answers[answer];
  }

  /** The number of a look-up that is kept: rules in the place of their calls keep one together. */
  lookup(): number {
    return this.label === undefined ? this.id() : (this.#numbers.lookup ??= this.id());
  }

  /** Names the support function. */
  use(name: SupportName): string {
    this.names.add(name);
    return counting.has(name) ? this.callee(name) : name;
  }

  /** A function that may count work, or an object with such a method. */
  callee(text: string): string {
    return this.#numbers.hasRounds && !this.#isApart ? `(m.left -= n, n = 0, ${text})` : text;
  }

  /** Writes a text that is no part of the function. */
  apart<Text>(write: () => Text): Text {
    this.#isApart = true;
    const text = write();
    this.#isApart = false;
    return text;
  }

  /** Counts a round of a loop. */
  round(weight: number): void {
    this.#numbers.hasRounds = this.countsRounds;
    this.line(this.countText(weight));
  }

  /** Counts work of the text itself. */
  countText(weight: number): string {
    return this.#numbers.hasRounds
      ? `if (m.left < (n += ${weight})) n = ${this.use('refilled')}(m, n);`
      : `if ((m.left -= ${weight}) < 0) m.refill();`;
  }

  /** Leaves the function. */
  return(value: string): void {
    if (this.label !== undefined) this.line(`t = ${value}; break ${this.label};`);
    else this.line(`${this.countsRounds ? 'm.left -= n; ' : ''}return ${value};`);
  }

  register(register: Register): string {
    const lazy = this.lazy.get(register);
    if (lazy !== undefined) return lazy;
    if (this.#shared && (register < this.func.cleared || register === this.func.tracker)) return `s.r${register}`;
    const number = this.number(register);
    if (register >= (this.label === undefined ? this.func.params : 2) || this.#shared) this.declare(`r${number}`);
    return `r${number}`;
  }

  /** The number of a register in names. The documents are those of the caller. */
  number(register: Register): number {
    return register < 2 ? register : this.#firstRegister + register;
  }

  operand(operand: LoweredOperand): string {
    return operand >= 0 ? this.register(operand) : this.constant(-1 - operand);
  }

  constant(index: Index): string {
    return this.#values === undefined
      ? this.literal(index)
      : `c[${this.#values.push(this.#tables.constants[index]) - 1}]`;
  }

  /** A constant in the text itself. */
  literal(index: Index): string {
    const value = this.#tables.constants[index]!;
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return JSON.stringify(value);
    if (typeof value === 'number') return `(${value})`;
    this.constants.add(index);
    return `k${index}`;
  }

  /** The known kind of an operand. */
  kind(operand: LoweredOperand): Kind | undefined {
    return operand >= 0 ? this.known.of(operand) : kindOf(this.constantValue(-1 - operand));
  }

  /** Whether constants are in the text itself. */
  get hasConstants(): boolean {
    return this.#values === undefined;
  }

  builtinName(builtin: Index): string {
    return this.#tables.builtins[builtin]!;
  }

  path(index: Index): readonly string[] {
    return this.#tables.documentPaths[index]!;
  }

  /** The name of a function that looks up a path. */
  reader(text: string): string {
    let name = this.readers.get(text);
    if (name === undefined) this.readers.set(text, (name = `v${this.readers.size}`));
    return name;
  }

  /** The name of the rules below a path. */
  rulesBelow(path: readonly string[]): string {
    const text = `dynamic(${JSON.stringify(path)})`;
    let name = this.rules.get(text);
    if (name === undefined) this.rules.set(text, (name = `d${this.rules.size}`));
    return name;
  }

  constantValue(index: Index): Value {
    return this.#tables.constants[index]!;
  }

  /** A condition: one of the operands is undefined. Empty where none can be. */
  undefinedOf(...operands: readonly LoweredOperand[]): readonly string[] {
    return operands
      .filter((operand) => operand >= 0 && !this.known.isDefined(operand))
      .map((operand) => `${this.register(operand)} === undefined`);
  }

  /** Notes the statement's place, for errors. */
  at(origin: Index): void {
    const place = placeOfOrigin(this.#tables, origin);
    if (this.#at === place) return;
    this.#at = place;
    this.line(this.#values === undefined ? `at = ${place};` : `at = c[${this.#values.push(place) - 1}];`);
  }

  /** In listings, the lines from here on belong to a statement; answers the last one. */
  mark(origin: Index): Index {
    const last = this.#marked;
    if (this.#tables.statements !== undefined && origin !== last) {
      this.#marked = origin;
      this.line(`${markOfLine}${origin}`);
    }
    return last;
  }

  /** Several ways lead to the next statement: the place is not known. */
  joined(): void {
    this.fresh.clear();
    this.#at = undefined;
  }

  /** Writes a block's statements, inside of which `cut` leaves the block. */
  inBlock(cut: string, write: () => void): void {
    this.#cuts.push(cut);
    this.fresh.clear();
    this.known.enter();
    write();
    this.known.leave();
    this.#cuts.pop();
  }

  /** The statement that cuts the enclosing block `index` short, 0 is its own. */
  cut(index = 0): string {
    return this.#cuts[this.#cuts.length - 1 - index]!;
  }

  /** The statement that ends the outermost block. */
  exit(): string {
    return this.#cuts[0]!;
  }

  /** Cuts the block short where one of the conditions holds. */
  cutIf(conditions: readonly string[]): void {
    if (conditions.length > 0) this.line(`if (${conditions.join(' || ')}) ${this.cut()}`);
  }
}

/** The index of a place, which most programs have for origin. */
export function placeOfOrigin({ statements }: Pick<CodeTables, 'statements'>, origin: Index): Index {
  return statements === undefined ? origin : (statements[origin - 1]?.place ?? 0);
}

/** Whether the input and the data may be others in some part of a function. */
export function changesDocuments(func: LoweredFunction): boolean {
  const block = outermostBlocks(func).flat();
  const written = writtenIn(block);
  return written.has(0) || written.has(1) || hasWith(block);
}

export function hasScan(block: LoweredBlock): boolean {
  return block.some((stmt) => stmt.kind === 'scan' || innerBlocks(stmt).some(hasScan));
}

function hasWith(block: LoweredBlock): boolean {
  return block.some((stmt) => stmt.kind === 'with' || innerBlocks(stmt).some(hasWith));
}
