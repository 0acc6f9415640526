/** The declarations of the package: a file for each entry, and files that several of them share. */
import { posix } from 'node:path';
import { isPeer } from '../entries.js';
import type { BuiltFile } from '../library/split-modules.js';
import { DeclarationGraph, type Found, type FoundDeclaration, isOfPackage } from './declaration-graph.js';

/** A file that is written. */
interface Chunk {
  readonly declarations: FoundDeclaration[];
  /** The exports by their names outside. */
  readonly exported: Map<string, Found>;
}

/**
 * The exports of entries, with the declarations that these need. Those that several entries need
 * are in files of their own: a class is the same one for all. Throws if one needs a package that is
 * not a peer.
 * @param entries the sources of entries by names of files
 * @param compiled the declarations of sources, by path
 */
export function bundleDeclarations(
  entries: Readonly<Record<string, string>>,
  compiled: ReadonlyMap<string, string>,
): readonly BuiltFile[] {
  const graph = new DeclarationGraph((path) => compiled.get(path)!);
  const exportsOf = new Map(
    Object.entries(entries).map(([name, source]) => [name, graph.exportsOf(source.replace(/\.tsx?$/, '.d.ts'))]),
  );
  const chunks = chunksOf(graph, exportsOf);
  const names = new UniqueNames(graph, chunks);
  const chunkOf = new Map<string, string>();
  for (const [name, { declarations, exported }] of chunks) {
    for (const found of declarations) chunkOf.set(keyOf(found), name);
    for (const [outside, found] of exported) if (found.name === '*') chunkOf.set(keyOf(found), `types/${outside}`);
  }
  return [...chunks].map(([name, chunk]) => ({
    path: `${name}.d.ts`,
    contents: printed(name, chunk, graph, names, chunkOf),
  }));
}

const keyOf = ({ path, name }: Found): string => `${path} ${name}`;

type Exports = ReadonlyMap<string, ReadonlyMap<string, Found>>;

/** Declarations by the entries that need them. */
function chunksOf(graph: DeclarationGraph, exportsOf: Exports): Map<string, Chunk> {
  const users = new Map<string, { readonly found: FoundDeclaration; readonly entries: string[] }>();
  for (const [entry, exported] of exportsOf) {
    for (const found of graph.reachable(exported.values())) {
      const known = users.get(keyOf(found));
      if (known === undefined) users.set(keyOf(found), { found, entries: [entry] });
      else known.entries.push(entry);
    }
  }
  const chunks = new Map<string, Chunk>();
  for (const [entry, exported] of exportsOf) chunks.set(entry, { declarations: [], exported: new Map(exported) });
  const shared = new Map<string, string>();
  for (const { found, entries } of users.values()) {
    const key = entries.join();
    if (entries.length > 1 && !shared.has(key)) shared.set(key, `types/shared/${shared.size + 1}`);
    const name = shared.get(key) ?? entries[0]!;
    if (!chunks.has(name)) chunks.set(name, { declarations: [], exported: new Map() });
    chunks.get(name)!.declarations.push(found);
  }
  // Names for all that a file exports.
  for (const exported of exportsOf.values())
    for (const [name, found] of exported)
      if (found.name === '*')
        chunks.set(`types/${name}`, { declarations: [], exported: new Map(graph.exportsOf(found.path)) });
  for (const { declarations } of chunks.values())
    declarations.sort((a, b) =>
      a.path === b.path ? a.declaration.position - b.declaration.position : a.path < b.path ? -1 : 1,
    );
  return chunks;
}

/** The names of declarations: in a file none is that of a global, a package or another one. */
class UniqueNames {
  readonly #names = new Map<string, string>();

  constructor(graph: DeclarationGraph, chunks: ReadonlyMap<string, Chunk>) {
    const users = new Map<string, { readonly name: string; readonly files: Set<Set<string>> }>();
    for (const { declarations } of chunks.values()) {
      const taken = new Set<string>();
      for (const { path, declaration } of declarations)
        for (const use of declaration.uses) {
          const found = graph.used(use, path);
          // Those of the language and of packages stay as they are.
          if (found === undefined || isOfPackage(found.path)) taken.add((found ?? use).name);
          else if (users.has(keyOf(found))) users.get(keyOf(found))!.files.add(taken);
          else users.set(keyOf(found), { name: found.name, files: new Set([taken]) });
        }
    }
    // Names that users import stay as they are, too: errors and editors show them.
    const outside = [...chunks.values()].flatMap(({ exported }) =>
      [...exported].flatMap(([name, found]) => (name === found.name ? [keyOf(found)] : [])),
    );
    for (const key of new Set([...outside, ...users.keys()])) {
      const user = users.get(key);
      // A name of a package.
      if (user === undefined) continue;
      const { name, files } = user;
      let unique = name;
      for (let i = 1; [...files].some((taken) => taken.has(unique)); i++) unique = `${name}$${i}`;
      for (const taken of files) taken.add(unique);
      this.#names.set(key, unique);
    }
  }

  of(found: Found): string {
    return this.#names.get(keyOf(found)) ?? found.name;
  }
}

function printed(
  own: string,
  { declarations, exported }: Chunk,
  graph: DeclarationGraph,
  names: UniqueNames,
  chunkOf: ReadonlyMap<string, string>,
): string {
  const imports = new Map<string, Set<string>>();
  const list = (map: Map<string, Set<string>>, key: string, text: string) =>
    void map.set(key, (map.get(key) ?? new Set()).add(text));
  const from = (found: Found): string | undefined => {
    if (isOfPackage(found.path)) {
      if (!found.path.startsWith('node:') && !isPeer(found.path))
        throw new Error(`${own} needs the types of '${found.path}', which the package does not bring`);
      return found.path;
    }
    const name = chunkOf.get(keyOf(found))!;
    if (name === own) return undefined;
    const path = posix.relative(posix.dirname(own), name);
    return path.startsWith('.') ? `${path}.js` : `./${path}.js`;
  };
  const bodies = declarations.map(({ path, declaration: { text, uses } }) => {
    let body = '';
    let end = 0;
    for (const use of uses) {
      const found = graph.used(use, path);
      if (found === undefined) continue;
      if (found.name === '*' || found.name === 'default')
        throw new Error(`${path} names a file as a whole: ${use.name}`);
      const source = from(found);
      if (source !== undefined) list(imports, source, isOfPackage(found.path) ? `type ${found.name}` : names.of(found));
      body += text.slice(end, use.start) + names.of(found);
      end = use.end;
    }
    return body + text.slice(end);
  });
  const exports = new Map<string, Set<string>>();
  for (const [name, found] of exported) {
    const inside = names.of(found);
    const text = `${found.isType ? 'type ' : ''}${inside === name ? name : `${inside} as ${name}`}`;
    list(exports, from(found) ?? '', text);
  }
  if (exported.size === 0) for (const found of declarations) list(exports, '', names.of(found));
  const references = new Set(declarations.flatMap(({ path }) => graph.referencesOf(path)));
  const statement = (kind: string, found: Set<string>, source: string) => {
    const all = [...found].sort().join(', ');
    return `${kind} ${all.startsWith('*') ? all : `{ ${all} }`}${source === '' ? '' : ` from '${source}'`};`;
  };
  return [
    ...references,
    ...[...imports].map(([source, found]) => statement('import', found, source)),
    ...[...exports].map(([source, found]) => statement('export', found, source)),
    ...bodies,
    ...(exports.size === 0 ? ['export {};'] : []),
    '',
  ].join('\n');
}
