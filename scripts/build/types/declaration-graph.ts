/** The declarations of several files, and how they use each other. */
import { posix } from 'node:path';
import { type Declaration, type DeclarationFile, type Place, readDeclarations } from './read-declarations.js';

/** A declared name, or a name of a package: its path is then that of an import. */
export interface Found {
  readonly path: string;
  readonly name: string;
  /** Whether it is exported as a type alone. */
  readonly isType?: boolean;
}

export interface FoundDeclaration extends Found {
  readonly declaration: Declaration;
}

export class DeclarationGraph {
  readonly #read: (path: string) => string;
  readonly #files = new Map<string, DeclarationFile>();
  readonly #exports = new Map<string, ReadonlyMap<string, Found>>();

  /** @param read the text of a file of declarations, by its path */
  constructor(read: (path: string) => string) {
    this.#read = read;
  }

  /** The names that a file exports. One that stands for a whole file has the name `*`. */
  exportsOf(path: string): ReadonlyMap<string, Found> {
    const known = this.#exports.get(path);
    if (known !== undefined) return known;
    const { exported, whole } = this.#file(path);
    const found = new Map<string, Found>();
    this.#exports.set(path, found);
    for (const file of whole) {
      for (const [name, place] of this.exportsOf(pathOf(file, path))) if (name !== 'default') found.set(name, place);
    }
    for (const [name, place] of exported) found.set(name, this.#resolved(place, path));
    return found;
  }

  /** Names and those that they are made of, each once. */
  reachable(starts: Iterable<Found>): FoundDeclaration[] {
    const found = new Map<string, FoundDeclaration>();
    const waiting = [...starts];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { path, name } = next;
      const key = `${path} ${name}`;
      if (found.has(key) || isOfPackage(path)) continue;
      if (name === '*') {
        waiting.push(...this.exportsOf(path).values());
        continue;
      }
      const declaration = this.#file(path).declared.get(name)!;
      found.set(key, { path, name, declaration });
      for (const use of declaration.uses) {
        const place = this.used(use, path);
        if (place !== undefined) waiting.push(place);
      }
    }
    return [...found.values()];
  }

  /** The declaration of a name that a declaration uses; undefined for names of the language. */
  used(use: Place, from: string): Found | undefined {
    const { declared, imported } = this.#file(from);
    if (use.file !== undefined) return this.#resolved(use, from);
    if (declared.has(use.name)) return { path: from, name: use.name };
    const place = imported.get(use.name);
    return place && this.#resolved(place, from);
  }

  /** The place where a name is declared. */
  #resolved({ file, name, isType = false }: Place, from: string): Found {
    // Packages have declarations of their own.
    if (file !== undefined && !file.startsWith('.')) return { path: file, name, isType };
    const path = file === undefined ? from : pathOf(file, from);
    if (name === '*') return { path, name, isType };
    const found = file === undefined ? this.used({ file, name }, path) : this.exportsOf(path).get(name);
    if (found === undefined) throw new Error(`${path} does not have ${name}`);
    return isType ? { ...found, isType } : found;
  }

  /** The libraries of the language that a file asks for. */
  referencesOf(path: string): readonly string[] {
    return this.#file(path).references;
  }

  #file(path: string): DeclarationFile {
    let file = this.#files.get(path);
    if (file === undefined) this.#files.set(path, (file = readDeclarations(this.#read(path))));
    return file;
  }
}

/** Own files have a path, packages a name. */
export function isOfPackage(path: string): boolean {
  return !path.endsWith('.d.ts');
}

function pathOf(file: string, from: string): string {
  return posix.join(posix.dirname(from), file.replace(/\.js$/, '.d.ts'));
}
