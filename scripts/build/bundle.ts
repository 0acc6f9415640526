import { type BuildOptions, build, type Metafile, type OutputFile } from 'esbuild';
import { inlineOpcodes } from './inline-opcodes.js';
import { builtinsOnDemand } from './node-builtins.js';

/** How the code in dist/ reads. */
export const codeStyle = {
  platform: 'node',
  target: 'node22',
  minifySyntax: true,
  minifyWhitespace: true,
  // Node prints the whole line that an uncaught error comes from.
  lineLimit: 150,
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

export interface Bundle {
  readonly files: readonly OutputFile[];
  readonly metafile: Metafile;
}

/** Bundles all that the entry points need. Throws if something would be left to load from elsewhere. */
export async function bundle(options: BuildOptions): Promise<Bundle> {
  const { outputFiles = [], metafile } = await build({
    ...codeStyle,
    ...options,
    bundle: true,
    // Packages without `exports` may hold modules beside CommonJS: of modules, only what is used is bundled.
    mainFields: ['module', 'main'],
    plugins: [builtinsOnDemand, inlineOpcodes],
    metafile: true,
    write: false,
  });
  const unbundled = Object.values(metafile!.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  if (unbundled.length > 0) throw new Error(`dist/ would need packages beside it: ${unbundled.map(({ path }) => path).join(', ')}`);
  return { files: outputFiles, metafile: metafile! };
}
