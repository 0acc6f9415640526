/** What a path of a decision stands for, where policies are plans: an entrypoint, a part of one, or what lies above several. */
import { readAt } from '../../runtime/bundle/documents.js';
import { setOwn } from '../../runtime/operations/insert.js';
import { merge } from '../../runtime/operations/merge.js';
import { lookup } from '../../runtime/values/compare.js';
import { type ArrayValue, isArray, isObject, type PlainObject, type Value } from '../../runtime/values/value.js';
import type { Target } from '../evaluation/evaluate.js';

/** A plan to run, and where what it answers stands below the path that was asked for. */
interface Piece {
  readonly target: Target;
  readonly at: readonly string[];
}

/** How to answer a path: run the plans, then put together what they answer. */
export interface Question {
  readonly targets: readonly Target[];
  /** The document at the path, given the plans' answers in order and the base documents; undefined where there is none. */
  answer(values: readonly (Value | undefined)[], data: Value): Value | undefined;
}

/** What was asked, by path: most ask the same again and again. In no order of use: keeping one would cost each decision two writes. */
export class Questions {
  readonly #known = new Map<string, Question>();

  /** @param make answers for a path that was not asked yet, or not lately */
  of(path: string, make: () => Question): Question {
    let question = this.#known.get(path);
    if (question !== undefined) return question;
    question = make();
    if (path.length > longestRemembered) return question;
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(path, question);
    return question;
  }
}

const mostRemembered = 1000;
const longestRemembered = 1000;

export class Entrypoints {
  readonly #targets: ReadonlyMap<string, Target>;
  readonly #questions = new Questions();

  constructor(targets: ReadonlyMap<string, Target>) {
    this.#targets = targets;
  }

  get names(): readonly string[] {
    return [...this.#targets.keys()];
  }

  get(name: string): Target | undefined {
    return this.#targets.get(name);
  }

  /**
   * A path that is an entrypoint's answers what that does; one below an entrypoint answers that part of it; one above some answers an object of them. The base
   * document there stands behind it.
   * @param path what it was asked by, which may be an entrypoint's name as it is
   */
  ask(path: string, segmentsOf: (path: string) => readonly string[]): Question {
    return this.#questions.of(path, () => {
      const named = this.#targets.get(path);
      const segments = named === undefined ? segmentsOf(path) : path.split('/');
      for (let length = segments.length; length > 0; length--) {
        const target = this.#at(segments.slice(0, length));
        if (target === undefined) continue;
        const rest = segments.slice(length);
        return { targets: [target], answer: ([value], data) => overBase(partOf(value, rest), data, segments) };
      }
      const pieces = this.#below(segments);
      return {
        targets: pieces.map(({ target }) => target),
        answer: (values, data) => overBase(putTogether(pieces, values), data, segments),
      };
    });
  }

  /** Whether an entrypoint is at a path, above or below it. */
  has(path: string, segmentsOf: (path: string) => readonly string[]): boolean {
    if (this.#targets.has(path)) return true;
    const segments = segmentsOf(path);
    return segments.some((_, i) => this.#at(segments.slice(0, i + 1)) !== undefined) || this.#below(segments).length > 0;
  }

  /** No entrypoint has a segment with a slash in it. */
  #at(segments: readonly string[]): Target | undefined {
    return hasSlash(segments) ? undefined : this.#targets.get(segments.join('/'));
  }

  #below(segments: readonly string[]): readonly Piece[] {
    if (hasSlash(segments)) return [];
    const prefix = segments.map((segment) => `${segment}/`).join('');
    const pieces: Piece[] = [];
    for (const [name, target] of this.#targets) {
      if (name.startsWith(prefix)) pieces.push({ target, at: name.slice(prefix.length).split('/') });
    }
    // An entrypoint above another one holds it already.
    return pieces.filter(({ at }) => !pieces.some((other) => other.at.length < at.length && other.at.every((key, i) => key === at[i])));
  }
}

function hasSlash(segments: readonly string[]): boolean {
  return segments.some((segment) => segment.includes('/'));
}

/**
 * What lies below a value. A segment that is a whole number, `1.0` included, indexes arrays; in other collections digits are a number, or else
 * the text.
 */
export function partOf(value: Value | undefined, path: readonly string[]): Value | undefined {
  let part = value;
  for (const segment of path) {
    if (part === undefined) return undefined;
    part = isArray(part) ? elementOf(part, segment) : memberOf(part, segment);
  }
  return part;
}

const decimal = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function elementOf(array: ArrayValue, segment: string): Value | undefined {
  return decimal.test(segment) ? array[Number(segment)] : undefined;
}

function memberOf(value: Value, segment: string): Value | undefined {
  const byNumber = /^[+-]?\d{1,15}$/.test(segment) ? lookup(value, Number(segment)) : undefined;
  return byNumber === undefined ? lookup(value, segment) : byNumber;
}

/** What entrypoints answer at a path, and the base document there, which is looked up only where it shows. */
function overBase(planned: Value | undefined, data: Value, path: readonly string[]): Value | undefined {
  return planned === undefined || isObject(planned) ? inFrontOf(partOf(data, path), planned) : planned;
}

/** What entrypoints answer at a path, and what is there otherwise: objects are one, of others the entrypoints' stands. */
export function inFrontOf(other: Value | undefined, planned: Value | undefined): Value | undefined {
  // Null is an answer.
  if (planned === undefined) return other;
  return other !== undefined && isObject(planned) && isObject(other) ? merge(planned, other) : planned;
}

function putTogether(pieces: readonly Piece[], values: readonly (Value | undefined)[]): Value | undefined {
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
  return defined ? rules : undefined;
}
