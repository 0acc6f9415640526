/** The time of an evaluation by line, in the reference's profile format. */
import { isSolutionNumber } from '../../engine/index.js';
import type { ProbeTable } from '../coverage/probe-table.js';
import type { FlagValues } from '../flags.js';

export interface ExpressionProfile {
  readonly location: { readonly file: string; readonly row: number; readonly col: number };
  readonly total_time_ns: number;
  /** How often an expression of the line was evaluated, and how often it was true. */
  readonly num_eval: number;
  readonly num_redo: number;
  /** The number of expressions that the compiler generated from it. */
  readonly num_gen_expr: number;
  /** The text of the line's first expression; a table shows it for a query. */
  readonly text: string;
}

interface Line {
  readonly text: string;
  location: ExpressionProfile['location'];
  time: number;
  evaluations: number;
  redos: number;
  readonly indexes: Set<number>;
}

/** The reference's default sort order. */
const defaultSort = ['total_time_ns', 'num_eval', 'num_redo', 'file', 'line'];

const criteria: Readonly<Record<string, (a: ExpressionProfile, b: ExpressionProfile) => number>> = {
  total_time_ns: (a, b) => b.total_time_ns - a.total_time_ns,
  num_eval: (a, b) => b.num_eval - a.num_eval,
  num_redo: (a, b) => b.num_redo - a.num_redo,
  num_gen_expr: (a, b) => b.num_gen_expr - a.num_gen_expr,
  file: (a, b) => (a.location.file < b.location.file ? 1 : a.location.file > b.location.file ? -1 : 0),
  line: (a, b) => b.location.row - a.location.row,
};

/**
 * The profile of the recorded runs by line, sorted by several criteria in turn; at most `limit`
 * lines, or all for 0.
 */
export function profileOf(table: ProbeTable, sort: readonly string[], limit: number): ExpressionProfile[] {
  const lines = new Map<string, Line>();
  for (const probe of table.all) {
    if (probe.hits === 0 || isSolutionNumber(probe.expr)) continue;
    const { file, row, col } = probe.loc;
    const key = `${row}:${file}`;
    let line = lines.get(key);
    if (line === undefined)
      lines.set(
        key,
        (line = {
          location: { file, row, col },
          text: probe.loc.text,
          time: 0,
          evaluations: 0,
          redos: 0,
          indexes: new Set(),
        }),
      );
    line.time += probe.time;
    if (probe.kind !== 'expression') continue;
    line.evaluations += probe.hits;
    line.redos += probe.next?.hits ?? 0;
    line.indexes.add(probe.index);
  }
  const all = [...lines.values()].map((line) => ({
    location: line.location,
    total_time_ns: Math.round(line.time * 1e6),
    num_eval: line.evaluations,
    num_redo: line.redos,
    num_gen_expr: line.indexes.size,
    text: line.text,
  }));
  return sortedProfile(all, sort, limit);
}

/** The order and the number of lines that flags ask for. */
export function profileFlags(flags: FlagValues): readonly [sort: readonly string[], limit: number] {
  const sort = flags.all('profile-sort').flatMap((list) => list.split(','));
  return [sort.length > 0 ? sort : defaultSort, flags.number('profile-limit') ?? 10];
}

/** Lines sorted by several criteria in turn; at most `limit`, or all for 0. */
export function sortedProfile(
  lines: readonly ExpressionProfile[],
  sort: readonly string[],
  limit: number,
): ExpressionProfile[] {
  const orders = sort.flatMap((name) => criteria[name] ?? []);
  const sorted = lines.toSorted((a, b) => orders.map((order) => order(a, b)).find((order) => order !== 0) ?? 0);
  return limit > 0 ? sorted.slice(0, limit) : sorted;
}
