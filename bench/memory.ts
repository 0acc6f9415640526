/**
 * `npm run -s bench -- memory [DIR…]`: memory of an engine over the data of workloads, as a ratio
 * to `JSON.parse` of the same `data.json`. It runs the built library, in processes of their own;
 * garbage is collected before each reading.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

interface Memory {
  /** Bytes of the heap and of buffers. */
  readonly held: number;
  /** Bytes of the process, without those of an empty one. */
  readonly resident: number;
}

const library = fileURLToPath(new URL('../dist/index.js', import.meta.url));

/** Prints the growth of memory by the values that the statements assign to `kept`. */
function script(load: string, statements: string): string {
  return `${load}
const used = () => {
  for (let i = 0; i < 4; i++) globalThis.gc();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { held: heapUsed + arrayBuffers, resident: rss };
};
const before = used();
${statements}
setTimeout(() => {
  const after = used();
  console.log(JSON.stringify({ held: after.held - before.held, resident: after.resident - before.resident }));
  if (globalThis.kept === undefined) throw new Error('nothing was kept');
}, 500);`;
}

function measured(text: string): Memory {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', text], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Memory;
}

async function compare(folder: string, scratch: string): Promise<void> {
  const { generate } = (await import(pathToFileURL(join(resolve(folder), 'workload.mjs')).href)) as {
    generate(scale: number): { readonly data: object; readonly policy?: string };
  };
  const { data, policy } = generate(1);
  const bundle = join(scratch, basename(folder));
  mkdirSync(bundle);
  writeFileSync(join(bundle, 'data.json'), JSON.stringify(data));
  writeFileSync(join(bundle, 'policy.rego'), policy ?? readFileSync(join(folder, 'policy.rego'), 'utf8'));
  const path = JSON.stringify(join(bundle, 'data.json'));
  const parsed = measured(
    script(`import { readFileSync } from 'node:fs';`, `globalThis.kept = JSON.parse(readFileSync(${path}, 'utf8'));`),
  );
  const load = `import { Engine } from ${JSON.stringify(library)};`;
  // The compiler is loaded with the first policy: that is no memory for data.
  const warm = `await Engine.open({ policies: { 'p.rego': 'package p' } });`;
  const engine = measured(
    script(`${load}\n${warm}`, `globalThis.kept = await Engine.open(${JSON.stringify(bundle)});`),
  );
  const mb = (bytes: number) => (bytes / 1e6).toFixed(1).padStart(10);
  const ratios = [engine.held / parsed.held, engine.resident / parsed.resident].map((ratio) =>
    ratio.toFixed(2).padStart(10),
  );
  process.stdout.write(`${basename(folder).padEnd(18)}${mb(parsed.held)}${mb(engine.held)}${ratios[0]}`);
  process.stdout.write(`${mb(parsed.resident)}${mb(engine.resident)}${ratios[1]}\n`);
}

export async function run(folders: readonly string[]): Promise<void> {
  const named = folders.length > 0 ? folders : [fileURLToPath(new URL('workloads', import.meta.url))];
  const scratch = mkdtempSync(join(tmpdir(), 'writ-memory-'));
  const titles = ['parse MB', 'engine MB', 'ratio', 'parse rss', 'engine rss', 'ratio'].map((title) =>
    title.padStart(10),
  );
  process.stdout.write(`${'workload'.padEnd(18)}${titles.join('')}\n`);
  try {
    for (const folder of named) if (existsSync(join(folder, 'workload.mjs'))) await compare(folder, scratch);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
