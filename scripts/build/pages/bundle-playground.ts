/** The playground: static files for any host of files, `dist/playground`. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { type Plugin, rolldown } from 'rolldown';
import { browserPlugins } from '../browser-plugins.js';
import type { BuiltFile } from '../library/split-modules.js';
import type { Inputs } from '../licences.js';
import { plainText } from '../plain-text.js';

const folder = 'cli/web/playground';
/** Scripts by their names in the page's folder. */
const scripts = {
  playground: `${folder}/main.tsx`,
  engine: `${folder}/worker/main.ts`,
  language: `${folder}/language/worker.ts`,
};

/** Places in files of YAML, of which the page has none: its data is one JSON document. */
const withoutYamlPlaces: Plugin = {
  name: 'without-yaml-places',
  resolveId: { filter: { id: /^yaml$/ }, handler: () => '\0yaml-places' },
  load: {
    filter: { id: /^\0yaml-places$/ },
    handler: () =>
      ['isMap', 'isScalar', 'isSeq', 'parseDocument']
        .map((name) => `export const ${name} = () => { throw new Error('the page has no files of YAML'); };`)
        .join('\n'),
  },
};

/** Hovers hold texts of policies: our Markdown leaves no HTML in them, and is smaller. */
const ownMarkdown = (root: string): Plugin => ({
  name: 'own-markdown',
  resolveId: { filter: { id: /^marked$/ }, handler: () => join(root, folder, 'language/markdown.ts') },
});

interface PlaygroundOptions {
  readonly absWorkingDir: string;
  readonly define: Record<string, string>;
}

/** Scripts load the chunks that a page needs when it needs them; all files lie in one folder. */
export async function bundlePlayground({
  absWorkingDir,
  define,
}: PlaygroundOptions): Promise<{ readonly files: readonly BuiltFile[]; readonly metafile: Inputs }> {
  const inRoot = (path: string) => join(absWorkingDir, path);
  const bundle = await rolldown({
    cwd: absWorkingDir,
    input: Object.fromEntries(Object.entries(scripts).map(([name, source]) => [name, inRoot(source)])),
    platform: 'browser',
    resolve: { conditionNames: ['browser', 'import', 'module', 'default'], mainFields: ['module', 'main'] },
    transform: { target: 'es2022', define, jsx: { runtime: 'automatic', importSource: 'preact' } },
    tsconfig: false,
    plugins: [...browserPlugins(absWorkingDir), withoutYamlPlaces, ownMarkdown(absWorkingDir)],
    checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message);
    },
  });
  const { output } = await bundle.generate({
    format: 'es',
    minify: true,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: {
      groups: [{ name: 'core', test: /[\\/](?:compiler|values|runtime|ir-schema|engine|query|bundle)[\\/]/ }],
    },
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const style = await build({
    absWorkingDir,
    entryPoints: [`${folder}/style.css`],
    bundle: true,
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    write: false,
  });
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => !id.startsWith('\0')));
  const files = [
    ...chunks.map(({ fileName, code }) => ({ name: fileName, contents: plainText(code) })),
    { name: 'style.css', contents: style.outputFiles[0]!.text },
    ...['index.html', 'icon.svg'].map((name) => ({ name, contents: readFileSync(inRoot(join(folder, name)), 'utf8') })),
  ];
  return {
    files: files.map(({ name, contents }) => ({ path: join('playground', name), contents })),
    metafile: { inputs: Object.fromEntries(modules.map((id) => [relative(absWorkingDir, id), {}])) },
  };
}
