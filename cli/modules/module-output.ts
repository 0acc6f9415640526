import { basename, extname } from 'node:path';
import type { ModuleFormat } from '../../runtime/index.js';
import { usageError } from '../exit.js';

/** A name, and the format of the module in it. */
export interface ModuleOutput {
  readonly path: string;
  readonly format: ModuleFormat;
  /** The name of the declarations beside it. */
  readonly declarations: string;
}

/** The extensions of modules, and those of their declarations. */
const declarationExtensions: ReadonlyMap<string, string> = new Map([
  ['.js', '.d.ts'],
  ['.mjs', '.d.mts'],
  ['.cjs', '.d.cts'],
]);

/** Throws a CommandError for a name that is no module's, or that of a module of another format. */
export function moduleOutput(path: string, format: ModuleFormat | undefined): ModuleOutput {
  const extension = extname(path);
  const declared = declarationExtensions.get(extension);
  if (declared === undefined)
    throw usageError(`-t js writes a module: the output must end in .js, .mjs or .cjs, not ${basename(path)}`);
  const implied = extension === '.cjs' ? 'commonjs' : extension === '.mjs' ? 'es' : undefined;
  if (format !== undefined && implied !== undefined && format !== implied)
    throw usageError(`--js-format=${format} does not go with the output ${basename(path)}`);
  const declarations = `${path.slice(0, -extension.length)}${declared}`;
  return { path, format: format ?? implied ?? 'es', declarations };
}
