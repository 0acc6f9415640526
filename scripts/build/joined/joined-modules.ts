/**
 * Modules of the command as one script. Its functions call each other directly, not through the
 * exports of modules, and nothing has to be loaded: a run that needs most of them starts faster.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild';
import { scriptStyle } from '../bundle.js';
import { called, moduleOf, placeOf, scriptOf } from '../command-modules.js';
import { constantImports, type EsModule } from '../lazy-module.js';
import { type Usage, withGroups } from './seldom-code.js';

/** The entry of the command and the modules that it may load. */
interface Command {
  readonly entry: string;
  readonly inputs: Metafile['inputs'];
}

/**
 * The text of a function of `exports` and `require`. It first sets `exports.part`: a function that
 * makes the exports of a module, by the name of its script, for modules that are not part of it.
 * `require` is never asked for a part, and `exports.requireAny` may be.
 * @param scripts the names of the scripts to join
 * @param usageOf runs the text in typical runs, from which code is left out until it is needed
 */
export async function joinedScript(
  command: Command,
  scripts: readonly string[],
  options: BuildOptions,
  usageOf?: (text: string, start: number) => Usage,
): Promise<string> {
  const text = await joinedText(command, scripts, options);
  const grouped = usageOf === undefined ? text : withGroups(text, usageOf(scriptStart + text, scriptStart.length));
  const { code } = await transform(grouped, { ...scriptStyle, format: 'cjs', minifyIdentifiers: true });
  return scriptStart + constantImports(code.trimEnd());
}

const scriptStart = '"use strict";const{requireAny}=exports,setPart=part=>{exports.part=part};';

/** The modules with their names, and with a comment before each. */
async function joinedText({ entry, inputs }: Command, scripts: readonly string[], options: BuildOptions): Promise<string> {
  const joinable = (path: string) => /\.[jt]s$/.test(path) && !called.test(path) && path !== entry;
  const wanted = new Set(scripts);
  const paths = Object.keys(inputs).filter((path) => wanted.has(scriptOf(path)) && joinable(path));
  const root = options.absWorkingDir!;
  const modules = new Map<string, EsModule>();
  for (const path of [...paths, entry]) modules.set(path, await moduleOf(path, readFileSync(join(root, path), 'utf8'), options));
  const { outputFiles } = await build({
    ...scriptStyle,
    absWorkingDir: root,
    stdin: { contents: `import ${JSON.stringify(partsName)};import ${JSON.stringify(join(root, entry))};`, resolveDir: root },
    bundle: true,
    format: 'cjs',
    outdir: 'out',
    write: false,
    minifyWhitespace: false,
    plugins: [joining(root, inputs, modules, entry)],
    logOverride: { 'commonjs-variable-in-esm': 'silent' },
  });
  return outputFiles[0]!.text;
}

const partsName = 'parts-of-the-script';

function joining(root: string, inputs: Metafile['inputs'], modules: ReadonlyMap<string, EsModule>, entry: string): Plugin {
  return {
    name: 'joined-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        if (path === partsName) return { path, namespace: 'parts' };
        if (kind === 'require-call') return { path, external: true };
        if (path.startsWith(root)) return { path };
        const from = relative(root, importer);
        const found = inputs[from]?.imports.find(({ original }) => original === path);
        const place = placeOf(path, inputs[from]?.imports ?? [], from);
        return found !== undefined && modules.has(found.path) && place === scriptOf(found.path)
          ? { path: join(root, found.path) }
          : { path: place, external: true };
      });
      onLoad({ filter: /.*/, namespace: 'parts' }, () => ({ contents: partsText(root, modules, entry), resolveDir: root }));
      onLoad({ filter: /\.[jt]s$/ }, ({ path }) => {
        const from = relative(root, path);
        const { imports } = inputs[from]!;
        const isPart = (specifier: string) => {
          const found = imports.find(({ original }) => original === specifier);
          return found !== undefined && modules.has(found.path) && placeOf(specifier, imports, from) === scriptOf(found.path);
        };
        const contents = modules.get(from)!.joined((specifier) => placeOf(specifier, imports, from), isPart);
        return { contents, loader: 'js', resolveDir: dirname(path) };
      });
    },
  };
}

/**
 * Constants and classes are read late: modules may import each other in a circle. Few modules are
 * asked for, so those of a folder have a function of their own, which V8 reads when it is called.
 */
function partsText(root: string, modules: ReadonlyMap<string, EsModule>, entry: string): string {
  const imports: string[] = [];
  const folders = new Map<string, string[]>();
  let count = 0;
  for (const [path, module] of modules) {
    if (path === entry) continue;
    const { functions, others } = module.exports();
    const prefix = `m${count++}_`;
    const names = [...functions, ...others].map((name) => `${name} as ${prefix}${name}`);
    if (names.length > 0) imports.push(`import { ${names.join(', ')} } from ${JSON.stringify(join(root, path))};`);
    const members = [
      ...functions.map((name) => `${name}: ${prefix}${name}`),
      ...others.map((name) => `get ${name}() { return ${prefix}${name} }`),
    ];
    const row = `case ${JSON.stringify(scriptOf(path))}: return { ${members.join(', ')} };`;
    folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), row]);
  }
  const functions = [...folders.values()].map((rows, i) => `function partOf${i}(name) { switch (name) { ${rows.join('\n')} } }`);
  const cases = [...folders.keys()].map((folder, i) => `case ${JSON.stringify(folder)}: return partOf${i}(name);`);
  return `${imports.join('\n')}
${functions.join('\n')}
setPart((name) => { switch (name.slice(0, name.lastIndexOf('/'))) { ${cases.join('\n')} } });`;
}
