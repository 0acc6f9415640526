/**
 * Who owns policies and documents, as simply as can be said: lists and trees, searched from end to
 * end.
 */

export type Path = readonly string[];

/** A policy: it adds its tag to the set `v` of its package. */
export interface ModelPolicy {
  readonly package: Path;
  readonly tag: string;
}

export interface ModelBundle {
  /** `['']` owns everything. */
  readonly roots: readonly string[];
  readonly policies: readonly ModelPolicy[];
  readonly documents: readonly { readonly path: Path; readonly value: string }[];
}

/** One thing that happens to a server. */
export type Operation =
  | { readonly kind: 'put policy'; readonly id: string; readonly policy: ModelPolicy }
  | { readonly kind: 'delete policy'; readonly id: string }
  | { readonly kind: 'put data' | 'patch data'; readonly path: Path; readonly value: string }
  | { readonly kind: 'delete data'; readonly path: Path }
  | { readonly kind: 'activate'; readonly bundles: Readonly<Record<string, ModelBundle | undefined>> }
  | { readonly kind: 'reload'; readonly files: Readonly<Record<string, ModelPolicy>> };

export type Tree = { [key: string]: Tree | string };

/** The policies and documents that there must be. */
export class OwnershipModel {
  readonly policies = new Map<string, ModelPolicy>();
  documents: Tree = {};
  readonly #bundles = new Map<string, ModelBundle>();
  #files: readonly string[] = [];

  /** Whether the operation is done; it changes nothing if it is refused. */
  apply(operation: Operation): boolean {
    switch (operation.kind) {
      case 'put policy': {
        const before = this.policies.get(operation.id);
        if (this.#isOwned(operation.policy.package) || (before !== undefined && this.#isOwned(before.package))) return false;
        this.policies.set(operation.id, operation.policy);
        return true;
      }
      case 'delete policy': {
        const before = this.policies.get(operation.id);
        if (before === undefined || this.#isOwned(before.package)) return false;
        return this.policies.delete(operation.id);
      }
      case 'put data':
      case 'patch data':
        if (this.#isOwned(operation.path)) return false;
        return write(this.documents, operation.path, operation.value, operation.kind === 'put data');
      case 'delete data':
        return !this.#isOwned(operation.path) && erase(this.documents, operation.path);
      case 'activate':
        return this.#activate(operation.bundles);
      case 'reload':
        return this.#reload(operation.files);
    }
  }

  /** The whole document: rules within base documents. */
  document(): Tree {
    const whole = structuredClone(this.documents);
    for (const { package: path } of this.policies.values()) {
      const tags = [...this.policies.values()].filter((other) => other.package.join('/') === path.join('/')).map(({ tag }) => tag);
      write(whole, [...path, 'v'], [...new Set(tags)].sort().join(), true);
    }
    return whole;
  }

  /** A client may write neither within a root nor above it. */
  #isOwned(path: Path): boolean {
    return [...this.#bundles.values()].some(({ roots }) =>
      roots.some((root) => isWithin(path, root) || isWithin(segmentsOf(root), path.join('/'))),
    );
  }

  #activate(bundles: Readonly<Record<string, ModelBundle | undefined>>): boolean {
    const next = new Map(this.#bundles);
    for (const [name, bundle] of Object.entries(bundles)) {
      if (bundle === undefined) next.delete(name);
      else next.set(name, bundle);
    }
    if (haveCommonRoots([...next.values()])) return false;
    // What stands under the roots goes, whoever brought it, and what the former versions brought.
    for (const [name, bundle] of Object.entries(bundles)) {
      const before = this.#bundles.get(name);
      for (const root of [...(before?.roots ?? []), ...(bundle?.roots ?? [])]) this.#erase(root);
    }
    for (const [name, bundle] of Object.entries(bundles)) {
      if (bundle === undefined) this.#bundles.delete(name);
      else {
        this.#bundles.set(name, bundle);
        for (const policy of bundle.policies) this.policies.set(`${name}/${policy.tag}.rego`, policy);
        for (const { path, value } of bundle.documents) write(this.documents, path, value, true);
      }
    }
    return true;
  }

  #erase(root: string): void {
    if (root === '') this.documents = {};
    else erase(this.documents, segmentsOf(root));
    for (const [id, { package: path }] of this.policies) if (isWithin(path, root)) this.policies.delete(id);
  }

  /** Files of the command line bring back nothing within the roots. */
  #reload(files: Readonly<Record<string, ModelPolicy>>): boolean {
    const isBundled = (path: Path) => [...this.#bundles.values()].some(({ roots }) => roots.some((root) => isWithin(path, root)));
    for (const id of this.#files) this.policies.delete(id);
    for (const [id, policy] of Object.entries(files)) if (!isBundled(policy.package)) this.policies.set(id, policy);
    this.#files = Object.keys(files);
    return true;
  }
}

function segmentsOf(root: string): Path {
  return root === '' ? [] : root.split('/');
}

function isWithin(path: Path, root: string): boolean {
  return root === '' || `${path.join('/')}/`.startsWith(`${root}/`);
}

function haveCommonRoots(bundles: readonly ModelBundle[]): boolean {
  return bundles.some((one, i) =>
    bundles
      .slice(i + 1)
      .some((other) =>
        one.roots.some((root) => other.roots.some((second) => isWithin(segmentsOf(root), second) || isWithin(segmentsOf(second), root))),
      ),
  );
}

/** Whether there is a place for the value. */
function write(tree: Tree, path: Path, value: Tree | string, makesParents: boolean): boolean {
  let at = tree;
  for (const key of path.slice(0, -1)) {
    if (at[key] === undefined && !makesParents) return false;
    at[key] ??= {};
    const below = at[key];
    if (typeof below === 'string') return false;
    at = below;
  }
  at[path.at(-1)!] = value;
  return true;
}

function erase(tree: Tree, path: Path): boolean {
  let at: Tree | string | undefined = tree;
  for (const key of path.slice(0, -1)) {
    at = typeof at === 'object' ? at[key] : undefined;
  }
  if (typeof at !== 'object' || at[path.at(-1)!] === undefined) return false;
  delete at[path.at(-1)!];
  return true;
}
