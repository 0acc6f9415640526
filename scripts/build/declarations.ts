import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPeer } from './entries.js';

/**
 * Writes the declarations of the given sources and those that these need, and removes all others.
 * Throws if one of them needs a package that is not a peer.
 */
export function declareTypes(root: string, types: string, sources: readonly string[]): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const config = join(types, 'tsconfig.json');
  mkdirSync(types, { recursive: true });
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.build.json'), files: sources.map((path) => join(root, path)) }));
  const done = spawnSync(process.execPath, [compiler, '-p', config, '--outDir', types], { cwd: root, encoding: 'utf8' });
  if (done.status !== 0) {
    console.error(`${done.stdout}${done.stderr}`);
    throw new Error('tsc could not write the declarations');
  }
  const entries = sources.map((path) => join(types, path.replace(/\.tsx?$/, '.d.ts')));
  prune(types, reachable(entries));
}

/** The given files and all their direct and indirect imports. */
function reachable(entries: readonly string[]): Set<string> {
  const found = new Set(entries);
  for (const file of found) {
    for (const name of imported(readFileSync(file, 'utf8'))) {
      if (name.startsWith('.')) found.add(join(dirname(file), name.replace(/\.js$/, '.d.ts')));
      else if (!name.startsWith('node:') && !isPeer(name))
        throw new Error(`${file} needs the types of '${name}', which the package does not bring`);
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
