/** Plans of bundles by path: an entrypoint, a part of one, or an object of several. */

import { resultOf } from '../../runtime/index.js';
import { beginsWith, isObject, type PlainObject, setOwn, type Value } from '../../values/index.js';
import { readAt } from '../bundle/data-trees.js';
import type { EvaluationTarget } from '../evaluation/evaluate.js';
import { inFrontOf, partOf } from './path-parts.js';
import type { Question } from './question.js';

/** A plan to run, and the place of its result below the path that was asked for. */
interface Piece {
  readonly target: EvaluationTarget;
  readonly at: readonly string[];
}

export class Entrypoints {
  readonly #targets: ReadonlyMap<string, EvaluationTarget>;

  constructor(targets: ReadonlyMap<string, EvaluationTarget>) {
    this.#targets = targets;
  }

  get size(): number {
    return this.#targets.size;
  }

  get names(): readonly string[] {
    return [...this.#targets.keys()];
  }

  get(name: string): EvaluationTarget | undefined {
    return this.#targets.get(name);
  }

  /** The names of the plans that answer a path. */
  namesFor(path: readonly string[]): readonly string[] {
    const { targets } = this.ask(path);
    return [...this.#targets].flatMap(([name, target]) => (targets.includes(target) ? [name] : []));
  }

  /** Whether a plan calls a built-in. */
  calls(builtin: string): boolean {
    return [...this.#targets.values()].some(({ executable }) => executable.builtins.includes(builtin));
  }

  /**
   * The path of an entrypoint answers its result; a path below an entrypoint that part of it; a
   * path above some an object of them. The base document there stands behind it.
   */
  ask(path: readonly string[]): Question {
    for (let length = path.length; length > 0; length--) {
      const target = this.#at(path.slice(0, length));
      if (target === undefined) continue;
      const rest = path.slice(length);
      const answerOf: Question['answerOf'] = (result, data) => overBase(partOf(result, rest), data, path);
      return {
        targets: [target],
        readsData: true,
        isWhole: false,
        isWholeOver: (data) => rest.length === 0 && partOf(data, path) === undefined,
        answer: ([results = []], data) => answerOf(resultOf(results), data),
        answerOf,
      };
    }
    const pieces = this.#below(path);
    return {
      targets: pieces.map(({ target }) => target),
      readsData: true,
      isWhole: false,
      answer: (results, data) => overBase(putTogether(pieces, results.map(resultOf)), data, path),
    };
  }

  /** Whether an entrypoint is at a path, above or below it. */
  has(path: readonly string[]): boolean {
    return path.some((_, i) => this.#at(path.slice(0, i + 1)) !== undefined) || this.#below(path).length > 0;
  }

  /** The next segments of the entrypoints below a path. */
  namesAt(path: readonly string[]): readonly string[] {
    return [...new Set(this.#below(path).flatMap(({ at }) => at.slice(0, 1)))];
  }

  /** No entrypoint has a segment with a slash in it. */
  #at(segments: readonly string[]): EvaluationTarget | undefined {
    return hasSlash(segments) ? undefined : this.#targets.get(segments.join('/'));
  }

  #below(segments: readonly string[]): readonly Piece[] {
    if (hasSlash(segments)) return [];
    const prefix = segments.map((segment) => `${segment}/`).join('');
    const pieces: Piece[] = [];
    for (const [name, target] of this.#targets) {
      if (name.startsWith(prefix)) pieces.push({ target, at: name.slice(prefix.length).split('/') });
    }
    // The result of an entrypoint above another one contains the other's.
    return pieces.filter(({ at }) => !pieces.some((other) => other.at.length < at.length && beginsWith(at, other.at)));
  }
}

function hasSlash(segments: readonly string[]): boolean {
  return segments.some((segment) => segment.includes('/'));
}

/** The result of entrypoints at a path, over the base document, which is read only if it shows. */
function overBase(planned: Value | undefined, data: Value, path: readonly string[]): Value | undefined {
  return planned === undefined || isObject(planned) ? inFrontOf(partOf(data, path), planned) : planned;
}

function putTogether(pieces: readonly Piece[], values: readonly (Value | undefined)[]): Value | undefined {
  const rules: PlainObject = {};
  let defined = false;
  pieces.forEach(({ at }, i) => {
    const value = values[i];
    if (value === undefined) return;
    defined = true;
    let object = rules;
    for (const [depth, key] of at.entries()) {
      if (depth === at.length - 1) setOwn(object, key, value);
      else if (readAt(object, [key]) === undefined) setOwn(object, key, {});
      object = object[key] as PlainObject;
    }
  });
  return defined ? rules : undefined;
}
