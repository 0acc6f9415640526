/**
 * Doors: `index.ts` of a room lists what other rooms may import from it, `node.ts` what needs Node.
 * Tests, the build and the order of folders look through doors, so that an import loads the file
 * that defines the name and not the whole room: one test of a command takes 1.8 s of processor time
 * instead of 4.1, and esbuild keeps the chunk of each `import()` that it has scanned.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** The doors of the rooms. The entry of the library is for users, `parts.ts` for the command. */
export const doors: readonly string[] = [
  ...['values', 'ir-schema', 'compiler', 'runtime', 'engine', 'views', 'server'].map((room) => `${room}/index.ts`),
  ...['values', 'engine', 'views'].map((room) => `${room}/node.ts`),
  'library/parts.ts',
];

/** An export of a door: the file that has the name, or is the module of that name. */
interface Behind {
  readonly file: string;
  readonly isModule: boolean;
}

/** The exports of doors: path of the door → exported name → where it is. */
export type Exports = ReadonlyMap<string, ReadonlyMap<string, Behind>>;

const fromRoot = join(import.meta.dirname, '..');

/** The exports of all doors of a tree. */
export function readDoors(read: (path: string) => string = readFile): Exports {
  return new Map(doors.map((door) => [door, exportsOf(door, read(door))]));
}

/** A text that changes where a door takes a name from another file. */
export function keyOfDoors(exports: Exports): string {
  const text = JSON.stringify([...exports].map(([door, names]) => [door, ...names]));
  return createHash('sha256').update(text).digest('hex');
}

function readFile(path: string): string {
  return existsSync(join(fromRoot, path)) ? readFileSync(join(fromRoot, path), 'utf8') : '';
}

function exportsOf(door: string, text: string): ReadonlyMap<string, Behind> {
  const found = new Map<string, Behind>();
  for (const [, names, module, specifier] of text.matchAll(
    /^export (?:type )?(?:\{([^}]*)\}|\* as (\w+)) from '([^']+)';/gm,
  )) {
    const file = posix.join(dirname(door), specifier!).replace(/\.js$/, '.ts');
    for (const { imported } of namesOf(names ?? module!)) found.set(imported, { file, isModule: module !== undefined });
  }
  return found;
}

interface Name {
  readonly imported: string;
  /** Its name in the importing file. */
  readonly local: string;
  /** The text of the specifier, with `as`. */
  readonly text: string;
  readonly isType: boolean;
}

function namesOf(list: string): readonly Name[] {
  const texts = list.split(',').map((text) => text.trim());
  return texts
    .filter((text) => text !== '')
    .map((given) => {
      const [, type, text, imported, local] = /^(type (?!as ))?((\w+)(?: as (\w+))?)$/.exec(given)!;
      return { text: text!, imported: imported!, local: local ?? imported!, isType: type !== undefined };
    });
}

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
    const names = namesOf(list);
    if (names.some(({ imported }) => !behind.has(imported))) return whole;
    const specifierOf = ({ imported }: Name): string => {
      const relative = posix.relative(dirname(path), behind.get(imported)!.file).replace(/\.ts$/, '.js');
      return relative.startsWith('.') ? relative : `./${relative}`;
    };
    const [modules, others] = [true, false].map((isModule) =>
      names.filter(({ imported }) => behind.get(imported)!.isModule === isModule),
    ) as [Name[], Name[]];
    const parts = [
      ...[...Map.groupBy(others, specifierOf)].map(([specifier, own]) => {
        // A file with types alone is not loaded.
        const isType = type !== undefined || own.every((name) => name.isType);
        const texts = own.map((name) => (name.isType && !isType ? `type ${name.text}` : name.text));
        return `${keyword} ${isType ? 'type ' : ''}{ ${texts.join(', ')} } from '${specifier}';`;
      }),
      ...modules.map((name) => `${keyword} ${type ?? ''}* as ${name.local} from '${specifierOf(name)}';`),
    ];
    return parts.join(' ') + '\n'.repeat(whole.split('\n').length - 1);
  });
}
