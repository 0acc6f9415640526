import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { isPeer } from './entries.js';
import { builtinsOnDemand } from './node-builtins.js';
import { ownTexts } from './source-text.js';
import { unpluginInBundle } from './unplugin-loaders.js';

/** The formatting of the code in dist/. */
export const codeStyle = {
  platform: 'node',
  target: 'node22',
  minifySyntax: true,
  minifyWhitespace: true,
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Of the command's scripts: Node prints the whole source line of an uncaught error. */
export const scriptStyle = { ...codeStyle, lineLimit: 150 } as const satisfies BuildOptions;

/** Begins the paths of imports that are replaced after bundling, by files of dist/. */
export const besidePrefix = 'beside:/';

interface Bundle {
  readonly files: readonly OutputFile[];
  readonly metafile: Metafile;
}

/**
 * Leaves the imports of peers in `library/integrations/` as they are. Elsewhere, they are
 * dependencies.
 */
const peersOutside: Plugin = {
  name: 'peers-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[@a-z]/ }, ({ path, importer }) => {
      const isOutside = importer.includes('/integrations/') && !importer.includes('/node_modules/') && isPeer(path);
      return isOutside ? { path, external: true, sideEffects: false } : undefined;
    });
  },
};

/** `pg` looks for a client in C, which users would have to install; it goes on without. */
const noNativeClient: Plugin = {
  name: 'no-native-client',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^pg-native$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({
      contents: `throw Object.assign(new Error('${path} is not there'), { code: 'MODULE_NOT_FOUND' });`,
    }));
  },
};

/**
 * Bundles the entry points with all their dependencies. Throws if an import would remain that is
 * not one of a peer.
 */
export async function bundle({ plugins = [], ...options }: BuildOptions): Promise<Bundle> {
  const { outputFiles = [], metafile } = await build({
    ...codeStyle,
    ...options,
    bundle: true,
    // Packages without `exports` may contain ES modules beside CommonJS: with ES modules, unused
    // code is removed.
    mainFields: ['module', 'main'],
    plugins: [...plugins, peersOutside, noNativeClient, unpluginInBundle, builtinsOnDemand, ownTexts],
    metafile: true,
    write: false,
  });
  const unbundled = Object.values(metafile!.outputs).flatMap(({ imports }) =>
    imports.filter(({ external, path }) => external && !isPeer(path) && !path.startsWith(besidePrefix)),
  );
  if (unbundled.length > 0)
    throw new Error(`dist/ would need packages beside it: ${unbundled.map(({ path }) => path).join(', ')}`);
  return { files: outputFiles, metafile: metafile! };
}
