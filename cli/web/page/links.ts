/** The ways between the panes: statements to lines and places, and back. */

import type { DebugReason } from '../../../ir-schema/index.js';
import { Addresses, DebugIndex, effectsOf, placeText, rangedPlace, StatementText } from '../../../ir-schema/index.js';
import type { BlockGraph, StatementAtPlace } from '../../../views/index.js';
import { blockGraph, CallGraph, placedAt, placesOf } from '../../../views/index.js';
import type { CodeLines, PagePlan, PageSource } from '../data/page-data.js';
import type { LitRange } from '../panes/line-marks.js';
import { planLines } from './plan-lines.js';

export type CodePaneName = 'plan' | 'program' | 'js';

/** A plan or a function, with the numbers of its statements. */
export interface Owner {
  readonly name: string;
  readonly kind: 'plan' | 'func';
  readonly first: number;
  readonly count: number;
}

const movedReasons: ReadonlySet<DebugReason> = new Set<DebugReason>([
  'index order',
  'guard',
  'inlined',
  'hoisted',
  'shared',
]);

/** The first locals of each plan and function. */
const documents = ['input', 'data'];
const nothing: readonly never[] = [];

export class Links {
  readonly plan: PagePlan;
  readonly addresses: Addresses;
  readonly owners: readonly Owner[];
  readonly #text: StatementText;
  readonly #debug: DebugIndex | undefined;
  readonly #code: Readonly<Record<CodePaneName, CodeLines>>;
  /** Lines, from 1, by statement, of each pane. */
  readonly #lines = new Map<CodePaneName, ReadonlyMap<number, readonly number[]>>();
  readonly #sources: ReadonlyMap<string, PageSource>;
  #placed: readonly StatementAtPlace[] | undefined;
  #placesByStatement: ReadonlyMap<number, readonly StatementAtPlace[]> | undefined;
  #calls: CallGraph | undefined;

  constructor(plan: PagePlan, sources: readonly PageSource[]) {
    const { policy, program, js } = plan;
    this.plan = plan;
    this.addresses = new Addresses(policy);
    this.#debug = plan.debug && new DebugIndex(plan.debug, this.addresses);
    this.#text = new StatementText(policy);
    this.#code = { plan: planLines(policy, this.addresses, this.#debug), program, js };
    this.#sources = new Map(sources.map((source) => [source.file, source]));
    this.owners = this.addresses.owners.map((owner): Owner => {
      const inside = this.addresses.inside(owner);
      return { name: owner.name, kind: owner.kind, first: inside[0]?.index ?? 0, count: inside.length };
    });
  }

  /** The name of a plan or a function; empty for a number that no one has. */
  ownerName(owner: number): string {
    return this.owners[owner]?.name ?? '';
  }

  /** How many statements there are. */
  get size(): number {
    return this.addresses.size;
  }

  get calls(): CallGraph {
    return (this.#calls ??= new CallGraph(this.plan.policy, this.addresses));
  }

  blocksOf(number: number): BlockGraph['nodes'] {
    const owner = this.addresses.owners[number];
    return owner === undefined ? nothing : blockGraph(this.addresses, owner).nodes;
  }

  code(pane: CodePaneName): CodeLines {
    return this.#code[pane];
  }

  address(statement: number): string {
    return this.addresses.get(statement)?.address ?? '';
  }

  /** The numbers of an address, without its owner. */
  steps(statement: number): string {
    return this.addresses.get(statement)?.steps.join('.') ?? '';
  }

  /** A statement in one line. */
  textOf(statement: number): string {
    const found = this.addresses.get(statement);
    return found === undefined ? '' : this.#text.statement(found.stmt);
  }

  /** Where a statement stands in the sources: `authz.rego:3:1-4:2`. */
  positionOf(statement: number): string {
    const place = this.#shownPlace(statement) ?? this.#placesOf(statement).at(-1);
    return place === undefined ? 'no position' : placeText(rangedPlace(place));
  }

  /** The place whose source is here: that of the author, rather than that in a generated text. */
  #shownPlace(statement: number): StatementAtPlace | undefined {
    return this.#placesOf(statement).findLast(({ file }) => this.#sources.has(file));
  }

  /** The places of all statements; not needed for the first paint. */
  get #places(): readonly StatementAtPlace[] {
    return (this.#placed ??= placesOf(this.plan.policy, this.addresses, this.#debug));
  }

