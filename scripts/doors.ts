/**
 * Doors: `index.ts` of a room lists what other rooms may import from it, `node.ts` what needs Node.
 * Tests, the build and the order of folders look through doors, so that an import loads the file
 * that defines the name and not the whole room: one test of a command takes 1.8 s of processor time
 * instead of 4.1, and esbuild keeps the chunk of each `import()` that it has scanned.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** The doors of the rooms. The entry of the library is for users, `parts.ts` for the command. */
export const doors: readonly string[] = [
  ...['values', 'ir-schema', 'compiler', 'runtime', 'engine', 'views', 'server'].map((room) => `${room}/index.ts`),
  ...['values', 'engine', 'views'].map((room) => `${room}/node.ts`),
  'library/parts.ts',
];

/** The files that doors export from: path of the door → exported name → path of the file. */
export type Exports = ReadonlyMap<string, ReadonlyMap<string, string>>;

const fromRoot = join(import.meta.dirname, '..');

/** The exports of all doors of a tree. */
export function readDoors(read: (path: string) => string = readFile): Exports {
  return new Map(doors.map((door) => [door, exportsOf(door, read(door))]));
}

function readFile(path: string): string {
  return existsSync(join(fromRoot, path)) ? readFileSync(join(fromRoot, path), 'utf8') : '';
}

function exportsOf(door: string, text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, names, module, specifier] of text.matchAll(
    /^export (?:type )?(?:\{([^}]*)\}|\* as (\w+)) from '([^']+)';/gm,
  )) {
    const file = posix.join(dirname(door), specifier!).replace(/\.js$/, '.ts');
    for (const { imported } of namesOf(names ?? module!)) found.set(imported, file);
  }
  return found;
}

interface Name {
  readonly imported: string;
  /** The text of the specifier, with `type` and `as`. */
  readonly text: string;
}

function namesOf(list: string): readonly Name[] {
  const texts = list.split(',').map((text) => text.trim());
  return texts
    .filter((text) => text !== '')
    .map((text) => ({ text, imported: /^(?:type (?!as ))?(\w+)/.exec(text)![1]! }));
}

/** Names that are modules: `export * as types`. */
const modules: ReadonlySet<string> = new Set(['types']);

const statements = /^(import|export) (type )?\{([^}]*)\} from '(\.[^']*\/(?:index|node|parts)\.js)';/gm;

/**
 * The text of a source with each import from a door replaced by imports from the files behind it.
 * Lines keep their numbers.
 * @param path from the root
 */
export function throughDoors(text: string, path: string, exports: Exports): string {
  return text.replaceAll(statements, (whole, keyword: string, type: string | undefined, list: string, from: string) => {
    const behind = exports.get(posix.join(dirname(path), from).replace(/\.js$/, '.ts'));
    if (behind === undefined) return whole;
    const byFile = Map.groupBy(namesOf(list), ({ imported }) => behind.get(imported) ?? '');
    if (byFile.has('')) return whole;
    const parts = [...byFile].map(([file, names]) => {
      const relative = posix.relative(dirname(path), file).replace(/\.ts$/, '.js');
      const specifier = relative.startsWith('.') ? relative : `./${relative}`;
      const module = names.find(({ imported }) => modules.has(imported));
      if (module !== undefined) return `${keyword} * as ${module.imported} from '${specifier}';`;
      return `${keyword} ${type ?? ''}{ ${names.map(({ text }) => text).join(', ')} } from '${specifier}';`;
    });
    return parts.join(' ') + '\n'.repeat(whole.split('\n').length - 1);
  });
}
