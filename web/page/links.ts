/** The ways between the panes: statements to lines and places, and back. */
import { type BlockGraph, blockGraph } from '../../inspect/block-graph.js';
import { CallGraph } from '../../inspect/call-graph.js';
import { hasPlace, statementsAt } from '../../inspect/places.js';
import { type AddressedStatement, Addresses } from '../../ir-schema/address.js';
import { DebugIndex } from '../../ir-schema/debug-index.js';
import type { DebugReason } from '../../ir-schema/debug-info.js';
import { effectsOf } from '../../ir-schema/effects.js';
import { StatementText } from '../../ir-schema/statement-text.js';
import type { CodeLines, InspectedPlan, SourceText } from '../data/page-data.js';
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
  readonly plan: InspectedPlan;
  readonly addresses: Addresses;
  readonly owners: readonly Owner[];
  readonly files: readonly string[];
  readonly #text: StatementText;
  readonly #debug: DebugIndex | undefined;
  readonly #code: Readonly<Record<CodePaneName, CodeLines>>;
  /** Lines, from 1, by statement, of each pane. */
  readonly #lines = new Map<CodePaneName, ReadonlyMap<number, readonly number[]>>();
  readonly #sources: ReadonlyMap<string, SourceText>;
  #calls: CallGraph | undefined;

  constructor(plan: InspectedPlan, sources: readonly SourceText[]) {
    const { policy, program, js } = plan;
    this.plan = plan;
    this.addresses = new Addresses(policy);
    this.files = (policy.static?.files ?? []).map(({ value }) => value);
    this.#debug = plan.debug && new DebugIndex(plan.debug, this.addresses);
    this.#text = new StatementText(policy);
    this.#code = { plan: planLines(policy, this.addresses), program, js };
    this.#sources = new Map(sources.map((source) => [source.file, source]));
    this.owners = this.addresses.owners.map((owner): Owner => {
      const inside = this.addresses.inside(owner);
      return { name: owner.name, kind: owner.kind, first: inside[0]?.index ?? 0, count: inside.length };
    });
  }

  /** How many statements there are. */
  get size(): number {
    return this.addresses.size;
  }

  get calls(): CallGraph {
    return (this.#calls ??= new CallGraph(this.plan.policy, this.addresses));
  }

  blocksOf(owner: number): BlockGraph {
    return blockGraph(this.addresses, this.addresses.owners[owner]!);
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
    const found = this.addresses.get(statement);
    return found === undefined ? '' : this.#text.position(found.stmt);
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

  /** A local by the author's name at a statement, where the plan tells it. */
  nameOf(local: number, statement: number): string {
    if (local < documents.length) return documents[local]!;
    for (const [name, named] of this.#debug?.locals(this.address(statement)) ?? []) if (named === local) return name;
    return `l${local}`;
  }

  /** By each local that a statement writes its author's name; undefined for one without. */
  writtenNames(statement: number): readonly (string | undefined)[] {
    const found = this.addresses.get(statement);
    if (found === undefined || this.#debug === undefined) return nothing;
    // A name holds behind the statement that gives it its value.
    const behind = this.ownerOf(statement + 1) === this.ownerOf(statement) ? statement + 1 : statement;
    return effectsOf(found.stmt).writes.map((local) => {
      const name = this.nameOf(local, behind);
      return name === `l${local}` ? undefined : name;
    });
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
    const stmt = this.addresses.get(statement)?.stmt.stmt;
    const file = stmt && hasPlace(stmt) ? this.files[stmt.file] : undefined;
    return file !== undefined && this.#sources.has(file) ? file : undefined;
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
    return statementsAt(this.plan.policy, this.addresses, { file, row, col }).map(({ index }) => index);
  }

  /** Where a statement stands in a source: a range for each of its lines. */
  rangesIn(file: string, statement: number): readonly LitRange[] {
    const found = this.addresses.get(statement);
    if (found === undefined || !hasPlace(found.stmt.stmt) || this.files[found.stmt.stmt.file] !== file) return [];
    return rangesOf(found, (this.#sources.get(file)?.text ?? '').split('\n'));
  }
}

function rangesOf({ stmt: { stmt } }: AddressedStatement, lines: readonly string[]): LitRange[] {
  const { row, col, end_row, end_col } = stmt;
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
