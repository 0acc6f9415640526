import { createRequire } from 'node:module';
import { type BuildOptions, build, type Metafile, type OutputFile } from 'esbuild';
import { inlineOpcodes } from './inline-opcodes.js';
import { builtinsOnDemand } from './node-builtins.js';

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

const grpcBase = '@opentelemetry/otlp-grpc-exporter-base';

interface Bundle {
  readonly files: readonly OutputFile[];
  readonly metafile: Metafile;
}

/** Bundles the entry points with all their dependencies. Throws if an import would remain. */
export async function bundle({ plugins = [], ...options }: BuildOptions): Promise<Bundle> {
  const { outputFiles = [], metafile } = await build({
    ...codeStyle,
    ...options,
    bundle: true,
    // Its ES modules call `require` of a package, which a bundle would not contain.
    alias: { [grpcBase]: createRequire(import.meta.url).resolve(grpcBase) },
    // Packages without `exports` may contain ES modules beside CommonJS: with ES modules, unused
    // code is removed.
    mainFields: ['module', 'main'],
    plugins: [...plugins, builtinsOnDemand, inlineOpcodes],
    metafile: true,
    write: false,
  });
  const unbundled = Object.values(metafile!.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  if (unbundled.length > 0) throw new Error(`dist/ would need packages beside it: ${unbundled.map(({ path }) => path).join(', ')}`);
  return { files: outputFiles, metafile: metafile! };
}
