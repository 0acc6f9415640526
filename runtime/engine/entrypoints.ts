/** What a path of a decision stands for, where policies are plans: an entrypoint, a part of one, or what lies above several. */
import { readAt } from '../bundle/documents.js';
import { lookup } from '../values/compare.js';
import { isArray, isObject, type PlainObject, type Value } from '../values/value.js';
import { merge, setOwn } from '../vm/objects.js';
import type { Target } from './evaluate.js';

/** A plan to run, and where what it answers stands below the path that was asked for. */
interface Piece {
  readonly target: Target;
  readonly at: readonly string[];
}

/** How to answer a path: run the plans, then put together what they answer. */
export interface Question {
  readonly targets: readonly Target[];
  /** The document at the path, given the plans' answers in order; undefined where there is none. */
  answer(values: readonly (Value | undefined)[]): Value | undefined;
}

export class Entrypoints {
  readonly #targets: ReadonlyMap<string, Target>;

  constructor(targets: ReadonlyMap<string, Target>) {
    this.#targets = targets;
  }

  get names(): readonly string[] {
    return [...this.#targets.keys()];
  }

  get(name: string): Target | undefined {
    return this.#targets.get(name);
  }

  /** Whether a path is an entrypoint or below one. */
  covers(path: string): boolean {
    if (this.#targets.size === 0) return false;
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) if (this.#targets.has(path.slice(0, end))) return true;
    return false;
  }

  /**
   * A path that is an entrypoint's answers what that does; one below an entrypoint answers that part of it; one above some answers an object of them, over
   * the base documents there; any other answers the base document.
   */
  ask(path: string, data: PlainObject): Question {
    const exact = this.#targets.get(path);
    if (exact !== undefined) return { targets: [exact], answer: ([value]) => value };
    const segments = path === '' ? [] : path.split('/');
    for (let length = segments.length - 1; length > 0; length--) {
      const target = this.#targets.get(segments.slice(0, length).join('/'));
      if (target !== undefined) return { targets: [target], answer: ([value]) => partOf(value, segments.slice(length)) };
    }
    const base = segments.length === 0 ? data : partOf(data, segments);
    const pieces = this.#below(path);
    return { targets: pieces.map(({ target }) => target), answer: (values) => putTogether(pieces, values, base) };
  }

  #below(path: string): readonly Piece[] {
    const prefix = path === '' ? '' : `${path}/`;
    const pieces: Piece[] = [];
    for (const [name, target] of this.#targets) {
      if (name.startsWith(prefix)) pieces.push({ target, at: name.slice(prefix.length).split('/') });
    }
    // An entrypoint above another one holds it already.
    return pieces.filter(({ at }) => !pieces.some((other) => other.at.length < at.length && other.at.every((key, i) => key === at[i])));
  }
}

/** What lies below a value. A segment that is a whole number indexes arrays; elsewhere it is a number, or else the text. */
export function partOf(value: Value | undefined, path: readonly string[]): Value | undefined {
  let part = value;
  for (const segment of path) {
    if (part === undefined) return undefined;
    if (!/^[+-]?\d{1,15}$/.test(segment)) part = lookup(part, segment);
    else {
      const byNumber: Value | undefined = lookup(part, Number(segment));
      part = byNumber ?? (isArray(part) ? undefined : lookup(part, segment));
    }
  }
  return part;
}

function putTogether(pieces: readonly Piece[], values: readonly (Value | undefined)[], base: Value | undefined): Value | undefined {
  const rules: PlainObject = {};
  let defined = false;
  pieces.forEach(({ at }, i) => {
    const value = values[i];
    if (value === undefined) return;
    defined = true;
    let object = rules;
    for (const key of at.slice(0, -1)) {
      if (readAt(object, [key]) === undefined) setOwn(object, key, {});
      object = object[key] as PlainObject;
    }
    setOwn(object, at.at(-1)!, value);
  });
  if (!defined) return base;
  return base !== undefined && isObject(base) ? merge(rules, base) : rules;
}
