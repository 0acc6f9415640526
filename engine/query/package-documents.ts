/** Packages: their children, and their values over the base documents. */

import type { RefTerm, RuleTree, VirtualDocument } from '../../compiler/index.js';
import { dataPath, documentAt, isRoot, keyOfString } from '../../compiler/index.js';
import { merge, withValueAt } from '../../runtime/index.js';
import { isObject, objectGet, type PlainObject, setOwn, type Value } from '../../values/index.js';
import type { Frame } from './bindings.js';
import { childDocument } from './child-document.js';
import type { Next, WithValue } from './machine.js';
import type { Search } from './search.js';

/** The child of a package, unless a `with` has replaced it. */
export function visibleDocument(
  { machine }: Search,
  document: VirtualDocument,
  key: string,
): VirtualDocument | undefined {
  const child = childDocument(document, key);
  return child === undefined || machine.environment.isReplaced(child.path) ? undefined : child;
}

/** The children of a package that show in its value: functions and `data.system` do not. */
export function visibleDocuments(
  { machine }: Search,
  document: VirtualDocument,
): readonly (readonly [string, VirtualDocument])[] {
  const found: (readonly [string, VirtualDocument])[] = [];
  for (const { key } of document.node.children.values()) {
    if (key.type !== 'string') continue;
    const child = childDocument(document, key.value);
    if (child === undefined || child.kind === 'function' || child.node.hidden) continue;
    if (!machine.environment.isReplaced(child.path)) found.push([key.value, child]);
  }
  return found;
}

/** The function of the policies that a ref names: it may stand below the rules of an object. */
export function functionNamed(root: VirtualDocument, ref: RefTerm): VirtualDocument | undefined {
  const path = dataPath(ref);
  if (path === undefined) return undefined;
  let node: RuleTree | undefined = root.node;
  for (const key of path) node = node?.children.get(keyOfString(key));
  const document = node && documentAt(node, path);
  return document?.kind === 'function' ? document : undefined;
}

/** The document that a ref names, or the rule above whose value has that inside. */
export function documentNamed(root: VirtualDocument, ref: RefTerm): VirtualDocument | undefined {
  const [head, ...keys] = ref.terms;
  if (!isRoot(head, 'data')) return undefined;
  const called = functionNamed(root, ref);
  if (called !== undefined) return called;
  let document: VirtualDocument | undefined = root;
  for (const key of keys) {
    if (document?.kind !== 'package') return document;
    document = key.type === 'string' ? childDocument(document, key.value) : undefined;
  }
  return document;
}

/** The base documents as policies see them all together. */
export function withoutSystem(data: Value | undefined): Value | undefined {
  if (data === undefined || !isObject(data) || objectGet(data, 'system') === undefined) return data;
  return withValueAt(data, ['system'], undefined);
}

/** The values of a package's rules and packages, merged into the base document there. */
export function packageValue(search: Search, document: VirtualDocument, frame: Frame, then: WithValue): Next {
  const { machine } = search;
  const { environment } = machine;
  const rules: PlainObject = {};
  const children = visibleDocuments(search, document);
  let i = 0;
  const next = (): Next => {
    const child = children[i++];
    if (child === undefined) return then(overBase(environment.data, document, rules));
    const [key, inner] = child;
    return machine.all(
      (found) =>
        search.document(inner, frame, (value) => {
          setOwn(rules, key, value);
          return found;
        }),
      () => {},
      next,
    );
  };
  return next;
}

function overBase(data: Value | undefined, { path }: VirtualDocument, rules: PlainObject): Value {
  let base = path.length === 0 ? withoutSystem(data) : data;
  for (const key of path) base = base !== undefined && isObject(base) ? objectGet(base, key) : undefined;
  return base !== undefined && isObject(base) ? merge(base, rules) : rules;
}
