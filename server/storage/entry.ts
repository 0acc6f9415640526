/** Entries of the log of writes, and their form in JSON. */
import { createHash } from 'node:crypto';
import type { DataOperation } from '../../runtime/index.js';
import type { PlainObject, Value } from '../../values/index.js';
import {
  inSlices,
  isArray,
  isObject,
  JsonError,
  parseJson,
  readJsonSteps,
  toJson,
  writeJsonSteps,
} from '../../values/index.js';
import { StorageError } from './storage-error.js';
import type { LogPosition, StoredEntry } from './write-log.js';

/** Policies and documents that are written together. */
export interface Writes {
  /** Texts by id; undefined deletes. */
  readonly policies: ReadonlyMap<string, string | undefined>;
  /** In order. */
  readonly data: readonly DataOperation[];
  /** The places of the operations, in their order. */
  readonly places: readonly EntryPlace[];
  /** Ids of policies that files or bundles have, too. */
  readonly basePolicies: readonly string[];
}

/** The document of an operation's path that is the log's from then on: see `overlay.ts`. */
export interface EntryPlace {
  /** The number of its segments. */
  readonly length: number;
  /** Whether files or bundles have one there, too. */
  readonly isBase: boolean;
}

/** Where a write came from. */
export interface Origin {
  /** The client, where it has an identity that is no secret. */
  readonly author?: string | undefined;
  /** The id that the client gave to its request. */
  readonly request?: string | undefined;
}

export interface Entry extends Writes, Origin {
  readonly revision: number;
  /** Tells a repeated write from another one. */
  readonly id: string;
  /** RFC 3339. */
  readonly time: string;
}

/** The form of entries and snapshots. A release refuses forms that it does not know. */
export const form = 1;

/** The most values that are read or written at once, in some milliseconds. */
const manyValues = 10_000;
const manyBytes = 64 * 1024;

export function checksumOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** The checksum of an entry covers those before it. */
function entryChecksum(before: LogPosition, body: Uint8Array): string {
  return checksumOf(`${before.checksum} ${before.revision + 1} `, body);
}

/** The entry after a position, as it is stored. */
export async function storedEntry(
  after: LogPosition,
  { id, time, author, request, ...writes }: Omit<Entry, 'revision'>,
): Promise<StoredEntry> {
  const about = { id, time, ...(author !== undefined && { author }), ...(request !== undefined && { request }) };
  const body = await jsonBytes({ form, ...about, ...writesJson(writes) });
  return { revision: after.revision + 1, checksum: entryChecksum(after, body), body };
}

/** Rejects with a StorageError where it is not the next entry, or is damaged. */
export async function entryOf(stored: StoredEntry, after: LogPosition): Promise<Entry> {
  const { revision, checksum, body } = stored;
  if (revision !== after.revision + 1)
    throw new StorageError(
      'storage_corrupt',
      `entry ${after.revision + 1} is missing: entry ${revision} follows entry ${after.revision}`,
      after.revision + 1,
    );
  if (checksum !== entryChecksum(after, body))
    throw new StorageError('storage_corrupt', `entry ${revision} does not match its checksum`, revision);
  const fields = await fieldsOf(body, `entry ${revision}`, revision);
  const { id, time, author, request } = fields;
  return {
    revision,
    id: String(id),
    time: String(time),
    ...(typeof author === 'string' && { author }),
    ...(typeof request === 'string' && { request }),
    ...writesOf(fields),
  };
}

export function writesJson({ policies, data, places, basePolicies }: Writes): PlainObject {
  return {
    ...(policies.size > 0 && { policies: Object.fromEntries([...policies].map(([id, text]) => [id, text ?? null])) }),
    ...(data.length > 0 && { data: data.map(operationJson) }),
    ...(places.length > 0 && { places: places.map(({ length, isBase }) => [length, isBase]) }),
    ...(basePolicies.length > 0 && { base_policies: basePolicies }),
  };
}

function operationJson(operation: DataOperation): PlainObject {
  const { op, path } = operation;
  return operation.op === 'remove' ? { op, path } : { op, path, value: operation.value };
}

export function writesOf({ policies = {}, data = [], places = [], base_policies = [] }: PlainObject): Writes {
  const texts = Object.entries(policies as PlainObject).map(
    ([id, text]) => [id, text === null ? undefined : (text as string)] as const,
  );
  return {
    policies: new Map(texts),
    data: (data as readonly PlainObject[]).map(operationOf),
    places: (places as readonly [number, boolean][]).map(([length, isBase]) => ({ length, isBase })),
    basePolicies: base_policies as readonly string[],
  };
}

function operationOf(fields: PlainObject): DataOperation {
  const op = fields.op as DataOperation['op'];
  const path = fields.path as readonly string[];
  // Nothing else refers to the values that were just read.
  return op === 'remove' ? { op, path } : { op, path, value: fields.value!, transferred: true };
}

/** JSON in UTF-8 with every digit and key; long values are written in slices. */
export async function jsonBytes(value: PlainObject): Promise<Uint8Array> {
  try {
    return Buffer.from(toJson(value, manyValues));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  return await inSlices(writeJsonSteps(value, { unordered: true }));
}

/** The members of an entry or a snapshot. Rejects with a StorageError. */
export async function fieldsOf(body: Uint8Array, what: string, revision: number): Promise<PlainObject> {
  let value: Value;
  try {
    value =
      body.length <= manyBytes
        ? parseJson(Buffer.from(body).toString())
        : await inSlices(readJsonSteps(body, { whole: true }));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new StorageError('storage_corrupt', `${what} is no JSON: ${error.message}`, revision);
  }
  const fields = value !== null && isObject(value) ? (value as PlainObject) : {};
  if (fields.form !== form) {
    const problem = `${what} has the form ${JSON.stringify(fields.form ?? null)}: this release knows form ${form}`;
    throw new StorageError('storage_unsupported', problem, revision);
  }
  if (!hasWrites(fields))
    throw new StorageError('storage_corrupt', `${what} has no policies and documents where they should be`, revision);
  return fields;
}

function hasWrites({ policies = {}, data = [], places = [], base_policies: ids = [] }: PlainObject): boolean {
  if (policies === null || !isObject(policies) || !isArray(data) || !isArray(places) || !isArray(ids)) return false;
  if (places.length !== data.length || !places.every(isPlace) || !ids.every((id) => typeof id === 'string'))
    return false;
  return (
    Object.values(policies as PlainObject).every((text) => text === null || typeof text === 'string') &&
    data.every((row) => row !== null && isObject(row) && isOperation(row as PlainObject))
  );
}

function isPlace(row: Value): boolean {
  return isArray(row) && Number.isSafeInteger(row[0]) && typeof row[1] === 'boolean';
}

const operations: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'write']);

function isOperation({ op, path, value }: PlainObject): boolean {
  if (!operations.has(op) || !isArray(path ?? null) || (op === 'remove') !== (value === undefined)) return false;
  return (path as readonly Value[]).every((segment) => typeof segment === 'string');
}
