/** Bundles that are made again when a policy changes, and policies that are replaced in use. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withNode } from './project.js';

const options = "{ data: 'data.json', schemas: 'schema.json', types: true }";

/** The start of all programs: `report` prints the error of a build, or what its output decides. */
const head = `import rego from 'writ/bundler';
let builds = 0;
const report = async (error) => {
  if (error) return console.log('failed ' + JSON.stringify(error));
  const { decide } = await import(process.cwd() + '/dist/app.mjs?' + builds++);
  console.log('decides ' + decide());
};
`;

const onEvent =
  ".on('event', ({ code, error, result }) => { result?.close(); if (error) report(error.message); else if (code === 'END') report(); })";

/** Of webpack and Rspack. */
const onBuilt = (done: string) =>
  `(error, stats) => { if (error || stats.hasErrors()) console.log('failed ' + JSON.stringify(error?.message ?? stats.toString({ all: false, errors: true }))); else ${done}; }`;
const packed = `mode: 'development', devtool: false, target: 'node22', context: process.cwd()`;
const bundled = `${packed}, entry: './app.js', output: { path: process.cwd() + '/dist', filename: 'app.mjs', module: true, library: { type: 'module' } }`;
const replaced = `${packed}, output: { path: process.cwd() + '/dist', filename: 'app.cjs', hotUpdateChunkFilename: '[id].[fullhash].hot-update.cjs' }`;

/** Programs that bundle `app.js` as `dist/app.mjs` again and again. */
const watchers = {
  Vite: `import { build } from 'vite';
const lib = { entry: 'app.js', formats: ['es'], fileName: () => 'app.mjs' };
(await build({ configFile: false, logLevel: 'silent', plugins: [rego.vite(${options})], build: { lib, watch: {} } }))${onEvent};`,
  Rollup: `import { watch } from 'rollup';
watch({ input: 'app.js', plugins: [rego.rollup(${options})], output: { file: 'dist/app.mjs' } })${onEvent};`,
  Rolldown: `import { watch } from 'rolldown';
watch({ input: 'app.js', plugins: [rego.rolldown(${options})], output: { file: 'dist/app.mjs' } })${onEvent};`,
  esbuild: `import { context } from 'esbuild';
const shown = ({ text, location }) => text + ' ' + location?.file + ':' + location?.line + ':' + location?.column;
const end = { name: 'end', setup: (build) => build.onEnd(({ errors }) => report(errors.length > 0 && errors.map(shown).join())) };
const plugins = [rego.esbuild(${options}), end];
const watching = await context({ entryPoints: ['app.js'], bundle: true, format: 'esm', outfile: 'dist/app.mjs', logLevel: 'silent', plugins });
await watching.watch();`,
  webpack: `import webpack from 'webpack';
webpack({ ${bundled}, experiments: { outputModule: true }, plugins: [rego.webpack(${options})] }).watch({}, ${onBuilt('report()')});`,
  Rspack: `import { rspack } from '@rspack/core';
rspack({ ${bundled}, plugins: [rego.rspack(${options})] }).watch({}, ${onBuilt('report()')});`,
};

/** Programs that replace the policy of `live.js`: in a process of its own, or in theirs. */
const replacers = {
  Vite: `import { createServer } from 'vite';
const { environments } = await createServer({ configFile: false, logLevel: 'silent', appType: 'custom', server: { middlewareMode: true, ws: false },
  customLogger: Object.assign((await import('vite')).createLogger('silent'), { error: (text) => console.log('failed ' + JSON.stringify(text)) }), plugins: [rego.vite(${options})] });
await environments.ssr.runner.import('/live.js');`,
  webpack: `import webpack from 'webpack';
webpack({ ${replaced}, entry: ['webpack/hot/signal', './live.js'], plugins: [new webpack.HotModuleReplacementPlugin(), rego.webpack(${options})] })
  .watch({ aggregateTimeout: 20 }, ${onBuilt("console.log('built')")});`,
  Rspack: `import { rspack, HotModuleReplacementPlugin } from '@rspack/core';
rspack({ ${replaced}, entry: ['@rspack/core/hot/signal', './live.js'], plugins: [new HotModuleReplacementPlugin(), rego.rspack(${options})] })
  .watch({ aggregateTimeout: 20 }, ${onBuilt("console.log('built')")});`,
};

/** The policy stands beside the output: its folder is watched, but builds must not start builds. */
const files = {
  'app.js': `import { allow } from './authz.rego';
export const decide = () => JSON.stringify(['ann', 'bob'].map((user) => allow({ user })));
`,
  'live.js': `import { decide } from './app.js';
const load = Math.random();
let last;
setInterval(() => {
  if (decide() !== last) console.log('decides ' + (last = decide()) + ' ' + load);
}, 5);
`,
  'authz.rego': `package authz

import data.lib

default allow := false

allow if {
	input.user == lib.user
	data.open
}
`,
  'lib.rego': 'package lib\n\nuser := "ann"\n',
  'data.json': '{"open": true}',
  'schema.json': '{"properties": {"user": {"type": "string"}}, "additionalProperties": false}',
};

type File = keyof typeof files;

const broken = { 'authz.rego': files['authz.rego'].replace('data.open', 'dta.open') };
const mended = { 'authz.rego': files['authz.rego'], 'lib.rego': files['lib.rego'] };

