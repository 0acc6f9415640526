/**
 * Which packages may depend on each other, from the syntax trees alone. It errs on the side of
 * dependence: a package with its possible dependencies compiles as among all packages.
 */
import type { Module, Term } from '../../compiler/ast/nodes.js';
import { walk } from '../../compiler/ast/walk.js';
import type { ParsedFile } from '../policies.js';

/** All modules of one package. */
export interface PackageNode {
  readonly path: readonly string[];
  readonly files: ParsedFile[];
  /** The length of the texts. */
  size: number;
}

/** A place in `data`. */
interface Place {
  readonly inner: Map<string, Place>;
  node: PackageNode | undefined;
}

export class PackageGraph {
  readonly packages: readonly PackageNode[];
  readonly #root: Place = newPlace();
  readonly #direct = new Map<PackageNode, ReadonlySet<PackageNode>>();

  constructor(parsed: readonly ParsedFile[]) {
    const packages = new Set<PackageNode>();
    for (const file of parsed) packages.add(this.#add(file));
    this.packages = [...packages];
  }

  #add(file: ParsedFile): PackageNode {
    const path = textsOf(file.module.package.path.slice(1));
    let place = this.#root;
    for (const name of path) {
      let next = place.inner.get(name);
      if (next === undefined) place.inner.set(name, (next = newPlace()));
      place = next;
    }
    const node = (place.node ??= { path, files: [], size: 0 });
    node.files.push(file);
    node.size += file.file.text.length;
    return node;
  }

  /** A package with all packages that it may depend on, indirectly too. */
  closure(node: PackageNode): ReadonlySet<PackageNode> {
    const found = new Set([node]);
    // The loop also visits members that are added meanwhile.
    for (const each of found) for (const next of this.#directly(each)) found.add(next);
    return found;
  }

  #directly(node: PackageNode): ReadonlySet<PackageNode> {
    let found = this.#direct.get(node);
    if (found === undefined) {
      // Rules and annotations of the packages above may conflict with this one, or apply to it.
      const prefixes = [...node.files.flatMap(({ module }) => refsOf(module))];
      found = new Set([...this.#along(node.path), ...prefixes.flatMap((prefix) => this.#related(prefix))]);
      this.#direct.set(node, found);
    }
    return found;
  }

  /** The packages on the way to a path. */
  #along(path: readonly string[]): PackageNode[] {
    const found: PackageNode[] = [];
    let place: Place | undefined = this.#root;
    for (const name of path) {
      place = place.inner.get(name);
      if (place === undefined) break;
      if (place.node !== undefined) found.push(place.node);
    }
    return found;
  }

  /** The packages on the way to a path and below it. */
  #related(path: readonly string[]): PackageNode[] {
    let place: Place | undefined = this.#root;
    for (const name of path) place = place?.inner.get(name);
    const found = this.#along(path);
    const add = ({ node, inner }: Place): void => {
      if (node !== undefined) found.push(node);
      for (const next of inner.values()) add(next);
    };
    if (place !== undefined) add(place);
    return found;
  }
}

function newPlace(): Place {
  return { inner: new Map(), node: undefined };
}

/** The refs into `data`, imports included, each up to the first term that is no string. */
function refsOf(module: Module): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  walk(module, (node) => {
    if (node.type !== 'ref') return;
    const [head, ...rest] = node.terms;
    if (head!.type !== 'var' || head!.name !== 'data') return;
    const end = rest.findIndex(({ type }) => type !== 'string');
    const path = textsOf(end < 0 ? rest : rest.slice(0, end));
    found.set(JSON.stringify(path), path);
  });
  return [...found.values()];
}

function textsOf(terms: readonly Term[]): string[] {
  return terms.map((term) => (term.type === 'string' ? term.value : ''));
}
