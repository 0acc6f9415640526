/** The type of a document to which several rules contribute. */

import { type AnyType, isEmpty, type ObjectType, objectType, setType, type Type, unionType } from './type.js';
import { include, union } from './union.js';

/**
 * Like `union`, but two sets are one set, and two maps (objects without known keys) one map. That
 * says the same in fewer words: a rule with many definitions would get as many alternatives.
 */
export function mergeTypes(a: Type | undefined, b: Type | undefined): Type | undefined {
  if (isEmpty(a) && a?.kind === b?.kind) return b;
  if (isEmpty(b) && a?.kind === b?.kind) return a;
  if (a?.kind === 'set' && b?.kind === 'set') return setType(union(a.of, b.of));
  if (isMap(a) && isMap(b)) return mapOf(a, b, mergeTypes);
  const merged = isMap(a) ? withMap(b, a) : isMap(b) ? withMap(a, b) : undefined;
  return merged ?? union(a, b);
}

function isMap(type: Type | undefined): type is ObjectType {
  return type?.kind === 'object' && type.fixed.length === 0;
}

function mapOf(a: ObjectType, b: ObjectType, values: typeof union): ObjectType {
  return objectType([], { key: union(a.rest?.key, b.rest?.key), value: values(a.rest?.value, b.rest?.value) });
}

/** A union whose map takes in another one; undefined where the type is no union with a map. */
function withMap(type: Type | undefined, map: ObjectType): AnyType | undefined {
  if (type?.kind !== 'any') return undefined;
  const own = type.of.find(isMap);
  if (own === undefined) return undefined;
  if (isEmpty(map)) return type;
  const others = type.of.filter((alternative) => alternative !== own);
  return others.reduce(include, unionType([isEmpty(own) ? map : mapOf(own, map, union)]));
}
