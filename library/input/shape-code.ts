/** A check for JSON as JavaScript, made for values of one shape. */
import { isPlainJson, isPlainPart, manyObjects, visits } from '../../values/index.js';
import type { InputShape, ScalarKind } from './input-shape.js';

type Members = ReadonlyMap<string, InputShape>;

const scalarTests: { readonly [Kind in ScalarKind]: string } = {
  string: 'typeof x === "string"',
  boolean: 'typeof x === "boolean"',
  number: 'typeof x === "number" && x - x === 0',
  null: 'x === null',
};

/**
 * A quick check of values that usually have a shape. Each place of the shape has a function of its
 * own, so V8 knows the hidden classes of its objects. A part of another shape goes to the general
 * check, after a call of `missed`.
 * @param seen counts the values
 */
export function shapeCheck(
  shape: InputShape,
  seen: { inputs: number },
  missed: () => void,
): ((value: unknown) => boolean) | undefined {
  if (shape.isGeneral || shape.members === undefined) return undefined;
  const miss = (part: unknown) => {
    missed();
    return isPlainPart(part);
  };
  const outer = {
    other: (value: unknown) => unlessTooDeep(isPlainJson, value),
    part: isPlainPart,
    miss,
    visits,
    seen,
    failed,
  };
  const make = new Function(...Object.keys(outer), `"use strict";\n${new ShapeText().whole(shape.members)}`) as (
    ...values: readonly unknown[]
  ) => (value: unknown) => boolean;
  return make(...Object.values(outer));
}

/** The result of a check for a value; false where its nesting overflows the stack. */
export function unlessTooDeep(check: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return check(value);
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): false {
  if (error instanceof RangeError) return false;
  throw error;
}

class ShapeText {
  readonly #functions: string[] = [];

  /**
   * Only the root is checked for its prototype: `isPlainJson`. Behind a look at the constructor, V8
   * knows the root's hidden class and so its prototype.
   */
  whole(members: Members): string {
    const object = this.#object(members);
    return `const objectPrototype = Object.prototype;
${this.#functions.join('\n')}
return (v) => {
  seen.inputs++;
  if (typeof v !== "object" || v === null || v.constructor !== Object || Object.getPrototypeOf(v) !== objectPrototype) return other(v);
  visits.left = ${manyObjects};
  try {
    return ${object}(v);
  } catch (error) {
    return failed(error);
  }
};`;
  }

  /** Whether `x` is JSON of the shape, as an expression. */
  #test({ scalars, members, elements, isGeneral }: InputShape): string {
    if (isGeneral) return 'part(x)';
    const tests = [...scalars].map((kind) => scalarTests[kind]);
    const collection = members === undefined ? elements && this.#array(elements) : this.#object(members);
    // An object is more likely than null.
    if (collection !== undefined) tests.unshift(`typeof x === "object" && x !== null && ${collection}(x)`);
    return tests.map((test) => `(${test})`).join(' || ') || 'false';
  }

  #add(body: string): string {
    const name = `check${this.#functions.length}`;
    this.#functions.push(`function ${name}(v) {\n${body}\n}`);
    return name;
  }

  /**
   * All that is enumerable has a known key, and the values of the known keys are JSON or absent: a
   * key that is there and undefined is no JSON.
   */
  #object(members: Members): string {
    const known = [...members].map(([key, member]) => ({ key: JSON.stringify(key), test: this.#test(member) }));
    const others = known.map(({ key }) => `k !== ${key}`).join(' && ') || 'true';
    const reads = known.map(
      ({ key, test }) =>
        `x = v[${key}];\nif (x === undefined) { if (${key} in v) return miss(v); } else if (!(${test}) && !miss(x)) return false;`,
    );
    return this.#add(`if (v.constructor !== Object) return miss(v);
for (const k in v) if (${others}) return miss(v);
let x;
${reads.join('\n')}
return true;`);
  }

  /** An array may be in many places, and so is counted by its elements. */
  #array(elements: InputShape): string {
    const test = this.#test(elements);
    const objects = objectsIn(elements);
    return this.#add(`if (!Array.isArray(v)) return miss(v);
${objects === 0 ? '' : `if ((visits.left -= v.length * ${objects}) < 0) return false;`}
for (let i = 0; i < v.length; i++) {
  const x = v[i];
  if (!(${test}) && !miss(x)) return false;
}
return true;`);
  }
}

/** The collections at a place, without those in arrays. */
function objectsIn({ members, elements, isGeneral }: InputShape): number {
  if (isGeneral || elements !== undefined) return 1;
  return members === undefined ? 0 : [...members.values()].reduce((sum, member) => sum + objectsIn(member), 1);
}
