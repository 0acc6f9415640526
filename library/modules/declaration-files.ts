/** Files of declarations beside policy files. */

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Compiled } from '../../compiler/index.js';
import { systemProblem } from '../../values/node.js';
import { packageOf, rulesOfPackage } from './package-rules.js';
import { fileTitle, isMade } from './types/file-title.js';
import { packageDeclarations } from './types/package-declarations.js';

/** Where TypeScript looks for the declarations of `authz.rego`: `authz.d.rego.ts`. */
export function declarationPath(file: string): string {
  return file.replace(/\.rego$/, '.d.rego.ts');
}

/** The declarations of a policy file, those that `compileModule` gives. */
export function declarationsOfFile(compiled: Compiled, file: string): string {
  return packageDeclarations(rulesOfPackage(compiled, packageOf(compiled, file)), compiled, fileTitle(file));
}

/**
 * Whether a file has other declarations than a text, or none.
 * @throws an Error for a file that was not made from policies
 */
export function isStale(path: string, text: string): boolean {
  if (!existsSync(path)) return true;
  const found = read(path);
  if (!isMade(found)) throw new Error(`${path}: writ has not made this file, and leaves it as it is`);
  return found !== text;
}

/**
 * Writes declarations, unless they are there already, so that no reader sees half of them.
 * @returns whether it wrote
 * @throws an Error for a file that was not made from policies, and where nothing can be written
 */
export function writeDeclarations(path: string, text: string): boolean {
  if (!isStale(path, text)) return false;
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}`);
  try {
    writeFileSync(draft, text);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Error(`open ${path}: ${systemProblem(error)}`, { cause: error });
  }
  return true;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`open ${path}: ${systemProblem(error)}`, { cause: error });
  }
}
