/** Coverage of policies, in the reference's report format. */
import type { Module, Position, Source, Span } from '../../compiler/index.js';
import { compareStrings } from '../../values/index.js';
import { type CoverablePart, coverableParts } from './coverable.js';
import { type CoverageRun, coverageRuns } from './coverage-runs.js';
import type { ProbeTable } from './probe-table.js';

/** A range of a file; the end is exclusive. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
  /** The disabled optimizations with which the range is covered. */
  readonly kinds?: readonly CoverageRun[];
}

/** Coverage of one file; empty and zero fields are left out. */
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
  /** In percent. */
  readonly coverage: number;
}

/** Ranges of one file by position, so that each counts once. */
type Ranges = Map<string, Range>;

/** The positions of executed expressions and heads, by source file. */
type Passed = Map<Source, Map<string, Span>>;

/** Collects the expressions that were evaluated and the heads of rules that were true. */
export class CoverageCounter {
  readonly #passed: Passed = new Map();
  readonly #further = new Map<CoverageRun, Passed>();

  /**
   * Adds the probes that runs of a plan passed; `kind` names the optimization that the plan was
   * made without.
   */
  add(table: ProbeTable, kind?: CoverageRun): void {
    const passed: Passed = kind === undefined ? this.#passed : new Map();
    if (kind !== undefined) this.#further.set(kind, passed);
    for (const { hits, kind: of, loc, head } of table.all) {
      const at = of === 'expression' ? loc : head;
      if (hits === 0 || at === undefined || at.file === '') continue;
      let spans = passed.get(at.source);
      if (spans === undefined) passed.set(at.source, (spans = new Map()));
      spans.set(keyOf(at), at);
    }
  }

  /** `reasons` are the ones to tell, of which `runsFor` says what runs they need. */
  report(modules: Iterable<Module>, reasons: readonly CoverageRun[]): Coverage {
    let coveredLines = 0;
    let missingLines = 0;
    const files = [...modules].map((module): [string, FileCoverage] => {
      const { covered, missing } = this.#rangesOf(module, reasons);
      const rows = { covered: rowsOf(covered), missing: rowsOf(missing) };
      coveredLines += rows.covered;
      missingLines += rows.missing;
      return [module.source.file, fileCoverage(covered, missing, rows.covered, rows.missing)];
    });
    return {
      files: Object.fromEntries(files.toSorted(([a], [b]) => compareStrings(a, b))),
      covered_lines: coveredLines,
      not_covered_lines: missingLines,
      coverage: percent(coveredLines, missingLines),
    };
  }

  #rangesOf(module: Module, reasons: readonly CoverageRun[]): { covered: Ranges; missing: Ranges } {
    const parts = coverableParts(module).toSorted((a, b) => lengthOf(a.span) - lengthOf(b.span));
    const covered = coveredBy(this.#passed, module, parts);
    const further = new Map(
      [...this.#further].map(([kind, passed]) => [kind, coveredBy(passed, module, parts)] as const),
    );
    const isPassed = (kind: CoverageRun, key: string): boolean => further.get(kind)?.has(key) === true;
    const missing: Ranges = new Map();
    for (const { span, counts } of parts) {
      const key = keyOf(span);
      if (!counts || covered.has(key)) continue;
      const kinds = coverageRuns.filter(
        (kind) =>
          reasons.includes(kind) && isPassed(kind, key) && !(kind === 'index_excluded' && isPassed('early_exit', key)),
      );
      missing.set(key, { ...rangeOf(span), ...(kinds.length > 0 && { kinds }) });
    }
    return { covered, missing };
  }
}

/**
 * The executed parts. The compiler extracts expressions from others: an extracted expression that
 * is not a part itself covers the part that contains it.
 */
function coveredBy(passed: Passed, { source }: Module, parts: readonly CoverablePart[]): Ranges {
  const covered: Ranges = new Map();
  for (const { start, end } of passed.get(source)?.values() ?? []) {
    const part = parts.find(({ span }) => span.start <= start && end <= span.end);
    if (part !== undefined) covered.set(keyOf(part.span), rangeOf(part.span));
  }
  return covered;
}

function keyOf({ start, end }: Span): string {
  return `${start}-${end}`;
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}

function rangeOf(span: Span): Range {
  return { start: span.source.position(span.start), end: span.endPosition };
}

function fileCoverage(covered: Ranges, missing: Ranges, rows: number, missingRows: number): FileCoverage {
  const coverage = percent(rows, missingRows);
  return {
    ...(covered.size > 0 && { covered: sorted(covered) }),
    ...(missing.size > 0 && { not_covered: sorted(missing) }),
    ...(rows > 0 && { covered_lines: rows }),
    ...(missingRows > 0 && { not_covered_lines: missingRows }),
    ...(coverage > 0 && { coverage }),
  };
}

function percent(covered: number, missing: number): number {
  return covered + missing === 0 ? 0 : (100 * covered) / (covered + missing);
}

function sorted(ranges: Ranges): Range[] {
  return [...ranges.values()].sort((a, b) => before(a.start, b.start) || before(a.end, b.end));
}

function before(a: Position, b: Position): number {
  return a.row - b.row || a.col - b.col;
}

/** The number of rows in some ranges. */
function rowsOf(ranges: Ranges): number {
  const rows = new Set<number>();
  for (const { start, end } of ranges.values()) for (let row = start.row; row <= end.row; row++) rows.add(row);
  return rows.size;
}

/** The message for too little coverage; with `lines`, it lists the lines that are not covered. */
export function thresholdText(report: Coverage, threshold: number, lines: boolean): string {
  const text = `Code coverage threshold not met: got ${report.coverage.toFixed(2)} instead of ${threshold.toFixed(2)}`;
  if (!lines) return text;
  const missing = Object.entries(report.files).flatMap(([file, coverage]) => missingLines(file, coverage));
  return `${text}\nLines not covered:${[...new Set(missing)].join('')}`;
}

/** A line for each file with too little coverage; with `lines`, those not covered follow. */
export function filesText({ files }: Coverage, threshold: number, lines: boolean): string {
  const below = Object.entries(files).filter(
    ([, { coverage = 0, not_covered_lines = 0 }]) => not_covered_lines > 0 && coverage < threshold,
  );
  return below
    .map(([file, coverage]) => {
      const text = `Code coverage threshold not met in ${file}: got ${(coverage.coverage ?? 0).toFixed(2)} instead of ${threshold.toFixed(2)}`;
      return `${text}${lines ? [...new Set(missingLines(file, coverage))].join('') : ''}\n`;
    })
    .join('');
}

function missingLines(file: string, { not_covered = [] }: FileCoverage): readonly string[] {
  return not_covered.map(({ start, end }) => `\n\t${file}:${start.row}${end.row === start.row ? '' : `-${end.row}`}`);
}
