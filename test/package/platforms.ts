/** The entry for browsers on each platform that it is for, compared with the library on Node. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseJson, toJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { conformanceFolder, readCases } from '../conformance/cases.js';
import { chromiumPath } from '../harness/chromium.js';
import { outcomeOfPage } from '../harness/served-page.js';
import { own, run, type Tools, withNode } from './project.js';

interface Report {
  readonly texts: Readonly<Record<string, string>>;
  /** What is wrong with rows of built-ins. */
  readonly rows: Readonly<Record<string, string>>;
  readonly cases: readonly string[];
}

/** Built-ins that a browser cannot have. */
const absent = ['net.lookup_ip_addr', 'http.send'];

/** Checks whose outcomes differ between platforms. */
const keys = 'keys, which wait';
const threads = 'decisions in threads';

const withoutWorkers: ReadonlySet<string> = new Set(['Node', 'workerd']);

const node = own('node/bin/node');

export function testPlatforms(project: string, tools: Tools): void {
  const browser = join(project, 'node_modules/writ/dist/browser');
  const cases = planCases();
  const platforms: readonly (readonly [string, (() => Promise<Report>) | undefined])[] = [
    ['Node', () => reportOf(project, node, ['by-platform.mjs', 'writ/browser', 'node.json'])],
    ['Bun', ran(tools.path('bun/bin/bun.exe'), (program) => reportOf(project, program, ['by-platform.mjs', 'writ/browser', 'bun.json']))],
    [
      'Deno',
      ran(tools.path('deno/bin.cjs'), (program) =>
        reportOf(project, node, [program, 'run', '-A', '--node-modules-dir=manual', 'by-platform.mjs', 'writ/browser', 'deno.json']),
      ),
    ],
    ['workerd', ran(tools.path('workerd/bin/workerd'), (program) => reportOfWorkerd(project, browser, program))],
    ['Chromium', ran(chromiumPath, () => reportOfChromium(project, unbundled(project, browser)))],
    ['Chromium, bundled by Vite', ran(chromiumPath, async () => reportOfChromium(project, await bundledByVite(project)))],
  ];

  describe('the entry for browsers', () => {
    let expected: Report;

    beforeAll(async () => {
      writeFileSync(join(project, 'rows.json'), rows(project));
      writeFileSync(join(project, 'left.json'), JSON.stringify(absent));
      writeFileSync(join(project, 'plan.json'), readFileSync(join(project, 'fixtures/bundles/example/plan.json')));
      writeFileSync(join(project, 'cases.json'), cases);
      expected = await reportOf(project, node, ['by-platform.mjs', 'writ', 'expected.json']);
    });

    describe.each(platforms)('on %s', (name, report) => {
      let found: Report;

      beforeAll(async () => {
        if (report !== undefined) found = await report();
      });

      test.skipIf(report === undefined)('decides, explains, filters and fails as on Node', () => {
        expect(Object.keys(found.texts)).toEqual(Object.keys(expected.texts));
        for (const [title, text] of Object.entries(found.texts)) {
          if (title !== keys && title !== threads) expect([title, text]).toEqual([title, expected.texts[title]]);
        }
      });

      test.skipIf(report === undefined)('decides in workers, or says that there are none', () => {
        const text = found.texts[threads]!;
        if (!withoutWorkers.has(name)) expect(text).toBe(expected.texts[threads]);
        else expect(text).toContain('EngineError no_threads: this platform has no Web Workers');
      });

      test.skipIf(report === undefined)('waits for what uses keys', () => {
        const [atOnce, ...later] = JSON.parse(found.texts[keys]!) as string[];
        expect(atOnce).toContain('decide with decideAsync');
        expect(later).toEqual(['{"result":true}', '{"result":false}', '{"result":true}']);
      });

      test.skipIf(report === undefined)('has the built-ins of Node but for those of a network', () => {
        expect(found.rows).toEqual({});
      });

      test.skipIf(report === undefined || cases === '[]')('answers the recorded plans as Node does', () => {
        expect(found.cases.length).toBe(expected.cases.length);
        const different = found.cases.flatMap((text, i) => (text === expected.cases[i] ? [] : [{ i, text, expected: expected.cases[i] }]));
        expect(different).toEqual([]);
      });
    });
  });
}

function ran(program: string | undefined, report: (program: string) => Promise<Report>): (() => Promise<Report>) | undefined {
  return program === undefined ? undefined : () => report(program);
}

function rows(project: string): string {
  const folder = join(project, 'fixtures/builtins');
  return toJson(readdirSync(folder).flatMap((file) => parseJson(readFileSync(join(folder, file), 'utf8')) as readonly Value[]));
}

/** The recorded plans that need no host of their own, as a JSON list. */
function planCases(): string {
  const folder = conformanceFolder();
  if (folder === undefined) {
    console.log('the entry for browsers: recorded plans are skipped, the folder of the conformance cases is absent');
    return '[]';
  }
  const found = readCases(join(folder, 'plans')).flatMap(({ case: one }) => {
    const isPlain = one.plan !== undefined && one.env === undefined && one.input_term === undefined;
    if (!isPlain || /test\.sleep|http\.send|net\.lookup|rand\.|uuid\.rfc4122|time\.now_ns|opa\.runtime/.test(toJson(one.plan as Value)))
      return [];
    const { input, data, plan, strict_error: strict = false } = one;
    return [
      {
        plan: plan as Value,
        entrypoint: one.entrypoints![0]!,
        strict,
        ...(input !== undefined && { input }),
        ...(data !== undefined && { data }),
      },
    ];
  });
  return toJson(found);
}

