/** Coverage in the format of lcov's trace files (`man geninfo`, "FILES"). */
import type { Coverage } from './coverage.js';
import { coveredLines, isPartly } from './lines.js';

/** The parts of a row that was evaluated in part are branches. */
export function coverageLcov({ files }: Coverage): string {
  return Object.entries(files)
    .map(([file, coverage]) => {
      const lines = coveredLines(coverage);
      const partly = lines.filter(isPartly);
      const branches = partly.flatMap(({ row, covered, parts }) =>
        Array.from({ length: parts }, (_, i) => `BRDA:${row},0,${i},${i < covered ? 1 : 0}`),
      );
      return [
        'TN:',
        `SF:${file}`,
        ...branches,
        `BRF:${branches.length}`,
        `BRH:${partly.reduce((sum, { covered }) => sum + covered, 0)}`,
        ...lines.map(({ row, covered }) => `DA:${row},${covered > 0 ? 1 : 0}`),
        `LF:${lines.length}`,
        `LH:${lines.filter(({ covered }) => covered > 0).length}`,
        'end_of_record\n',
      ].join('\n');
    })
    .join('');
}
