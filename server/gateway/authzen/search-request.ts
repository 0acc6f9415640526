/** Searches of the AuthZEN API: requests of which one entity is not known. */
import { createHash } from 'node:crypto';
import { type PlainObject, toJson } from '../../../values/index.js';
import { type AccessRequest, AccessRequestError, checkObject, contextOf, entityOf, member } from './access-request.js';
import type { EntityKind } from './authzen-config.js';

export interface SearchRequest {
  readonly kind: EntityKind;
  /** The request without the id of the entity; a search for actions has none. */
  readonly known: KnownParts;
  /** Undefined where the request names no page. */
  readonly page: Page | undefined;
}

type KnownParts = Omit<AccessRequest, 'action'> & { readonly action?: PlainObject };

interface Page {
  /** Undefined: as many as the server gives. */
  readonly limit: number | undefined;
  /** The key of the last candidate that was looked at; undefined on the first page. */
  readonly after: string | undefined;
}

/** An entity by its id, or an action by its name. */
export interface SearchCandidate {
  readonly key: string;
  readonly properties: PlainObject | undefined;
}

/** Throws an AccessRequestError. */
export function searchRequestOf(kind: EntityKind, body: PlainObject): SearchRequest {
  const known: KnownParts = {
    subject: kind === 'subject' ? withoutId(body, kind) : entityOf(body, 'subject'),
    ...(kind !== 'action' && { action: entityOf(body, 'action') }),
    resource: kind === 'resource' ? withoutId(body, kind) : entityOf(body, 'resource'),
    ...contextOf(body),
  };
  return { kind, known, page: pageOf(kind, known, body) };
}

/** The id of the entity that is searched for is not read. */
function withoutId(body: PlainObject, kind: 'subject' | 'resource'): PlainObject {
  const { id: _, ...entity } = entityOf(body, kind, ['type'], ['type']);
  return entity;
}

function pageOf(kind: EntityKind, known: KnownParts, body: PlainObject): Page | undefined {
  checkObject(body, 'page', 'page');
  const page = member(body, 'page') as PlainObject | undefined;
  if (page === undefined) return undefined;
  const limit = member(page, 'limit');
  if (limit !== undefined && !(Number.isSafeInteger(limit) && (limit as number) >= 0))
    throw new AccessRequestError('page.limit must be a whole number that is not negative');
  const token = member(page, 'token') ?? '';
  if (typeof token !== 'string') throw new AccessRequestError('page.token must be a string');
  return { limit: limit as number | undefined, after: token === '' ? undefined : positionOf(token, kind, known) };
}

/**
 * The token of the page after a candidate. It is good for the same request: its results are in the
 * order of their keys, whatever changes meanwhile.
 */
export function pageToken({ kind, known }: SearchRequest, after: string): string {
  return Buffer.from(JSON.stringify([digestOf(kind, known), after])).toString('base64url');
}

function positionOf(token: string, kind: EntityKind, known: KnownParts): string {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    // A token of another form is none, either.
  }
  const [digest, after] = Array.isArray(parts) ? (parts as unknown[]) : [];
  if (typeof after !== 'string' || typeof digest !== 'string')
    throw new AccessRequestError('page.token is none of this server');
  if (digest !== digestOf(kind, known)) throw new AccessRequestError('page.token is of another request');
  return after;
}

function digestOf(kind: EntityKind, known: KnownParts): string {
  return createHash('sha256')
    .update(`${kind} ${toJson(known)}`)
    .digest('base64url')
    .slice(0, 16);
}

/** The request about one candidate. Its own properties win. */
export function requestAbout({ kind, known }: SearchRequest, { key, properties }: SearchCandidate): AccessRequest {
  if (kind === 'action') return { ...known, action: { name: key, ...(properties && { properties }) } };
  const { properties: given, ...entity } = known[kind];
  const merged = given === undefined ? properties : { ...(given as PlainObject), ...properties };
  return { ...(known as AccessRequest), [kind]: { ...entity, id: key, ...(merged && { properties: merged }) } };
}

/** A candidate as an entity of the results. */
export function entityOfResult({ kind, known }: SearchRequest, { key, properties }: SearchCandidate): PlainObject {
  const own = properties && { properties };
  return kind === 'action' ? { name: key, ...own } : { type: known[kind].type!, id: key, ...own };
}
