/** The declarations that a user of an entry sees, as one text. */
import { posix } from 'node:path';
import { type DeclarationFile, type Place, readDeclarations } from './declarations.js';

/** A declared name. */
interface Found {
  readonly path: string;
  readonly name: string;
}

/**
 * The names that an entry exports, and the declarations of these and of all that they are made of,
 * by file.
 * @param entry the path of its declarations
 * @param read the text of a file of declarations, by its path
 */
export function apiReport(entry: string, read: (path: string) => string): string {
  const declarations = new Declarations(read);
  const exported = declarations.exportsOf(entry);
  const names = [...exported].map(
    ([name, { path, name: inside }]) => `${name}${name === inside ? '' : ` (${inside})`}: ${path}`,
  );
  const texts = declarations.reachable([...exported.values()]);
  const files = [...new Set(texts.map(({ path }) => path))].sort();
  const parts = files.map((path) => {
    const own = texts.filter((text) => text.path === path).sort((a, b) => (a.name < b.name ? -1 : 1));
    return `## ${path}\n${own.map(({ text }) => text).join('\n')}\n`;
  });
  return `# Exports\n${names.sort().join('\n')}\n\n${parts.join('\n')}`;
}

class Declarations {
  readonly #read: (path: string) => string;
  readonly #files = new Map<string, DeclarationFile>();

  constructor(read: (path: string) => string) {
    this.#read = read;
  }

  exportsOf(path: string): Map<string, Found> {
    const { exported, whole } = this.#file(path);
    const found = new Map<string, Found>();
    for (const file of whole) {
      for (const [name, place] of this.exportsOf(pathOf(file, path))) if (name !== 'default') found.set(name, place);
    }
    for (const [name, place] of exported) for (const target of this.#resolve(place, path)) found.set(name, target);
    return found;
  }

  /** The texts of declarations and of those that they name, each once. */
  reachable(starts: readonly Found[]): (Found & { readonly text: string })[] {
    const texts = new Map<string, Found & { readonly text: string }>();
    const waiting = [...starts];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { path, name } = next;
      const { declared, imported } = this.#file(path);
      const text = declared.get(name);
      const key = `${path} ${name}`;
      if (text === undefined || texts.has(key)) continue;
      texts.set(key, { path, name, text });
      for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) {
        if (declared.has(word)) waiting.push({ path, name: word });
        const place = imported.get(word);
        if (place !== undefined) waiting.push(...this.#resolve(place, path));
      }
      for (const [, file, word] of text.matchAll(/import\(['"]([^'"]+)['"]\)\.([\w$]+)/g))
        waiting.push(...this.#resolve({ file, name: word! }, path));
    }
    return [...texts.values()];
  }

  /** The declarations of a name, all of a file's where it stands for the file. */
  #resolve({ file, name }: Place, from: string): Found[] {
    // Packages have declarations of their own.
    if (file !== undefined && !file.startsWith('.')) return [];
    const path = file === undefined ? from : pathOf(file, from);
    if (name === '*') return [...this.exportsOf(path).values()];
    const { declared, imported } = this.#file(path);
    if (file === undefined || declared.has(name)) {
      const place = imported.get(name);
      return place === undefined || declared.has(name) ? [{ path, name }] : this.#resolve(place, path);
    }
    const found = this.exportsOf(path).get(name);
    if (found === undefined) throw new Error(`${path} does not export ${name}`);
    return [found];
  }

  #file(path: string): DeclarationFile {
    let file = this.#files.get(path);
    if (file === undefined) this.#files.set(path, (file = readDeclarations(this.#read(path))));
    return file;
  }
}

function pathOf(file: string, from: string): string {
  return posix.join(posix.dirname(from), file.replace(/\.js$/, '.d.ts'));
}
