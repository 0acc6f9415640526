/** Reads results in JSON, for `conftest reformat`. */
import { readFileSync } from 'node:fs';
import { isArray, isObject, lenientTextOfFile, type PlainObject, parseJson, type Value } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import { type CheckResult, type Result, resultsOf } from '../../views/index.js';
import { ConfigFileError } from '../../views/node.js';
import type { Io } from '../io.js';

/** Throws a ConfigFileError. */
export function resultsFromJson(path: string | undefined, io: Pick<Io, 'stdin'>): CheckResult[] {
  const value = parsedResults(textOf(path, io)) ?? [];
  if (!isArray(value) || !value.every(isObject))
    throw new ConfigFileError('failed to parse JSON input: the results are no list of objects');
  return (value as readonly PlainObject[]).map((one) =>
    resultsOf(String(one.filename ?? ''), String(one.namespace ?? ''), {
      successes: Number(one.successes ?? 0),
      skipped: resultsIn(one.skipped),
      warnings: resultsIn(one.warnings),
      failures: resultsIn(one.failures),
      exceptions: resultsIn(one.exceptions),
    }),
  );
}

function textOf(path: string | undefined, io: Pick<Io, 'stdin'>): string {
  if (path === undefined || path === '-') return lenientTextOfFile(io.stdin());
  try {
    return lenientTextOfFile(readFileSync(path));
  } catch (error) {
    throw new ConfigFileError(`failed to open input file: open ${path}: ${systemProblem(error)}`);
  }
}

function parsedResults(text: string): Value {
  try {
    return parseJson(text);
  } catch (error) {
    throw new ConfigFileError(`failed to parse JSON input: ${(error as Error).message}`);
  }
}

function resultsIn(value: Value | undefined): Result[] {
  if (value === undefined || !isArray(value)) return [];
  return value.filter(isObject).map((one) => {
    const { msg, loc, metadata } = one as PlainObject;
    const place = loc !== undefined && isObject(loc) ? (loc as PlainObject) : undefined;
    return {
      msg: String(msg ?? ''),
      ...(place && {
        loc: {
          ...(typeof place.file === 'string' && { file: place.file }),
          ...(place.line !== undefined && { line: String(place.line) }),
        },
      }),
      ...(metadata !== undefined && isObject(metadata) && { metadata: metadata as PlainObject }),
    };
  });
}
