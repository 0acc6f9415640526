/** Reads results in JSON, for `conftest reformat`. */
import { readFileSync } from 'node:fs';
import { isArray, isObject, type PlainObject, parseJson, type Value } from '../../values/index.js';
import { type CheckResult, type Result, resultsOf } from '../../views/index.js';
import { ConfigFileError } from '../../views/node.js';
import type { Io } from '../io.js';

/** Throws a ConfigFileError. */
export function resultsFromJson(path: string | undefined, io: Pick<Io, 'stdin'>): CheckResult[] {
  let value: Value;
  try {
    value = parseJson(
      path === undefined || path === '-' ? new TextDecoder().decode(io.stdin()) : readFileSync(path, 'utf8'),
    );
  } catch (error) {
    throw new ConfigFileError(`parse results: ${(error as Error).message}`);
  }
  if (!isArray(value) || !value.every(isObject))
    throw new ConfigFileError('parse results: they are no list of objects');
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
