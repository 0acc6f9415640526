/** `test --snapshots FILE`: values that tests compare with, below `data.snapshots`; `--update`. */
import { existsSync, readFileSync } from 'node:fs';
import { type CompileOptions, locationOf } from '../../../compiler/index.js';
import { mergeDocuments } from '../../../engine/index.js';
import type { PlainObject, Value } from '../../../values/index.js';
import {
  isArray,
  isObject,
  isPlainObject,
  isSet,
  lenientTextOfFile,
  objectEntries,
  parseJson,
  setOwn,
  sortedMembers,
  toIndentedJson,
  toJson,
} from '../../../values/index.js';
import { openCommandEngine } from '../../eval/command-engine.js';
import { CommandError } from '../../exit.js';
import type { Io } from '../../io.js';
import type { ParsedFile } from '../../load-policies.js';
import { writeFile } from '../../output/write-file.js';
import { type ComparedValue, comparedValues } from './compared-values.js';

/** The documents with those of the file, which need not be there where it is updated. */
export function withSnapshots(data: PlainObject, file: string, isUpdate: boolean): PlainObject {
  return joined(data, isUpdate && !existsSync(file) ? {} : readSnapshots(file), file);
}

function joined(data: PlainObject, snapshots: PlainObject, file: string): PlainObject {
  const merged = mergeDocuments(data, { snapshots });
  if (merged === undefined) throw new Error(`${file}: the loaded data have data.snapshots already`);
  return merged;
}

function readSnapshots(file: string): PlainObject {
  let text: string;
  try {
    text = lenientTextOfFile(readFileSync(file));
  } catch (error) {
    throw new Error(`${file}: there are no snapshots: --update writes them`, { cause: error });
  }
  const value = parsedSnapshots(text, file);
  if (!isPlainObject(value)) throw new Error(`${file}: snapshots are an object`);
  return value;
}

function parsedSnapshots(text: string, file: string): Value {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`${file}: it is no JSON: ${(error as Error).message}`, { cause: error });
  }
}

export interface SnapshotUpdate {
  readonly file: string;
  readonly compile: CompileOptions;
  readonly matches: (fullName: string) => boolean;
  /** Milliseconds of one evaluation. */
  readonly timeMs: number;
  /** Whether snapshots that no test compares with stay: others may not have been looked at. */
  readonly keepsOthers: boolean;
}

/**
 * Writes the values that tests compare with their snapshots, and returns the documents with them.
 * Rejects with CompileErrors, or an Error that names the place of a value that is none of JSON.
 */
export async function updateSnapshots(
  parsed: readonly ParsedFile[],
  data: PlainObject,
  { file, compile, matches, timeMs, keepsOthers }: SnapshotUpdate,
  io: Pick<Io, 'env' | 'stderr'>,
): Promise<PlainObject> {
  const before = existsSync(file) ? readSnapshots(file) : {};
  const { values, modules } = comparedValues(parsed, matches);
  const engine = await openCommandEngine([...parsed, ...modules], data, { ...compile, print: false }, io);
  const found = new Map<string, { readonly compared: ComparedValue; readonly value: Value }>();
  for (const compared of values) {
    const prepared = engine.prepare(compared.rule);
    await prepared.plan();
    const value = onlyValue(prepared.atOnce(undefined, { timeMs }), compared);
    const key = compared.path.join('.');
    const known = found.get(key);
    if (known !== undefined && toJson(known.value) !== toJson(value))
      throw faultAt(compared, `data.snapshots.${key} is compared with another value at ${placeOf(known.compared)}`);
    found.set(key, { compared, value });
  }
  let after: PlainObject = keepsOthers ? before : {};
  for (const { compared, value } of found.values()) after = withMember(after, compared, compared.path, value);
  const text = `${toIndentedJson(sortedKeys(after))}\n`;
  const isSame = existsSync(file) && lenientTextOfFile(readFileSync(file)) === text;
  if (!isSame) writeFile(file, text);
  io.stderr(isSame ? `${file}: no snapshot has changed\n` : `${file}: ${changesText(before, after)}\n`);
  const { snapshots: _, ...others } = data;
  return joined(others, after, file);
}

/** The value of the one solution that a comparison has before it. */
function onlyValue(solutions: Value | undefined, compared: ComparedValue): Value {
  const all = solutions === undefined || !isSet(solutions) ? [] : sortedMembers(solutions);
  const [value] = all;
  if (all.length !== 1 || value === undefined)
    throw faultAt(
      compared,
      all.length === 0 ? 'the compared value is undefined' : `there are ${all.length} values to compare`,
    );
  if (!isOfJson(value))
    throw faultAt(compared, 'the compared value has a set or a key that is no text, which JSON has not');
  return value;
}

function isOfJson(value: Value): boolean {
  if (isArray(value)) return value.every(isOfJson);
  if (isSet(value)) return false;
  if (value === null || !isObject(value)) return true;
  return Array.from(objectEntries(value)).every(([key, member]) => typeof key === 'string' && isOfJson(member));
}

function withMember(
  object: PlainObject,
  compared: ComparedValue,
  [key, ...rest]: readonly string[],
  value: Value,
): PlainObject {
  const copy: PlainObject = { ...object };
  const inner = Object.hasOwn(copy, key!) ? copy[key!] : undefined;
  if (rest.length > 0 && inner !== undefined && !isPlainObject(inner))
    throw faultAt(compared, `data.snapshots.${compared.path.join('.')} is inside of another snapshot`);
  setOwn(copy, key!, rest.length === 0 ? value : withMember((inner ?? {}) as PlainObject, compared, rest, value));
  return copy;
}

function sortedKeys(object: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function changesText(before: PlainObject, after: PlainObject): string {
  const [old, next] = [before, after].map(
    (all) => new Map(Object.entries(all).map(([key, value]) => [key, toJson(value)])),
  );
  const added = [...next!.keys()].filter((key) => !old!.has(key)).length;
  const removed = [...old!.keys()].filter((key) => !next!.has(key)).length;
  const changed = [...next!].filter(([key, value]) => old!.has(key) && old!.get(key) !== value).length;
  const parts = [`${added} added`, `${changed} changed`, `${removed} removed`].filter((part) => !part.startsWith('0'));
  return `snapshots written: ${parts.length === 0 ? 'none changed' : parts.join(', ')}`;
}

function placeOf({ location }: ComparedValue): string {
  const { file, row } = locationOf(location);
  return `${file}:${row}`;
}

function faultAt(compared: ComparedValue, fault: string): CommandError {
  return new CommandError(`${placeOf(compared)}: ${fault}`);
}
