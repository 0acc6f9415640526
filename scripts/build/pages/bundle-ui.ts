/** The page of `run --ui`: its markup, script and styles, compressed, in `ui/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import type { BuiltFile } from '../library/split-modules.js';
import { ownTexts } from '../source-text.js';

const folder = 'cli/web/server';

export async function bundleUi(
  options: BuildOptions & { readonly absWorkingDir: string },
): Promise<{ readonly files: readonly BuiltFile[]; readonly metafiles: readonly Metafile[] }> {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: { ui: `${folder}/main.tsx`, style: `${folder}/style.css` },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    bundle: true,
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    format: 'esm',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
    outdir: 'out',
    plugins: [ownTexts],
  });
  const textOf = (ending: string) => outputFiles!.find(({ path }) => path.endsWith(ending))!.text;
  const read = (name: string) => readFileSync(join(options.absWorkingDir, folder, name), 'utf8');
  const files = {
    'index.html': read('index.html'),
    'ui.svg': read('icon.svg'),
    'ui.js': textOf('.js'),
    'ui.css': textOf('.css'),
  };
  return {
    files: Object.entries(files).map(([name, text]) => ({
      path: `ui/${name}.gz`,
      contents: gzipSync(text, { level: 9 }),
    })),
    metafiles: [metafile!],
  };
}
