import { dirname, join } from 'node:path';
import { isPeer } from './entries.js';
import type { BuiltFile } from './library/split-modules.js';

/**
 * The declarations of the given sources and those that these need. Throws if one of them needs a
 * package that is not a peer.
 * @param compiled files by path
 */
export function declarations(sources: readonly string[], compiled: ReadonlyMap<string, string>): readonly BuiltFile[] {
  const found = new Set(sources.map((path) => path.replace(/\.tsx?$/, '.d.ts')));
  for (const file of found) {
    for (const name of imported(compiled.get(file)!)) {
      if (name.startsWith('.')) found.add(join(dirname(file), name.replace(/\.js$/, '.d.ts')));
      else if (!name.startsWith('node:') && !isPeer(name))
        throw new Error(`${file} needs the types of '${name}', which the package does not bring`);
    }
  }
  return [...found].map((path) => ({ path: join('types', path), contents: compiled.get(path)! }));
}

/** The import specifiers of a declaration file, in the forms that tsc prints. */
function imported(text: string): readonly string[] {
  const code = text.replaceAll(/\/\*.*?\*\//gs, '');
  const found = code.matchAll(/^(?:import|export) [^;'"=(]*?\bfrom ['"]([^'"]+)['"];|\bimport\(['"]([^'"]+)['"]\)/gm);
  return [...found].map(([, statement, expression]) => (statement ?? expression)!);
}
