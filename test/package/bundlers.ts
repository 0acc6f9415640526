import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checksIn, type Findings, printed } from './loaders.js';
import { own, run, type Tools, withNode } from './project.js';

interface Bundler {
  readonly name: string;
  /** Writes the bundle of by-bundler.mjs to `FILE`; undefined if a tool is missing. */
  readonly program: string | undefined;
}

/** Checks that need the package itself, with words of their errors in a bundle. */
const unbundled = new Map([
  ['import and require give the same names, of one copy', 'is another'],
  [
    'decisions in threads, which load parts as well, end when they are told to, and end with their engine',
    'leave the package out of the bundle',
  ],
]);

/** Runs all checks with the library inside a bundle of each tool, in ES modules and in CommonJS. */
export function testBundlers(project: string, node: string, tools: Tools): void {
  const titles = [...checksIn(project).keys()];
  describe.each(bundlersWith(tools))('bundled by $name', ({ name, program }) => {
    let found: Findings;

    beforeAll(async () => {
      if (program === undefined) return;
      const file = `bundled-${name.replaceAll(/\W/g, '-')}`;
      writeFileSync(join(project, `${file}-build.mjs`), program.replaceAll('FILE', `${file}.mjs`));
      const built = await run(node, [`${file}-build.mjs`], project, withNode(node));
      expect({ status: built.status, stderr: built.status === 0 ? '' : built.stderr }).toEqual({ status: 0, stderr: '' });
      const output = await run(node, ['by-bundle.mjs', `./${file}.mjs`], project, withNode(node));
      try {
        found = printed(output);
      } catch {
        throw new Error(`${output.stdout}${output.stderr}`);
      }
    });

    test.skipIf(program === undefined).each(titles)('%s', (title) => {
      const expected = unbundled.get(title);
      if (expected !== undefined) expect(found[title]).toContain(expected);
      else if (found[title] !== null) throw new Error(found[title] ?? 'was not run');
    });
  });
}

/** It waits in a function: Rollup puts what is loaded on demand after the text of a single file. */
const browserApp = `import { Engine, readBundle } from 'writ/browser';
const policies = { 'shop.rego': 'package shop\\nallow if regex.match("^a", input.user)\\nallow if input.item in data.public' };
const asked = async () => {
const engine = await Engine.open({ policies, data: { public: ['book'] } });
const answers = [engine.decide('shop/allow', { user: 'ann' }), await engine.decideAsync('shop/allow', { user: 'bob', item: 'book' })];
const why = await engine.explain('shop/allow', { user: 'bob', item: 'pen' });
const { queries } = await engine.partial('data.shop.allow == true', { unknowns: ['input'] });
const refused = await Engine.open({ policies: { 'bad.rego': 'package bad\\np if q' } }).catch(({ name, message }) => [name, message]);
await engine.close();
console.log(JSON.stringify([answers, why, queries, refused, typeof readBundle]));
};
asked();
`;

/** Bundles of an app over the entry for browsers have all that it loads on demand. */
export function testBrowserBundles(project: string, node: string, tools: Tools): void {
  const bundlers = bundlersWith(tools, quickMinimizer).filter(({ name }) => !name.includes('CommonJS'));

  describe('an app over the entry for browsers', () => {
    let expected = '';

    beforeAll(async () => {
      writeFileSync(join(project, 'browser-app.mjs'), browserApp);
      ({ stdout: expected } = await run(node, ['browser-app.mjs'], project, withNode(node)));
      expect(expected).toContain('[[{"result":true},{"result":true}]');
    });

    test.each(bundlers)('bundled by $name', async ({ name, program }) => {
      if (program === undefined) return;
      const file = `browser-${name.toLowerCase()}`;
      writeFileSync(
        join(project, `${file}-build.mjs`),
        program.replaceAll('FILE', `${file}.mjs`).replaceAll('by-bundler.mjs', 'browser-app.mjs'),
      );
      const built = await run(node, [`${file}-build.mjs`], project, withNode(node));
      expect({ status: built.status, stderr: built.status === 0 ? '' : built.stderr }).toEqual({ status: 0, stderr: '' });
      const { stdout, stderr } = await run(node, [`${file}.mjs`], project, withNode(node));
      expect({ stdout, stderr }).toEqual({ stdout: expected, stderr: '' });
    });
  });
}