  #placesOf(statement: number): readonly StatementAtPlace[] {
    this.#placesByStatement ??= Map.groupBy(this.#places, (placed) => placed.statement.index);
    return this.#placesByStatement.get(statement) ?? nothing;
  }

  /** Why a statement does not stand where its author wrote it; undefined where it does. */
  reasonOf(statement: number): DebugReason | undefined {
    const { reason } = this.#debug?.at(this.address(statement)) ?? {};
    return reason === 'expression' ? undefined : reason;
  }

  /** Whether the compiler put a statement elsewhere than its author. */
  isMoved(statement: number): boolean {
    const reason = this.reasonOf(statement);
    return reason !== undefined && movedReasons.has(reason);
  }

  /**
   * A local by the author's name at a statement, or behind the one that gave it its value: names
   * hold as far as a body goes.
   */
  nameOf(local: number, statement: number, writer: number | undefined): string {
    return (
      documents[local] ??
      this.#nameAt(local, statement) ??
      (writer === undefined ? undefined : this.#nameBehind(local, writer)) ??
      `l${local}`
    );
  }

  #nameAt(local: number, statement: number): string | undefined {
    for (const [name, named] of this.#debug?.locals(this.address(statement)) ?? []) if (named === local) return name;
    return undefined;
  }

  /** A name holds behind the statement that gives it its value. */
  #nameBehind(local: number, statement: number): string | undefined {
    const behind = this.ownerOf(statement + 1) === this.ownerOf(statement) ? statement + 1 : statement;
    return this.#nameAt(local, behind);
  }

  /** The author's name of each local that a statement writes; undefined for one without. */
  writtenNames(statement: number): readonly (string | undefined)[] {
    const found = this.addresses.get(statement);
    if (found === undefined || this.#debug === undefined) return nothing;
    return effectsOf(found.stmt).writes.map((local) => this.#nameBehind(local, statement));
  }

  get hasNames(): boolean {
    return this.#debug !== undefined;
  }

  statementAt(address: string): number | undefined {
    return this.addresses.at(address)?.index;
  }

  /** The owner of a statement. */
  ownerOf(statement: number): number {
    return this.owners.findIndex(({ first, count }) => statement >= first && statement < first + count);
  }

  /** The file of a statement, if it has a place and its source is here. */
  fileOf(statement: number): string | undefined {
    return this.#shownPlace(statement)?.file;
  }

  /** The file of the rule that answers the first entrypoint; undefined where it is not known. */
  get firstFile(): string | undefined {
    const [entrypoint] = this.addresses.owners;
    const call = entrypoint && this.addresses.inside(entrypoint).find(({ stmt }) => stmt.type === 'CallStmt');
    const callee = call?.stmt.type === 'CallStmt' ? call.stmt.stmt.func : undefined;
    const { first = 0, count = 0 } = this.owners.find(({ name }) => name === callee) ?? {};
    for (let statement = first; statement < first + count; statement++) {
      const file = this.fileOf(statement);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  /** The statements with a place in a file. */
  placedIn(file: string): readonly StatementAtPlace[] {
    return this.#places.filter((placed) => placed.file === file);
  }

  /** The lines of a pane, from 1, that belong to a statement. */
  linesOf(pane: CodePaneName, statement: number): readonly number[] {
    let lines = this.#lines.get(pane);
    if (lines === undefined) this.#lines.set(pane, (lines = linesByStatement(this.#code[pane])));
    return lines.get(statement) ?? nothing;
  }

  /** The statements of a line, from 1, of a pane. */
  statementsOf(pane: CodePaneName, line: number): readonly number[] {
    const statement = this.#code[pane].statements[line - 1] ?? -1;
    return statement < 0 ? nothing : [statement];
  }

  /**
   * The statements of a place in a source, as `inspect --at` finds them.
   * @param col in code points, from 1; undefined for the whole row
   */
  atPlace(file: string, row: number, col: number | undefined): readonly number[] {
    return placedAt(this.#places, { file, row, col }, this.#debug).map(({ index }) => index);
  }

  /** Where a statement stands in a source: a range for each of its lines. */
  rangesIn(file: string, statement: number): readonly LitRange[] {
    const places = this.#placesOf(statement).filter((placed) => placed.file === file);
    return places.flatMap((placed) => rangesOf(placed, (this.#sources.get(file)?.text ?? '').split('\n')));
  }
}

function rangesOf({ row, col, end_row, end_col }: StatementAtPlace, lines: readonly string[]): LitRange[] {
  const lastRow = Math.max(row, Math.min(end_row, lines.length));
  const ranges: LitRange[] = [];
  for (let line = row; line <= lastRow; line++) {
    const text = lines[line - 1] ?? '';
    const from = line === row ? unitsOf(text, col) : text.length - text.trimStart().length;
    // Without a range, the place is one letter.
    const to = line === end_row ? Math.max(unitsOf(text, end_col), from + 1) : end_row < row ? from + 1 : text.length;
    ranges.push({ line, from, to });
  }
  return ranges;
}

function linesByStatement({ statements }: CodeLines): Map<number, number[]> {
  const lines = new Map<number, number[]>();
  statements.forEach((statement, i) => {
    if (statement < 0) return;
    const known = lines.get(statement);
    if (known === undefined) lines.set(statement, [i + 1]);
    else known.push(i + 1);
  });
  return lines;
}

/** A column of code points, from 1, as a number of UTF-16 units. */
function unitsOf(text: string, col: number): number {
  let units = 0;
  let left = col - 1;
  for (const character of text) {
    if (left-- <= 0) break;
    units += character.length;
  }
  return units;
}

/** A number of UTF-16 units as a column of code points, from 1. */
export function columnOf(text: string, units: number): number {
  return [...text.slice(0, units)].length + 1;
}
