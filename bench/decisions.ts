/**
 * Nanoseconds per decision, and the ratio to the same decision written in JavaScript, in one run.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measured } from './pairs/measured.js';

interface Row {
  readonly workload: string;
  readonly limitNs: number;
  readonly objectNs: number;
  readonly objectRatio: number;
  /** The limit with `JSON.parse` of the input and `JSON.stringify` of the result. */
  readonly textLimitNs: number;
  readonly textNs: number;
  readonly textRatio: number;
  readonly openMs: number;
}

const here = fileURLToPath(new URL('.//', import.meta.url));

/**
 * Folders of workloads: the named ones, or our own by default. A folder of folders stands for all
 * folders in it.
 */
export function workloadFolders(positionals: readonly string[]): string[] {
  const named = positionals.length > 0 ? positionals : [join(here, 'workloads')];
  return named.flatMap((folder) => {
    if (existsSync(join(folder, 'workload.mjs'))) return [folder];
    const inside = readdirSync(folder)
      .sort()
      .map((name) => join(folder, name));
    return inside.filter((path) => existsSync(join(path, 'workload.mjs')));
  });
}

function geometricMean(numbers: readonly number[]): number {
  return Math.exp(numbers.reduce((sum, n) => sum + Math.log(n), 0) / numbers.length);
}

const column = (text: string | number, width: number) =>
  (typeof text === 'number' ? text.toFixed(text < 100 ? 2 : 0) : text).padStart(width);

/** `[--json] [--scale N] [--against COMMIT [--pairs N]] [DIR…]` */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      scale: { type: 'string', default: '1' },
      against: { type: 'string' },
      pairs: { type: 'string', default: '3' },
    },
  });
  if (values.against !== undefined) {
    const { compareWith } = await import('./pairs/against.js');
    const folders = workloadFolders(positionals);
    return compareWith(values.against, { folders, scale: values.scale, pairs: Number(values.pairs) });
  }
  const rows: Row[] = [];
  const print = (line: string) => {
    if (!values.json) process.stdout.write(`${line}\n`);
  };
  print(
    `${'workload'.padEnd(18)}${['limit ns', 'object ns', 'ratio', 'text limit', 'text ns', 'ratio', 'open ms'].map((title) => column(title, 12)).join('')}`,
  );
  for (const folder of workloadFolders(positionals).map((one) => resolve(one))) {
    const limit = measured(folder, 'limit', values.scale);
    const object = measured(folder, 'writ', values.scale);
    const textLimit = measured(folder, 'limit-text', values.scale);
    const text = measured(folder, 'text', values.scale);
    const row: Row = {
      workload: basename(folder),
      limitNs: limit.ns,
      objectNs: object.ns,
      objectRatio: object.ns / limit.ns,
      textLimitNs: textLimit.ns,
      textNs: text.ns,
      textRatio: text.ns / textLimit.ns,
      openMs: object.openMs,
    };
    rows.push(row);
    const numbers = [
      row.limitNs,
      row.objectNs,
      row.objectRatio,
      row.textLimitNs,
      row.textNs,
      row.textRatio,
      row.openMs,
    ];
    print(`${row.workload.padEnd(18)}${numbers.map((n) => column(n, 12)).join('')}`);
  }
  const mean = geometricMean(rows.map((row) => row.objectRatio));
  // w05 makes one pass over large data; its JavaScript reference needs a few machine instructions
  // per element.
  const small = rows.filter((row) => !row.workload.startsWith('w05'));
  const meanWithoutLarge = geometricMean(small.map((row) => row.objectRatio));
  if (values.json) process.stdout.write(`${JSON.stringify({ rows, mean, meanWithoutLarge }, null, 2)}\n`);
  else print(`geometric mean of object ratios: ${mean.toFixed(2)}; without large data: ${meanWithoutLarge.toFixed(2)}`);
}
