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
  const names = new UniqueNames(graph, chunks, exportsOf);
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

/** The names of declarations: none is that of a global, or of two declarations in one file. */
class UniqueNames {
  readonly #names = new Map<string, string>();

  constructor(graph: DeclarationGraph, chunks: ReadonlyMap<string, Chunk>, exportsOf: Exports) {
    // Those of the language and of packages stay as they are.
    const fixed = new Set<string>();
    for (const { declarations } of chunks.values())
      for (const { path, declaration } of declarations)
        for (const use of declaration.uses) {
          const found = graph.used(use, path);
          if (found === undefined || isOfPackage(found.path)) fixed.add(use.name);
        }
    // Names that users import stay as they are, too: errors and editors show them.
    const outside = [...exportsOf.values()].flatMap((exported) =>
      [...exported].flatMap(([name, found]) => (name === found.name ? [found] : [])),
    );
    const shared = [...chunks].flatMap(([name, { declarations }]) => (exportsOf.has(name) ? [] : declarations));
    const isShared = new Set(shared.map(keyOf));
    const taken = new Set(fixed);
    for (const found of outside) if (isShared.has(keyOf(found))) this.#name(found, taken);
    for (const found of shared) this.#name(found, taken);
    for (const [entry, exported] of exportsOf) {
      const { declarations } = chunks.get(entry)!;
      const own = new Set(fixed);
      for (const { path, declaration } of declarations)
        for (const use of declaration.uses) {
          const found = graph.used(use, path);
          if (found !== undefined && isShared.has(keyOf(found))) own.add(this.of(found));
        }
      for (const found of outside.filter((one) => exported.get(one.name) === one)) this.#name(found, own);
      for (const found of declarations) this.#name(found, own);
    }
  }

  of(found: Found): string {
    return this.#names.get(keyOf(found)) ?? found.name;
  }

  #name(found: Found, taken: Set<string>): void {
    if (this.#names.has(keyOf(found))) return;
    let name = found.name;
    for (let i = 1; taken.has(name); i++) name = `${found.name}$${i}`;
    taken.add(name);
    this.#names.set(keyOf(found), name);
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
