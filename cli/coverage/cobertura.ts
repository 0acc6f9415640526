/** Coverage in Cobertura's XML format (coverage-04.dtd). */
import { dirname } from 'node:path';
import { escapedXml } from '../output/xml.js';
import type { Coverage } from './coverage.js';
import { type CoveredLine, coverageRows, isPartly } from './lines.js';

/**
 * A class for each file, a package for each directory.
 * @param time of the report, in milliseconds since 1970
 */
export function coverageCobertura({ files }: Coverage, time: number): string {
  const classes = Object.entries(files).map(([file, coverage]) => ({ file, lines: coverageRows(coverage) }));
  const directories = [...new Set(classes.map(({ file }) => dirname(file)))];
  const all = classes.flatMap(({ lines }) => lines);
  const packages = directories.map((directory) => {
    const inside = classes.filter(({ file }) => dirname(file) === directory);
    const rates = ratesText(inside.flatMap(({ lines }) => lines));
    const shown = inside.map(({ file, lines }) => classText(file, lines)).join('');
    return `    <package name="${escapedXml(directory)}"${rates} complexity="0">\n      <classes>\n${shown}      </classes>\n    </package>\n`;
  });
  const counts = ` lines-covered="${coveredOf(all)}" lines-valid="${all.length}" branches-covered="${partsOf(all, 'covered')}" branches-valid="${partsOf(all, 'parts')}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage${ratesText(all)}${counts} complexity="0" version="1" timestamp="${time}">
  <sources>
    <source>.</source>
  </sources>
  <packages>
${packages.join('')}  </packages>
</coverage>
`;
}

function classText(file: string, lines: readonly CoveredLine[]): string {
  const rows = lines.map((line) => {
    const { row, covered, parts } = line;
    const conditions = isPartly(line)
      ? ` branch="true" condition-coverage="${Math.floor((100 * covered) / parts)}% (${covered}/${parts})"`
      : ' branch="false"';
    return `            <line number="${row}" hits="${covered > 0 ? 1 : 0}"${conditions}/>\n`;
  });
  const name = escapedXml(file);
  return `        <class name="${name}" filename="${name}"${ratesText(lines)} complexity="0">
          <methods/>
          <lines>
${rows.join('')}          </lines>
        </class>
`;
}

function ratesText(lines: readonly CoveredLine[]): string {
  return ` line-rate="${rate(coveredOf(lines), lines.length)}" branch-rate="${rate(partsOf(lines, 'covered'), partsOf(lines, 'parts'))}"`;
}

function rate(covered: number, all: number): string {
  return (all === 0 ? 1 : covered / all).toFixed(4);
}

function coveredOf(lines: readonly CoveredLine[]): number {
  return lines.filter(({ covered }) => covered > 0).length;
}

/** The sum over the rows that were evaluated in part. */
function partsOf(lines: readonly CoveredLine[], what: 'covered' | 'parts'): number {
  return lines.filter(isPartly).reduce((sum, line) => sum + line[what], 0);
}
