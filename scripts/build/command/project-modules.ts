/** The modules of the project that an entry may load. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, transform } from 'esbuild';
import { inlinedOpcodes } from '../inline-opcodes.js';
import { EsModule, type Imported } from './lazy-module.js';

/** An import of a module, from esbuild's description. */
export type Import = Metafile['inputs'][string]['imports'][number];

interface ProjectModule {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** undefined for JSON. */
  readonly module: EsModule | undefined;
}

/** @param known paths of modules that are left out: to read a module takes a millisecond. */
export async function projectModules(
  entries: readonly string[],
  options: BuildOptions,
  known: ReadonlySet<string> = new Set(),
): Promise<readonly ProjectModule[]> {
  const { metafile } = await build({
    ...options,
    entryPoints: [...entries],
    platform: 'node',
    format: 'esm',
    bundle: true,
    packages: 'external',
    metafile: true,
    write: false,
    outdir: 'out',
    splitting: true,
    logLevel: 'warning',
  });
  const inputs = Object.entries(metafile!.inputs).filter(([path]) => !known.has(path));
  return Promise.all(
    inputs.map(async ([path, { imports }]) => {
      const text = readFileSync(join(options.absWorkingDir!, path), 'utf8');
      return { path, text, imports, module: path.endsWith('.json') ? undefined : await moduleOf(path, text, options) };
    }),
  );
}

/** What modules import of each other and of packages. */
export function importsOf(modules: readonly ProjectModule[]): readonly Imported[] {
  return modules.flatMap(({ module }) => module?.imports() ?? []);
}

async function moduleOf(path: string, text: string, { define = {} }: BuildOptions): Promise<EsModule> {
  const { code } = await transform(inlinedOpcodes(path, text), {
    loader: path.endsWith('.js') ? 'js' : 'ts',
    define: { ...define, 'import.meta.dirname': '__dirname' },
    format: 'esm',
    target: 'es2024',
    charset: 'ascii',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    logOverride: { 'empty-import-meta': 'error' },
  });
  return new EsModule(code);
}
