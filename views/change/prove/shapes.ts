/** Kinds that a part may have, and its members: from a built-in's declared result, or a schema. */
import type { Type } from '../../../values/index.js';

/** Kinds of values in the order of the language; a value that is not there has the first. */
export const kinds = {
  none: 0,
  null: 1,
  false: 2,
  true: 3,
  number: 4,
  string: 5,
  array: 6,
  object: 7,
  set: 8,
} as const;

export type KindName = keyof typeof kinds;

export interface Shape {
  /** Undefined: any but a set. */
  readonly kinds?: readonly KindName[] | undefined;
  /** Members by their names. */
  readonly properties?: ReadonlyMap<string, Shape> | undefined;
  /** Members that must be there. */
  readonly required?: ReadonlySet<string> | undefined;
  /** Members without a name of their own; `never` for none. */
  readonly others?: Shape | 'never' | undefined;
  readonly items?: Shape | undefined;
  /** The elements of a list that has just these. */
  readonly elements?: readonly (Shape | undefined)[] | undefined;
  readonly isInteger?: boolean | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly texts?: readonly string[] | undefined;
  readonly minLength?: number | undefined;
}

/** The shape of a member; undefined where nothing is known of it. */
export function memberShape(shape: Shape | undefined, key: string | number | undefined): Shape | 'never' | undefined {
  if (shape === undefined) return undefined;
  if (typeof key === 'number' && shape.elements !== undefined)
    return key < shape.elements.length ? shape.elements[key] : 'never';
  if (typeof key === 'number') return shape.items;
  return (key === undefined ? undefined : shape.properties?.get(key)) ?? shape.others;
}

/** The shape of values of a type. */
export function shapeOfType(type: Type | undefined): Shape | undefined {
  switch (type?.type) {
    case 'null':
    case 'number':
    case 'string':
      return { kinds: [type.type] };
    case 'boolean':
      return { kinds: ['false', 'true'] };
    case 'array':
      return type.static === undefined
        ? { kinds: ['array'], items: shapeOfType(type.dynamic) }
        : { kinds: ['array'], elements: type.dynamic === undefined ? type.static.map(shapeOfType) : undefined };
    case 'set':
      return { kinds: ['set'], items: shapeOfType(type.of) };
    case 'object':
      return { kinds: ['object'] };
    default:
      return undefined;
  }
}

const between = (minimum: number, maximum?: number): Shape => ({
  kinds: ['number'],
  isInteger: true,
  minimum,
  maximum,
});

/** Results of which more is known than their types. */
const results: Readonly<Record<string, Shape>> = {
  indexof: between(-1),
  'semver.compare': between(-1, 1),
  'strings.count': between(0),
  'time.clock': { kinds: ['array'], elements: [between(0, 23), between(0, 59), between(0, 59)] },
  'time.date': { kinds: ['array'], elements: [{ kinds: ['number'], isInteger: true }, between(1, 12), between(1, 31)] },
  'time.weekday': {
    kinds: ['string'],
    texts: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  },
};

/** The shape of a built-in's result. */
export function shapeOfResult(name: string, type: Type | undefined): Shape | undefined {
  return Object.hasOwn(results, name) ? results[name] : shapeOfType(type);
}