/** A build may have read a file that was written by half, and then fails in another way first. */
const failedAtPlace = /^failed (.*dta is unsafe.*authz\.rego(:| \()9:|.*authz\.rego(:| \()9:.*dta is unsafe)/;

/** A process, and the lines that it prints. */
class Printing {
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  readonly #next: AsyncIterator<string>;
  #errors = '';

  constructor(node: string, file: string, cwd: string) {
    this.#child = spawn(node, [file], { cwd, env: withNode(node), stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stderr!.on('data', (text) => (this.#errors += String(text)));
    this.#lines = createInterface(this.#child.stdout!);
    this.#next = this.#lines[Symbol.asyncIterator]();
  }

  onLine(call: (line: string) => void): void {
    this.#lines.on('line', call);
  }

  /** The first group of the next line that a pattern matches. */
  async next(pattern: RegExp): Promise<string | undefined> {
    for (;;) {
      const { done, value } = await this.#next.next();
      if (done === true) throw new Error(`the process ended: ${this.#errors}`);
      const found = pattern.exec(value);
      if (found !== null) return found[1];
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    if (this.#child.exitCode === null && this.#child.kill()) await ended;
  }
}

class WatchedProject {
  readonly folder: string;
  readonly #node: string;

  constructor(apps: string, name: string, node: string) {
    this.folder = join(apps, name);
    this.#node = node;
    // A test that runs once more begins anew.
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder);
    this.#write(files);
  }

  started(program: string): Printing {
    writeFileSync(join(this.folder, 'program.mjs'), `${head}${program}\n`);
    return this.running('program.mjs');
  }

  running(file: string): Printing {
    return new Printing(this.#node, file, this.folder);
  }

  /**
   * Changes files, again and again, until what follows is seen: bundlers may not see a change that
   * comes before their watchers are ready.
   */
  async changed<T>(texts: Partial<Record<File, string>>, seen: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const write = (wait: number) => {
      this.#write(texts);
      // Ever later, so that a slow build ends before the next change.
      timer = setTimeout(write, wait, wait * 2);
    };
    try {
      write(1000);
      return await seen;
    } finally {
      clearTimeout(timer);
    }
  }

  #write(texts: Partial<Record<File, string>>): void {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(this.folder, name), text);
  }
}

/** Ends where a program has printed nothing for a while. */
async function isQuiet(program: Printing): Promise<void> {
  let lines = 0;
  program.onLine(() => lines++);
  await expect
    .poll(
      async () => {
        const before = lines;
        await delay(1000);
        return lines - before;
      },
      { timeout: 30_000 },
    )
    .toBe(0);
}

/** @param apps a folder with the bundlers and the package in its `node_modules` */
export function testWatched(apps: string, node: string): void {
  test.each(Object.entries(watchers))('%s bundles again when a policy, its data or its schema changes', async (name, program) => {
    const project = new WatchedProject(apps, `watched-${name}`, node);
    await using watcher = project.started(program);
    const decides = (decisions: string) => watcher.next(new RegExp(`^decides \\[${decisions}\\]`));
    await decides('true,false');
    await project.changed({ 'authz.rego': files['authz.rego'].replace('==', '!=') }, decides('false,true'));
    await project.changed({ 'lib.rego': 'package lib\n\nuser := "bob"\n' }, decides('true,false'));
    await project.changed({ 'data.json': '{"open": false}' }, decides('false,false'));
    await project.changed(
      { 'schema.json': files['schema.json'].replace('user', 'name') },
      watcher.next(/^failed .*undefined ref: input\.user/),
    );
    await project.changed({ 'schema.json': files['schema.json'], 'data.json': files['data.json'] }, decides('true,false'));
    await project.changed(broken, watcher.next(failedAtPlace));
    await project.changed(mended, decides('true,false'));
    await isQuiet(watcher);
  });

  test.each(Object.entries(replacers))('%s replaces a policy in use', async (name, program) => {
    const project = new WatchedProject(apps, `replaced-${name}`, node);
    await using watcher = project.started(program);
    const isApart = name !== 'Vite';
    if (isApart) await watcher.next(/^built/);
    await using other = isApart ? project.running('dist/app.cjs') : undefined;
    const app = other ?? watcher;
    watcher.onLine((line) => line === 'built' && other?.signal('SIGUSR2'));
    const decides = (decisions: string) => app.next(new RegExp(`^decides \\[${decisions}\\] (.*)`));
    // The importer prints the same number: it is not loaded again.
    const load = await decides('true,false');
    const times: number[] = [];
    for (const user of ['bob', 'ann', 'bob', 'ann', 'bob']) {
      // A change right after the last may be lost: its time would be that of the next attempt.
      await delay(300);
      const start = performance.now();
      const now = decides(user === 'ann' ? 'true,false' : 'false,true');
      expect(await project.changed({ 'lib.rego': `package lib\n\nuser := "${user}"\n` }, now)).toBe(load);
      times.push(performance.now() - start);
    }
    console.log(`${name}: a changed policy decides after ${Math.round(times.sort((a, b) => a - b)[2]!)} ms`);
    await project.changed(broken, watcher.next(failedAtPlace));
    expect(await project.changed(mended, decides('true,false'))).toBe(load);
    expect(await project.changed({ 'data.json': '{"open": false}' }, decides('false,false'))).toBe(load);
  });
}
