/** Names below `data` as a tree: a leaf has everything below it. */
export class NameTree {
  readonly children = new Map<string, NameTree>();
  isLeaf = false;

  add(path: readonly string[]): void {
    let node: NameTree = this;
    for (const key of path) {
      let child = node.children.get(key);
      if (child === undefined) node.children.set(key, (child = new NameTree()));
      node = child;
    }
    node.isLeaf = true;
  }

  /** The names below a key, or below any key; undefined where there is neither. */
  at(key: string): NameTree | undefined {
    return this.children.get(key) ?? this.children.get('*');
  }
}
