/** The values inside a value. */
import { lookup, sortedKeys, sortedMembers, valueAt } from '../../../compare.js';
import { checkElements } from '../../../memory.js';
import { isArray, isObject, isSet, type Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';

const unitsPerValue = 60;

type PathAndValue = readonly [path: readonly Value[], value: Value];

/** The most walks that are kept: several rules often walk one document. */
const mostWalks = 4;

/** To find a shorter walk takes as long as to make it again. */
const fewValues = 16;

/** Every value inside a value, itself first, with its path: a relation of `[path, value]`. */
export function walkValue(root: Value, context: BuiltinContext): readonly PathAndValue[] {
  return walkOf(root, context).pairs;
}

/** A list of these values, of which paths are made when they are read. */
export function walkOf(root: Value, context: BuiltinContext): Walk {
  const kept = (context.memory.get('walk') ?? []) as readonly Walk[];
  const known = kept.find((one) => one.root === root);
  if (known !== undefined) {
    context.tick(known.length);
    return known;
  }
  const walk = new Walk(root, context);
  if (walk.length >= fewValues) context.memory.set('walk', [walk, ...kept.slice(0, mostWalks - 1)]);
  return walk;
}

/** A collection whose values are in a walk. */
class Holder {
  readonly value: Value;
  /** Undefined for an array. */
  readonly keys: readonly Value[] | undefined;
  readonly size: number;
  /** The number of keys of the paths of its values. */
  readonly depth: number;
  /** The last key of its own path. */
  readonly key: Value;
  readonly parent: Holder | undefined;
  /** The number of values that are listed. */
  listed = 0;

  constructor(value: Value, key: Value, parent: Holder | undefined) {
    this.value = value;
    this.keys = isArray(value) ? undefined : keysOf(value);
    this.size = (this.keys ?? (value as readonly Value[])).length;
    this.depth = parent === undefined ? 1 : parent.depth + 1;
    this.key = key;
    this.parent = parent;
  }
}

/**
 * The values inside a value by their positions. Most loops over a walk look at the value or at the
 * last key first, so there is no array for each path.
 */
export class Walk {
  readonly values: Value[];
  /** The last keys of their paths; the root has none. */
  readonly keys: Value[] = [null];
  /** The collections that have them. */
  readonly holders: (Holder | undefined)[] = [undefined];
  #pairs: readonly PathAndValue[] | undefined;

  constructor(root: Value, context: BuiltinContext) {
    this.values = [root];
    if (typeof root === 'object' && root !== null) fill(this, new Holder(root, null, undefined), context);
  }

  get root(): Value {
    return this.values[0]!;
  }

  get length(): number {
    return this.values.length;
  }

  get pairs(): readonly PathAndValue[] {
    return (this.#pairs ??= this.values.map((value, position) => [this.pathAt(position), value]));
  }

  /** The length of the path of a value. */
  depthAt(position: number): number {
    return this.holders[position]?.depth ?? 0;
  }

  /** The path of a value. */
  pathAt(position: number): Value[] {
    const holder = this.holders[position];
    if (holder === undefined) return [];
    const path = [this.keys[position]!];
    for (let at = holder; at.parent !== undefined; at = at.parent) path.push(at.key!);
    return path.reverse();
  }

  /** The value at a key of such a path. */
  partAt(position: number, key: Value): Value | undefined {
    const depth = this.depthAt(position);
    if (!Number.isInteger(key)) return lookup(this.pathAt(position), key);
    if ((key as number) < 0 || (key as number) >= depth) return undefined;
    if (key === depth - 1) return this.keys[position];
    let at = this.holders[position]!;
    for (let i = depth - 2; i > (key as number); i--) at = at.parent!;
    return at.key;
  }
}

/** Lists the values inside a collection: each before those inside of it. */
function fill({ values, keys: lastKeys, holders }: Walk, root: Holder, context: BuiltinContext): void {
  // No recursion, since deep documents would overflow it.
  let open: Holder | undefined = root;
  while (open !== undefined) {
    const { value, keys, size, depth }: Holder = open;
    let at = open.listed;
    if (at === 0) {
      context.tick((unitsPerValue + depth - 1) * size);
      checkElements(values.length + size);
    }
    let inner: Holder | undefined;
    while (at < size && inner === undefined) {
      const key: Value = keys === undefined ? at : keys[at]!;
      const member: Value = keys === undefined ? (value as readonly Value[])[at]! : memberAt(value, key);
      at++;
      values.push(member);
      lastKeys.push(key);
      holders.push(open);
      if (typeof member === 'object' && member !== null) inner = new Holder(member, key, open);
    }
    open.listed = at;
    open = inner ?? open.parent;
  }
}

/** The keys of an object or a set in order; none of a number. */
function keysOf(value: Value): readonly Value[] {
  if (isSet(value)) return sortedMembers(value);
  return isObject(value) ? sortedKeys(value) : [];
}

function memberAt(collection: Value, key: Value): Value {
  return isSet(collection) ? key : valueAt(collection as Parameters<typeof valueAt>[0], key);
}
