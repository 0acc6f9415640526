import type { Local, Operand, Policy, Stmt, StringIndex } from './plan.js';
import { queryFile } from './query-file.js';

const longestString = 60;

/** A position with the name of its file. Older plans do not say where a range ends. */
export interface PlaceText {
  readonly file: string;
  readonly row: number;
  readonly col: number;
  readonly end_row?: number;
  readonly end_col?: number;
}

/** Parts of a plan as text for people: names instead of numbers, strings instead of indexes. */
export class StatementText {
  readonly #strings: readonly string[];
  readonly #files: readonly string[];
  readonly #longest: number;

  /** @param longest strings are cut behind so many characters */
  constructor(policy: Policy, longest = longestString) {
    this.#longest = longest;
    this.#strings = (policy.static?.strings ?? []).map(({ value }) => value);
    this.#files = (policy.static?.files ?? []).map(({ value }) => value);
  }

  /**
   * `policy.rego:3:1-20`, or with the row where it ends `policy.rego:3:1-4:2`; a file that is not
   * in the table shows as its number.
   */
  position(node: Stmt): string {
    const place = this.place(node);
    return place === undefined ? 'no position' : placeText(place);
  }

  /** The position; undefined where the compiler gave none. */
  place({ stmt: { file, row, col, end_row, end_col } }: Stmt): PlaceText | undefined {
    if (row <= 0) return undefined;
    return rangedPlace({ file: this.#files[file] ?? `<file ${file}>`, row, col, end_row, end_col });
  }

  /** Locals 0 and 1 hold the input and the data in every plan and function. */
  local(local: Local): string {
    if (local === 0) return 'input';
    return local === 1 ? 'data' : `l${local}`;
  }

  locals(locals: readonly Local[] | null): string {
    return (locals ?? []).map((local) => this.local(local)).join(', ');
  }

  operand(operand: Operand): string {
    switch (operand.type) {
      case 'bool':
        return String(operand.value);
      case 'local':
        return this.local(operand.value);
      case 'string_index':
        return this.string(operand.value);
    }
  }

  /** One line, the statement's name first. */
  statement(stmt: Stmt): string {
    return `${stmt.type.slice(0, -'Stmt'.length)} ${this.#details(stmt)}`.trimEnd();
  }

  #details({ type, stmt }: Stmt): string {
    switch (type) {
      case 'ArrayAppendStmt':
        return `${this.local(stmt.array)}, ${this.operand(stmt.value)}`;
      case 'AssignIntStmt':
      case 'MakeNumberIntStmt':
        return `${this.local(stmt.target)} := ${stmt.value}`;
      case 'AssignVarOnceStmt':
      case 'AssignVarStmt':
        return `${this.local(stmt.target)} := ${this.operand(stmt.source)}`;
      case 'BlockStmt':
      case 'NopStmt':
      case 'NotStmt':
        return '';
      case 'BreakStmt':
        return String(stmt.index);
      case 'CallDynamicStmt':
        return `${this.local(stmt.result)} := [${(stmt.path ?? []).map((key) => this.operand(key)).join(', ')}](${this.locals(stmt.args)})`;
      case 'CallStmt':
        return `${this.local(stmt.result)} := ${stmt.func}(${(stmt.args ?? []).map((arg) => this.operand(arg)).join(', ')})`;
      case 'DotStmt':
        return `${this.local(stmt.target)} := ${this.operand(stmt.source)}[${this.operand(stmt.key)}]`;
      case 'EqualStmt':
        return `${this.operand(stmt.a)} == ${this.operand(stmt.b)}`;
      case 'NotEqualStmt':
        return `${this.operand(stmt.a)} != ${this.operand(stmt.b)}`;
      case 'IsArrayStmt':
      case 'IsObjectStmt':
      case 'IsSetStmt':
        return this.operand(stmt.source);
      case 'IsDefinedStmt':
      case 'IsUndefinedStmt':
      case 'ReturnLocalStmt':
        return this.local(stmt.source);
      case 'LenStmt':
        return `${this.local(stmt.target)} := ${this.operand(stmt.source)}`;
      case 'MakeArrayStmt':
        return `${this.local(stmt.target)} := [] capacity ${stmt.capacity}`;
      case 'MakeNullStmt':
        return `${this.local(stmt.target)} := null`;
      case 'MakeNumberRefStmt':
        // The text of a number, so it goes without quotes.
        return `${this.local(stmt.target)} := ${this.#shortened(this.#strings[stmt.index] ?? missingString(stmt.index))}`;
      case 'MakeObjectStmt':
        return `${this.local(stmt.target)} := {}`;
      case 'MakeSetStmt':
        return `${this.local(stmt.target)} := set()`;
      case 'ObjectInsertOnceStmt':
      case 'ObjectInsertStmt':
        return `${this.local(stmt.object)}[${this.operand(stmt.key)}] := ${this.operand(stmt.value)}`;
      case 'ObjectMergeStmt':
        return `${this.local(stmt.target)} := ${this.local(stmt.a)}, ${this.local(stmt.b)}`;
      case 'ResetLocalStmt':
        return this.local(stmt.target);
      case 'ResultSetAddStmt':
        return this.local(stmt.value);
      case 'ScanStmt':
        return `${this.local(stmt.source)} as ${this.local(stmt.key)}, ${this.local(stmt.value)}`;
      case 'SetAddStmt':
        return `${this.local(stmt.set)}, ${this.operand(stmt.value)}`;
      case 'WithStmt': {
        const path = (stmt.path ?? []).map((index) => `[${this.string(index)}]`).join('');
        return `${this.local(stmt.local)}${path} := ${this.operand(stmt.value)}`;
      }
    }
  }

  /** A string of the table, quoted, cut if long. */
  string(index: StringIndex): string {
    const text = this.#strings[index];
    return text === undefined ? missingString(index) : JSON.stringify(this.#shortened(text));
  }

  #shortened(text: string): string {
    if (text.length <= this.#longest) return text;
    // Not between the halves of a surrogate pair.
    const end = /[\ud800-\udbff]/.test(text[this.#longest - 1]!) ? this.#longest - 1 : this.#longest;
    return `${text.slice(0, end)}…`;
  }
}

/** A place without its end, where that is not behind its start. */
export function rangedPlace({ file, row, col, end_row, end_col }: Required<PlaceText>): PlaceText {
  // Queries have no file: older plans and those of other compilers give it an empty name.
  const start = { file: file === '' ? queryFile : file, row, col };
  const isRange = end_row > row || (end_row === row && end_col > col);
  return isRange ? { ...start, end_row, end_col } : start;
}

/** `policy.rego:3:1-20` */
export function placeText({ file, row, col, end_row, end_col }: PlaceText): string {
  const start = `${file}:${row}:${col}`;
  if (end_row === undefined) return start;
  return `${start}-${end_row === row ? '' : `${end_row}:`}${end_col}`;
}

function missingString(index: StringIndex): string {
  return `<string ${index}>`;
}
