import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

const folder = 'node_modules/unplugin/dist';

/** The scripts that webpack and Rspack load by path: sources by names of files. */
export const unpluginLoaders: Readonly<Record<string, string>> = {
  'webpack-load': `${folder}/webpack/loaders/load.mjs`,
  'rspack-load': `${folder}/rspack/loaders/load.mjs`,
};

/**
 * unplugin finds its loaders beside its own file, and CommonJS has no `import.meta.url`: both are
 * replaced. Throws if a release of unplugin does otherwise.
 */
export const unpluginInBundle: Plugin = {
  name: 'unplugin-in-bundle',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules[\\/]unplugin[\\/]dist[\\/][^\\/]*\.mjs$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8')
        .replaceAll('createRequire(import.meta.url)', 'createRequire(import.meta.dirname + "/")')
        // Of virtual modules, which our plugin has none of.
        .replace('__require("webpack-virtual-modules")', 'undefined')
        .replaceAll(
          /resolve\(import\.meta\.dirname, "(webpack|rspack)\/loaders\/(load|transform)\.mjs"\)/g,
          (_, bundler, task) => (task === 'load' ? besideEntry(`${bundler}-load.js`) : '""'),
        );
      if (/import\.meta\.(?!dirname)|\.mjs"\)|__require\(/.test(contents))
        throw new Error(`${path}: unplugin finds its files in another way now`);
      return { contents, loader: 'js' };
    });
  },
};

/** The path of a script in dist/, from a script there or from a chunk. */
function besideEntry(name: string): string {
  return `["", ".."].map((up) => resolve(import.meta.dirname, up, "${name}")).find((file) => fs.existsSync(file))`;
}
