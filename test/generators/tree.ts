/** Syntax trees as plain data: places in them, and the tree with another node at a place. */

type Key = string | number;
export type Place = readonly Key[];

/** Fields that are no nodes, or that stay as they are. */
const skipped = new Set(['loc', 'source', 'comments', 'annotations', 'package', 'regoVersion']);

/** Calls `visit` for each object of a tree with its place, parents first. */
export function visitPlaces(root: unknown, visit: (node: Readonly<Record<string, unknown>>, place: Place) => void): void {
  const enter = (node: unknown, place: Place): void => {
    if (Array.isArray(node)) for (const [i, inner] of node.entries()) enter(inner, [...place, i]);
    else if (typeof node === 'object' && node !== null) {
      visit(node as Readonly<Record<string, unknown>>, place);
      for (const [key, inner] of Object.entries(node)) if (!skipped.has(key)) enter(inner, [...place, key]);
    }
  };
  enter(root, []);
}

export function nodeAt(root: unknown, place: Place): unknown {
  let node = root;
  for (const key of place) node = (node as Readonly<Record<Key, unknown>>)[key];
  return node;
}

/** The tree with another node at a place; the rest is shared. */
export function replacedAt<T>(root: T, [key, ...rest]: Place, node: unknown): T {
  if (key === undefined) return node as T;
  const inner = replacedAt((root as Readonly<Record<Key, unknown>>)[key], rest, node);
  if (!Array.isArray(root)) return { ...root, [key]: inner };
  return root.with(key as number, inner) as T;
}

/** The tree without a member of a list. */
export function removedAt<T>(root: T, place: Place): T {
  const list = nodeAt(root, place.slice(0, -1)) as readonly unknown[];
  return replacedAt(root, place.slice(0, -1), list.toSpliced(place.at(-1) as number, 1));
}
