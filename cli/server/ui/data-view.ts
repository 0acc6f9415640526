import type { Engine } from '../../../engine/index.js';
import { isArray, isObject, type PlainObject, toJson, type Value } from '../../../values/index.js';
import type { DataMember, DocumentView } from '../../web/server/server-view.js';

/** Members of a document that are shown. */
const mostMembers = 500;
/** Characters of a value that are shown. */
const mostCharacters = 200;

/**
 * The members of a base document, without those of its members.
 * @param pathJson segments as a JSON array
 * @returns undefined where there is no document with members
 */
export function dataView(engine: Engine, pathJson: string): DocumentView | undefined {
  const path = segmentsOf(pathJson);
  const value = path && engine.readData(path);
  if (path === undefined || value === undefined || value === null || !(isArray(value) || isObject(value)))
    return undefined;
  const keys = isArray(value) ? [...value.keys()].map(String) : Object.keys(value);
  const members = keys.slice(0, mostMembers).map((key) => {
    const member = isArray(value) ? value[Number(key)] : (value as PlainObject)[key];
    return memberOf(key, member as Value);
  });
  return { path, members, omitted: keys.length - members.length };
}

function segmentsOf(text: string): readonly string[] | undefined {
  try {
    const path: unknown = JSON.parse(text);
    return Array.isArray(path) && path.every((part) => typeof part === 'string') ? path : undefined;
  } catch {
    return undefined;
  }
}

function memberOf(key: string, value: Value): DataMember {
  if (isArray(value)) return { key, size: value.length, text: value.length === 0 ? '[]' : '[…]' };
  if (value !== null && isObject(value)) {
    const size = Object.keys(value).length;
    return { key, size, text: size === 0 ? '{}' : '{…}' };
  }
  const isLong = typeof value === 'string' && value.length > mostCharacters;
  return { key, text: isLong ? `${toJson(value.slice(0, mostCharacters))}…` : toJson(value) };
}
