import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes the declarations that the given ones need, and removes all others. Throws if one of them
 * needs a package.
 */
export function declareTypes(root: string, types: string, entries: readonly string[]): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const done = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', types], { cwd: root, encoding: 'utf8' });
  if (done.status !== 0) {
    console.error(`${done.stdout}${done.stderr}`);
    throw new Error('tsc could not write the declarations');
  }
  prune(types, reachable(entries.map((entry) => join(types, entry))));
}

/** The given files and all their direct and indirect imports. */
function reachable(entries: readonly string[]): Set<string> {
  const found = new Set(entries);
  for (const file of found) {
    for (const name of imported(readFileSync(file, 'utf8'))) {
      if (name.startsWith('.')) found.add(join(dirname(file), name.replace(/\.js$/, '.d.ts')));
      else if (!name.startsWith('node:')) throw new Error(`${file} needs the types of '${name}', which the package does not bring`);
    }
  }
  return found;
}

/** The import specifiers of a declaration file, in the forms that tsc prints. */
function imported(text: string): readonly string[] {
  const code = text.replaceAll(/\/\*.*?\*\//gs, '');
  const found = code.matchAll(/^(?:import|export) [^;'"=(]*?\bfrom ['"]([^'"]+)['"];|\bimport\(['"]([^'"]+)['"]\)/gm);
  return [...found].map(([, statement, expression]) => (statement ?? expression)!);
}

function prune(folder: string, kept: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) prune(path, kept);
    else if (!kept.has(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}
