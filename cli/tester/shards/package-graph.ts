/**
 * Which packages may depend on each other, from their texts alone. It errs on the side of
 * dependence: a package with its possible dependencies compiles as among all packages.
 */
import type { SourceFile } from '../../policies.js';
import { textRefs } from './text-refs.js';

/** All modules of one package. */
export interface PackageNode {
  readonly path: readonly string[];
  readonly files: SourceFile[];
  /** The refs of all files. */
  readonly refs: (readonly string[])[];
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

  private constructor(
    files: readonly { readonly file: SourceFile; readonly package: readonly string[]; readonly refs: PackageNode['refs'] }[],
  ) {
    const packages = new Set<PackageNode>();
    for (const { file, package: path, refs } of files) {
      const node = this.#node(path);
      node.files.push(file);
      for (const ref of refs) node.refs.push(ref);
      node.size += file.file.text.length;
      packages.add(node);
    }
    this.packages = [...packages];
  }

  /** Undefined where the package of a file cannot be told without a parser. */
  static of(files: readonly SourceFile[]): PackageGraph | undefined {
    const known = [];
    for (const file of files) {
      const found = textRefs(file.file.text);
      if (found === undefined) return undefined;
      known.push({ file, package: found.package, refs: [...found.refs] });
    }
    return new PackageGraph(known);
  }

  #node(path: readonly string[]): PackageNode {
    let place = this.#root;
    for (const name of path) {
      let next = place.inner.get(name);
      if (next === undefined) place.inner.set(name, (next = newPlace()));
      place = next;
    }
    return (place.node ??= { path, files: [], refs: [], size: 0 });
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
      found = new Set([...this.#along(node.path), ...node.refs.flatMap((ref) => this.#related(ref))]);
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
