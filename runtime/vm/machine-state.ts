/**
 * States of a plan's evaluation, to be restored later. Values never change but for collections that
 * are being built, and these only grow: a state keeps their sizes, and copies are made when it is
 * restored.
 */

import { isArray, RegoObject, RegoSet, type Value } from '../../values/index.js';
import { MachineFrame, MachineLevel, type StackLocal } from './machine-stack.js';

/** A collection that a function is building, as large as it was. */
type Growing = readonly [collection: object, size: number];

interface SavedFrame {
  readonly frame: MachineFrame;
  readonly locals: readonly StackLocal[];
  readonly returned: StackLocal;
  readonly growing: readonly Growing[];
}

interface SavedLevel {
  readonly level: MachineLevel;
  readonly memo: ReadonlyMap<string, StackLocal> | undefined;
}

/** A state; whoever keeps it must not look into it. */
export interface MachineState {
  readonly moves: number;
  readonly outcome: number;
  /** The list grows on; the state has the first `found` of it. */
  readonly solutions: readonly Value[];
  readonly found: number;
  readonly memo: ReadonlyMap<string, StackLocal>;
  readonly frames: readonly SavedFrame[];
  readonly levels: readonly SavedLevel[];
}

/** The collections that are being built, which states need to know about. */
export class Growth {
  /** The members of sets in the order in which they came. */
  readonly #members = new WeakMap<RegoSet, Value[]>();
  /** Objects that states refer to. */
  readonly #saved = new WeakSet<object>();

  /** A member that was not there before. */
  added(set: RegoSet, member: Value): void {
    let members = this.#members.get(set);
    if (members === undefined) this.#members.set(set, (members = [...set].filter((one) => one !== member)));
    members.push(member);
  }

  /** Whether a key's value must not change: a state has it. */
  isSaved(object: object): boolean {
    return this.#saved.has(object);
  }

  save(frame: MachineFrame): SavedFrame {
    const { own, returned } = frame;
    const locals = frame.locals.slice();
    const growing: Growing[] = [];
    const found = new Set<object>();
    locals.forEach((value) => {
      if (typeof value !== 'object' || value === null || !own.has(value) || found.has(value)) return;
      found.add(value);
      growing.push([value, sizeOf(value)]);
      this.#saved.add(value);
    });
    return { frame, locals, returned, growing };
  }

  /** A frame of its own in that state. */
  restored({ frame, locals, returned, growing }: SavedFrame): MachineFrame {
    const copies = new Map<object, Value & object>();
    for (const [collection, size] of growing) copies.set(collection, this.#copyOf(collection, size));
    for (const copy of copies.values()) if (copies.size > 1) replaceInside(copy, copies);
    const own = locals.map((value) =>
      typeof value === 'object' && value !== null ? (copies.get(value) ?? value) : value,
    );
    const again = new MachineFrame(frame, own);
    again.returned = returned;
    for (const copy of copies.values()) again.own.add(copy);
    return again;
  }

  #copyOf(collection: object, size: number): Value & object {
    if (collection instanceof RegoSet) {
      const members = (this.#members.get(collection) ?? [...collection]).slice(0, size);
      const copy = new RegoSet(members);
      this.#members.set(copy, members);
      return copy;
    }
    if (!(collection instanceof RegoObject)) return (collection as Value[]).slice(0, size);
    const copy = new RegoObject();
    for (const key of collection.keys()) {
      if (copy.size === size) break;
      copy.set(key, collection.get(key)!);
    }
    return copy;
  }
}

function sizeOf(collection: object): number {
  return collection instanceof RegoSet || collection instanceof RegoObject
    ? collection.size
    : (collection as Value[]).length;
}

/** A collection in another one is the same as that of a local. */
function replaceInside(collection: Value & object, copies: ReadonlyMap<object, Value & object>): void {
  const copyOf = (value: Value) => (typeof value === 'object' && value !== null ? copies.get(value) : undefined);
  if (isArray(collection)) {
    for (const [i, element] of collection.entries()) {
      const copy = copyOf(element);
      if (copy !== undefined) (collection as Value[])[i] = copy;
    }
  } else if (collection instanceof RegoObject) {
    for (const key of [...collection.keys()]) {
      const copy = copyOf(collection.get(key)!);
      if (copy !== undefined) collection.set(key, copy);
    }
  }
}

export function savedLevel(level: MachineLevel): SavedLevel {
  return { level: copyOfLevel(level, level.frame), memo: level.memo && new Map(level.memo) };
}

/** @param frame the one that stands for the level's frame */
export function restoredLevel({ level, memo }: SavedLevel, frame: MachineFrame): MachineLevel {
  const copy = copyOfLevel(level, frame);
  copy.memo = memo && new Map(memo);
  return copy;
}

function copyOfLevel(level: MachineLevel, frame: MachineFrame): MachineLevel {
  return Object.assign(new MachineLevel(), level, { frame });
}
