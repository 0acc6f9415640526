/** Values of a JSON Schema, made at random: most of them are valid, and a check decides. */
import type { Value } from '../../../values/index.js';
import { fragmentSegments, isArray, isObject, objectEntries, objectGet, valueBehind } from '../../../values/index.js';

/** The number of values that are made. */
const samples = 200;

/** Schemas inside of schemas: a schema may hold itself. */
const deepest = 6;

/** The same seed makes the same values. */
export function* schemaSamples(schema: Value, seed: number): Generator<Value> {
  const random = randomOf(seed);
  for (let i = 0; i < samples; i++) {
    const value = sampleOf(schema, schema, random, 0);
    if (value !== undefined) yield value;
  }
}

type Random = (below: number) => number;

/** Numbers of a linear congruence: its low bits repeat soon, so the high ones count. */
function randomOf(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function sampleOf(schema: Value, root: Value, random: Random, depth: number): Value | undefined {
  if (depth > deepest) return undefined;
  if (!isObject(schema)) return schema === false ? undefined : pick(anything, random);
  const member = (name: string): Value | undefined => objectGet(schema, name);
  const [reference, constant, choices] = [member('$ref'), member('const'), member('enum')];
  if (typeof reference === 'string') return sampleOf(targetOf(reference, root), root, random, depth + 1);
  if (constant !== undefined) return constant;
  if (choices !== undefined && isArray(choices) && choices.length > 0) return pick(choices, random);
  for (const name of ['oneOf', 'anyOf', 'allOf']) {
    const inner = member(name);
    if (inner !== undefined && isArray(inner) && inner.length > 0)
      return sampleOf(pick(inner, random), root, random, depth + 1);
  }
  return typed(typeOf(schema, random), member, root, random, depth);
}

const anything: readonly Value[] = [null, true, false, 0, 1, '', 'a', [], {}];

function typeOf(schema: Value, random: Random): string {
  if (!isObject(schema)) return 'null';
  const type = objectGet(schema, 'type');
  if (typeof type === 'string') return type;
  if (type !== undefined && isArray(type) && type.length > 0) return String(pick(type, random));
  return objectGet(schema, 'items') === undefined ? 'object' : 'array';
}

function typed(
  type: string,
  member: (name: string) => Value | undefined,
  root: Value,
  random: Random,
  depth: number,
): Value | undefined {
  const number = (name: string, otherwise: number): number => {
    const value = member(name);
    return typeof value === 'number' ? value : otherwise;
  };
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return random(2) === 0;
    case 'integer':
    case 'number': {
      const least = number('minimum', -2);
      const most = Math.max(least, number('maximum', least + 12));
      return pick([least, most, Math.floor(least + random(Math.min(most - least, 1e6) + 1))], random);
    }
    case 'string': {
      const length = Math.max(number('minLength', 0), random(4));
      return 'abcdefgh'.repeat(Math.ceil(length / 8)).slice(0, Math.min(length, number('maxLength', length)));
    }
    case 'array': {
      const items = member('items') ?? true;
      const length = Math.max(number('minItems', 0), random(3));
      return Array.from({ length }, () => sampleOf(items, root, random, depth + 1)).filter(
        (item) => item !== undefined,
      );
    }
    default:
      return objectSample(member, root, random, depth);
  }
}

/** Required members, and half of the others. */
function objectSample(member: (name: string) => Value | undefined, root: Value, random: Random, depth: number): Value {
  const properties = member('properties');
  const required = member('required');
  const names = required !== undefined && isArray(required) ? required : [];
  if (properties === undefined || !isObject(properties)) return {};
  const entries = Array.from(objectEntries(properties)).flatMap(([name, inner]): [string, Value][] => {
    if (typeof name !== 'string' || (!names.includes(name) && random(2) === 0)) return [];
    const value = sampleOf(inner, root, random, depth + 1);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** `#/definitions/user` in the whole schema. */
function targetOf(reference: string, root: Value): Value {
  return valueBehind(root, fragmentSegments(reference) ?? []) ?? true;
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)]!;
}
