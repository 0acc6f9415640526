/** Writes coverage in one of its formats, to a file or a directory, or prints it. */

import { join } from 'node:path';
import type { Module } from '../../compiler/index.js';
import { makeDirectory } from '../../engine/node.js';
import type { Io } from '../io.js';
import { orderedJson } from '../output/ordered-json.js';
import { writeFile } from '../output/write-file.js';
import { coverageCobertura } from './cobertura.js';
import type { Coverage } from './coverage.js';
import { coverageHtml } from './html.js';
import { coverageRows, isPartly } from './lines.js';

interface CoverageOutput {
  /** JSON, unless it is one of the formats of coverage. */
  readonly format: string | undefined;
  /** A file; of pages the directory, which is made. */
  readonly output: string | undefined;
}

/** Throws an Error where a file cannot be written. */
export function writeCoverage(
  coverage: Coverage,
  modules: readonly Module[],
  { format, output }: CoverageOutput,
  io: Io,
): void {
  // The command has refused html without an output.
  if (format === 'html' && output !== undefined) {
    const pages = coverageHtml(coverage, modules);
    makeDirectory(output);
    for (const [name, text] of pages) writeFile(join(output, name), text);
    io.stdout(`coverage ${coverage.coverage.toFixed(2)} %: ${join(output, 'index.html')}\n`);
    return;
  }
  const text = textOf(coverage, format);
  if (output === undefined) io.stdout(text);
  else writeFile(output, text);
}

function textOf(coverage: Coverage, format: string | undefined): string {
  if (format === 'lcov') return coverageLcov(coverage);
  return format === 'cobertura' ? coverageCobertura(coverage, Date.now()) : orderedJson(coverage);
}

/** The parts of a row that was evaluated in part are branches. */
function coverageLcov({ files }: Coverage): string {
  return Object.entries(files)
    .map(([file, coverage]) => {
      const lines = coverageRows(coverage);
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
