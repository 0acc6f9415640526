/** A view of the documents that records which parts of them an evaluation reads. */
import { isDocumentObject } from '../../runtime/index.js';
import type { PlainObject, Value } from '../../values/index.js';
import type { ReadNode, ReadTree } from './read-tree.js';

/**
 * The documents as they are; reads of their parts are noted in the tree. Values that are taken from
 * it are views too, until a part is read whole.
 */
export function recordedDocuments(root: PlainObject, reads: ReadTree): PlainObject {
  return viewOf(root, reads.root) as PlainObject;
}

/** A view of an input, which may be any value. */
export function recordedInput(input: Value, reads: ReadTree): Value {
  return viewOf(input, reads.root)!;
}

function viewOf(value: Value | undefined, node: ReadNode): Value | undefined {
  if (node.isWhole) return value;
  if (Array.isArray(value)) {
    node.isArray = true;
    node.readKeys();
  } else if (!isDocumentObject(value)) {
    // Numbers, texts, and nothing at all: anything that is written here is another value.
    node.readWhole();
    return value;
  }
  return new Proxy(changeable(value as object), new Recorder(node)) as Value;
}

/** A proxy of a frozen object could not answer with views. */
function changeable(value: object): object {
  if (Object.isExtensible(value)) return value;
  return Array.isArray(value) ? [...value] : { ...value };
}

class Recorder implements ProxyHandler<object> {
  readonly #node: ReadNode;
  readonly #views = new Map<string, Value | undefined>();

  constructor(node: ReadNode) {
    this.#node = node;
  }

  get(target: object, key: string | symbol): unknown {
    // Methods of arrays, and the length.
    if (typeof key === 'symbol' || (this.#node.isArray && !isIndex(key))) return Reflect.get(target, key);
    if (!Object.hasOwn(target, key)) {
      this.#node.at(key).readWhole();
      return Reflect.get(target, key);
    }
    return this.#view(target, key);
  }

  has(target: object, key: string | symbol): boolean {
    const found = Reflect.has(target, key);
    if (typeof key === 'string') {
      const node = this.#node.at(key);
      if (!found) node.readWhole();
    }
    return found;
  }

  getOwnPropertyDescriptor(target: object, key: string | symbol): PropertyDescriptor | undefined {
    const found = Reflect.getOwnPropertyDescriptor(target, key);
    if (typeof key === 'symbol' || (this.#node.isArray && !isIndex(key))) return found;
    if (found === undefined) {
      this.#node.at(key).readWhole();
      return undefined;
    }
    return { ...found, value: this.#view(target, key) };
  }

  ownKeys(target: object): (string | symbol)[] {
    this.#node.readKeys();
    return Reflect.ownKeys(target);
  }

  #view(target: object, key: string): Value | undefined {
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const made = viewOf(Reflect.get(target, key) as Value, this.#node.at(key));
    this.#views.set(key, made);
    return made;
  }
}

function isIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57;
}
