/**
 * `npm run -s bench -- js-modules [--json] [DIR…]`: nanoseconds per decision of a JavaScript module
 * (`build -t js`), of the library, and of the same decision written in JavaScript, in one run.
 */
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { workloadFolders } from './decisions.js';
import { measured } from './pairs/measured.js';

export function run(args: readonly string[]): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  });
  const rows = workloadFolders(positionals).map((folder) => {
    const [limit, library, module] = ['limit', 'writ', 'module'].map(
      (engine) => measured(resolve(folder), engine, '1').ns,
    ) as [number, number, number];
    return {
      workload: basename(folder),
      limitNs: limit,
      libraryNs: library,
      moduleNs: module,
      ratioToLibrary: module / library,
    };
  });
  if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else
    for (const { workload, limitNs, libraryNs, moduleNs, ratioToLibrary } of rows) {
      const numbers = [limitNs, libraryNs, moduleNs].map((ns) => ns.toFixed(0).padStart(10)).join('');
      process.stdout.write(
        `${workload.padEnd(18)}limit, library, module ns:${numbers}   module to library: ${ratioToLibrary.toFixed(2)}\n`,
      );
    }
}