async function reportOf(project: string, program: string, args: readonly string[]): Promise<Report> {
  const { status, stdout, stderr } = await run(program, args, project, withNode(node));
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  return JSON.parse(readFileSync(join(project, args.at(-1)!), 'utf8')) as Report;
}

/** The script of rows as an ES module. */
function rowModule(project: string): string {
  const code = readFileSync(join(project, 'builtin-rows.cjs'), 'utf8');
  return `const module = {};\n${code.replace('module.exports =', 'export const rowCode =')}`;
}

const names = ['rows.json', 'left.json', 'plan.json', 'cases.json'];

type Files = ReadonlyMap<string, string | Uint8Array>;

/** The script of a page that imports the library from an address or by its name. */
const pageScript = (library: string, rows: string) => `import * as writ from '${library}';
import { report } from './platform-checks.mjs';
import { rowCode } from '${rows}';
const post = (path, body) => fetch(path, { method: 'POST', body });
addEventListener('unhandledrejection', ({ reason }) => post('/failed', String(reason?.stack ?? reason)));
addEventListener('error', ({ message }) => post('/failed', message));
const read = async (name) => await (await fetch('/' + name)).text();
await post('/done', JSON.stringify(await report(writ, rowCode, read)));`;

/** The entry as it is in the package, with its chunks. */
function unbundled(project: string, browser: string): Files {
  return new Map<string, string | Uint8Array>([
    ['/page.mjs', pageScript('./writ/index.js', './rows.mjs')],
    ['/platform-checks.mjs', readFileSync(join(project, 'platform-checks.mjs'))],
    ['/rows.mjs', rowModule(project)],
    ...filesIn(browser, '/writ'),
  ]);
}

/** The entry in the bundle of a page, whose bundler copies the script of workers. */
async function bundledByVite(project: string): Promise<Files> {
  writeFileSync(join(project, 'page-rows.mjs'), rowModule(project));
  writeFileSync(join(project, 'page-source.mjs'), pageScript('writ/browser', './page-rows.mjs'));
  const options = `{ configFile: false, logLevel: 'error', base: './', build: { target: 'es2022', modulePreload: false, outDir: 'page-vite',
    rollupOptions: { input: 'page-source.mjs', output: { entryFileNames: 'page.mjs' } } } }`;
  const program = `import { build } from '${own('vite/dist/node/index.js')}';\nawait build(${options});`;
  writeFileSync(join(project, 'page-build.mjs'), program);
  const { status, stdout, stderr } = await run(node, ['page-build.mjs'], project, withNode(node));
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  return filesIn(join(project, 'page-vite'), '');
}

function filesIn(folder: string, address: string): Map<string, Uint8Array> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [`${address}/${relative(folder, path)}`, readFileSync(path)];
    }),
  );
}

async function reportOfChromium(project: string, scripts: Files): Promise<Report> {
  const files = new Map<string, string | Uint8Array>([
    ['/', '<!doctype html><script type="module" src="/page.mjs"></script>'],
    ...names.map((name) => [`/${name}`, readFileSync(join(project, name))] as const),
    ...scripts,
  ]);
  return JSON.parse(await outcomeOfPage(files)) as Report;
}

/** A worker whose modules are the chunks of the entry, asked once by HTTP. */
async function reportOfWorkerd(project: string, browser: string, program: string): Promise<Report> {
  const port = await freePort();
  writeFileSync(
    join(project, 'worker.mjs'),
    `import * as writ from './writ/index.js';
import { report } from './platform-checks.mjs';
import { rowCode } from './rows.mjs';
${names.map((name, i) => `import file${i} from './${name}';`).join('\n')}
const files = { ${names.map((name, i) => `'${name}': file${i}`).join(', ')} };
export default { fetch: async () => new Response(JSON.stringify(await report(writ, rowCode, async (name) => files[name]))) };`,
  );
  writeFileSync(join(project, 'rows.mjs'), rowModule(project));
  const modules = [
    ...['worker.mjs', 'platform-checks.mjs', 'rows.mjs'].map((name) => `(name = "${name}", esModule = embed "${name}")`),
    ...names.map((name) => `(name = "${name}", text = embed "${name}")`),
    ...readdirSync(browser)
      .filter((name) => name.endsWith('.js'))
      .map((name) => `(name = "writ/${name}", esModule = embed "node_modules/writ/dist/browser/${name}")`),
  ];
  writeFileSync(
    join(project, 'workerd.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (compatibilityDate = "2026-01-01", modules = [${modules.join(',\n')}]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);`,
  );
  const worker = spawn(program, ['serve', 'workerd.capnp'], { cwd: project, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  worker.stderr.on('data', (text: Buffer) => (complaints += text));
  try {
    const response = await untilThere(`http://127.0.0.1:${port}/`, () => worker.exitCode !== null);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()} ${complaints}`);
    return (await response.json()) as Report;
  } catch (error) {
    throw new Error(`${(error as Error).message} ${complaints}`);
  } finally {
    worker.kill('SIGKILL');
  }
}

async function untilThere(url: string, hasEnded: () => boolean): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url);
    } catch (error) {
      if (hasEnded()) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
