/** The entities that a search looks at: those of a document. */
import { isDocumentObject } from '../../../runtime/index.js';
import type { ArrayValue, PlainObject, Value } from '../../../values/index.js';
import {
  compareStrings,
  isArray,
  isObject,
  isSet,
  objectGet,
  objectSize,
  sortedMembers,
  typeName,
} from '../../../values/index.js';
import type { EntityKind } from './authzen-config.js';
import type { SearchCandidate, SearchRequest } from './search-request.js';

/** A document that lists no candidates. */
export class CandidatesError extends Error {}

/** The most candidates of one type: they are sorted in one step. */
const mostCandidates = 100_000;

/**
 * The candidates of a document for a search, in the order of their keys. Throws a CandidatesError.
 * Subjects and resources are listed by type; actions by the type of the resource, or for all.
 */
export function candidatesOf(document: Value, search: SearchRequest): readonly SearchCandidate[] {
  const { kind, known } = search;
  if (kind === 'action' && !isObject(document)) return listed(document, kind);
  if (!isDocumentObject(document)) throw new CandidatesError(`must be an object by type but is ${typeName(document)}`);
  const type = (kind === 'action' ? known.resource : known[kind]).type!;
  const list = objectGet(document, type);
  return list === undefined ? [] : listed(list, kind);
}

function listed(list: Value, kind: EntityKind): readonly SearchCandidate[] {
  const found = isDocumentObject(list) ? entriesOf(list) : membersOf(list, kind);
  return found.toSorted((a, b) => compareStrings(a.key, b.key));
}

function entriesOf(list: PlainObject): readonly SearchCandidate[] {
  checkSize(objectSize(list));
  return Object.entries(list).map(([key, value]) => ({ key, properties: propertiesOf(value) }));
}

function membersOf(list: Value, kind: EntityKind): readonly SearchCandidate[] {
  if (!isArray(list) && !isSet(list)) throw new CandidatesError(`must list entities but has ${typeName(list)}`);
  const members: ArrayValue = isSet(list) ? sortedMembers(list) : list;
  checkSize(members.length);
  const name = kind === 'action' ? 'name' : 'id';
  const byKey = new Map<string, SearchCandidate>();
  for (const member of members) {
    const key = isDocumentObject(member) ? member[name] : member;
    if (typeof key !== 'string')
      throw new CandidatesError(`must list strings, or objects with a string ${JSON.stringify(name)}`);
    byKey.set(key, { key, properties: isDocumentObject(member) ? propertiesOf(member.properties) : undefined });
  }
  return [...byKey.values()];
}

function checkSize(size: number): void {
  if (size > mostCandidates)
    throw new CandidatesError(`lists ${size} entities of one type; at most ${mostCandidates} are searched`);
}

/** Anything but an object tells that the entity is there, and nothing of it. */
function propertiesOf(value: Value | undefined): PlainObject | undefined {
  return isDocumentObject(value) && objectSize(value) > 0 ? value : undefined;
}
