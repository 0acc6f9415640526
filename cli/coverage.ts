/** Which lines of policies ran: the reference's report. */
import type { Module, Rule } from '../compiler/ast/nodes.js';
import { walk } from '../compiler/ast/walk.js';
import { linksOf } from '../compiler/resolve/links.js';
import { sortStrings } from '../runtime/values/compare.js';
import type { MarkTable } from './mark-table.js';

interface Position {
  readonly row: number;
}

/** Rows that follow one another. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A field that would be empty or zero is left out. */
export interface FileCoverage {
  readonly covered?: readonly Range[];
  readonly not_covered?: readonly Range[];
  readonly covered_lines?: number;
  readonly not_covered_lines?: number;
  readonly coverage?: number;
}

export interface Coverage {
  readonly files: Readonly<Record<string, FileCoverage>>;
  readonly covered_lines: number;
  readonly not_covered_lines: number;
  /** Percent. */
  readonly coverage: number;
}

/** Counts the lines of expressions that were looked at and of heads of rules that were true. */
export class CoverageCounter {
  readonly #rows = new Map<string, Set<number>>();

  /** Takes what runs of a plan passed. */
  add(table: MarkTable): void {
    table.marks.forEach(({ kind, loc, head }, i) => {
      if (table.hits[i] === 0) return;
      const at = kind === 'expression' ? loc : head;
      if (at !== undefined && at.file !== '') this.#rowsOf(at.file).add(at.row);
    });
  }

  #rowsOf(file: string): Set<number> {
    let rows = this.#rows.get(file);
    if (rows === undefined) this.#rows.set(file, (rows = new Set()));
    return rows;
  }

  report(modules: Iterable<Module>): Coverage {
    const missing = new Map<string, Set<number>>();
    for (const module of modules) {
      const file = module.source.file;
      const rows = new Set<number>();
      for (const row of rowsOf(module)) if (this.#rows.get(file)?.has(row) !== true) rows.add(row);
      missing.set(file, rows);
    }
    let covered = 0;
    let notCovered = 0;
    const names = sortStrings([...new Set([...this.#rows.keys(), ...missing.keys()])]);
    const files = names.map((name): [string, FileCoverage] => {
      const have = this.#rows.get(name) ?? new Set();
      const lack = missing.get(name) ?? new Set();
      covered += have.size;
      notCovered += lack.size;
      return [name, fileCoverage(have, lack)];
    });
    return {
      files: Object.fromEntries(files),
      covered_lines: covered,
      not_covered_lines: notCovered,
      coverage: percent(covered, notCovered),
    };
  }
}

function fileCoverage(covered: ReadonlySet<number>, missing: ReadonlySet<number>): FileCoverage {
  const coverage = percent(covered.size, missing.size);
  return {
    ...(covered.size > 0 && { covered: ranges(covered) }),
    ...(missing.size > 0 && { not_covered: ranges(missing) }),
    ...(covered.size > 0 && { covered_lines: covered.size }),
    ...(missing.size > 0 && { not_covered_lines: missing.size }),
    ...(coverage > 0 && { coverage }),
  };
}

function percent(covered: number, missing: number): number {
  return covered + missing === 0 ? 0 : (100 * covered) / (covered + missing);
}

function ranges(rows: ReadonlySet<number>): Range[] {
  const found: { start: Position; end: Position }[] = [];
  for (const row of [...rows].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last?.end.row === row - 1) last.end = { row };
    else found.push({ start: { row }, end: { row } });
  }
  return found;
}

/** The rows that can be covered: of heads and of expressions, declarations aside. */
function* rowsOf(module: Module): IterableIterator<number> {
  const rows: number[] = [];
  for (const rule of module.rules) {
    for (const link of linksOf(rule)) rows.push(link.head.loc.row, ...expressionRows(link));
  }
  yield* rows;
}

function expressionRows(rule: Rule): number[] {
  const rows: number[] = [];
  const visit = (node: Parameters<typeof walk>[0]) =>
    walk(node, (inner) => {
      if (inner.type === 'expr' && inner.kind !== 'some') rows.push(inner.loc.row);
    });
  visit(rule.head);
  for (const expr of rule.body) visit(expr);
  return rows;
}

/** What is said where too little is covered; with `lines`, which lines are not. */
export function thresholdText(report: Coverage, threshold: number, lines: boolean): string {
  const text = `Code coverage threshold not met: got ${report.coverage.toFixed(2)} instead of ${threshold.toFixed(2)}`;
  if (!lines) return text;
  const missing = Object.entries(report.files).flatMap(([file, { not_covered = [] }]) =>
    not_covered.map(({ start, end }) => `\n\t${file}:${start.row}${end.row === start.row ? '' : `-${end.row}`}`),
  );
  return `${text}\nLines not covered:${missing.join('')}`;
}