/** @param minimizer webpack's, in the place of Terser */
function bundlersWith(tools: Tools, minimizer = ''): readonly Bundler[] {
  return [
    { name: 'esbuild', program: esbuild('') },
    { name: 'esbuild, as CommonJS', program: esbuild("conditions: ['default'], ") },
    { name: 'Vite', program: vite },
    { name: 'Rollup', program: rollup(tools, '') },
    { name: 'Rollup, as CommonJS', program: rollup(tools, "exportConditions: ['default'], ") },
    { name: 'webpack', program: webpack(tools, minimizer) },
  ];
}

/** @param options further members of the options */
function esbuild(options: string): string {
  return `import { build } from '${own('esbuild/lib/main.js')}';
const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const __dirname = import.meta.dirname;" };
await build({ ${options}banner, entryPoints: ['by-bundler.mjs'], bundle: true, platform: 'node', format: 'esm', outfile: 'FILE', logLevel: 'error' });`;
}

const vite = `import { build } from '${own('vite/dist/node/index.js')}';
await build({
  configFile: false,
  logLevel: 'error',
  ssr: { noExternal: true },
  build: { ssr: 'by-bundler.mjs', outDir: '.', emptyOutDir: false, rollupOptions: { output: { entryFileNames: 'FILE' } } },
});`;

/** @param options further members of the options for resolving packages */
function rollup(tools: Tools, options: string): string | undefined {
  const bundler = tools.path('rollup/dist/es/rollup.js');
  if (bundler === undefined) return undefined;
  return `import { rollup } from '${bundler}';
import commonjs from '${tools.path('@rollup/plugin-commonjs/dist/es/index.js')}';
import nodeResolve from '${tools.path('@rollup/plugin-node-resolve/dist/es/index.js')}';
const plugins = [nodeResolve({ ${options}preferBuiltins: true }), commonjs()];
const bundle = await rollup({ input: 'by-bundler.mjs', plugins, onwarn: () => {} });
const intro = 'const __dirname = import.meta.dirname;';
await bundle.write({ file: 'FILE', format: 'es', inlineDynamicImports: true, intro });`;
}

/**
 * A plugin for webpack that minifies by esbuild. Terser takes ten times as long, and has the bundle
 * of all checks.
 */
const quickMinimizer = `async function minify(compilation, assets) {
  const { transform } = await import('${own('esbuild/lib/main.js')}');
  for (const name of Object.keys(assets)) {
    const { code } = await transform(String(assets[name].source()), { minify: true, format: 'esm' });
    compilation.updateAsset(name, new webpack.sources.RawSource(code));
  }
}
options.optimization = {
  minimizer: [
    (compiler) =>
      compiler.hooks.compilation.tap('minify', (compilation) => {
        const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE;
        compilation.hooks.processAssets.tapPromise({ name: 'minify', stage }, (assets) => minify(compilation, assets));
      }),
  ],
};`;

function webpack(tools: Tools, minimizer: string): string | undefined {
  const bundler = tools.path('webpack/lib/index.js');
  if (bundler === undefined) return undefined;
  return `import webpack from '${bundler}';
const options = {
  mode: 'production',
  target: 'node22',
  context: import.meta.dirname,
  entry: './by-bundler.mjs',
  experiments: { outputModule: true },
  output: { path: import.meta.dirname, filename: 'FILE', library: { type: 'module' }, chunkFilename: '[id]-FILE' },
};
${minimizer}
webpack(options, (error, stats) => {
  if (error || stats.hasErrors() || stats.hasWarnings()) {
    console.error(error ?? stats.toString());
    process.exitCode = 1;
  }
});`;
}
