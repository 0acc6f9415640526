/** The files of a bundle that are about the bundle: `.signatures.json` and `patch.json`. */
import type { PlainObject, Value } from '../../values/index.js';
import { isArray, isObject, isString, lenientTextOfFile, parseJson } from '../../values/index.js';
import type { BundleFile } from './archive/archive.js';
import type { BundlePatch, SignaturesConfig } from './bundle.js';
import { BundleError } from './bundle-error.js';
import { baseName } from './bundle-paths.js';

/** Undefined where a bundle has none. Throws a BundleError. */
export function readSignatures(list: readonly BundleFile[]): SignaturesConfig | undefined {
  const file = list.find(({ name }) => name.endsWith('signatures.json'));
  if (file === undefined) return undefined;
  const config = decodeObject(file, 'signatures');
  const { signatures, plugin } = config;
  if (signatures !== undefined && signatures !== null && !(isArray(signatures) && signatures.every(isString))) {
    throw new BundleError(
      'syntax',
      'bundle load failed on signatures decode: signatures must be an array of strings',
      file.name,
    );
  }
  if (plugin !== undefined && !isString(plugin)) {
    throw new BundleError('syntax', 'bundle load failed on signatures decode: plugin must be a string', file.name);
  }
  return {
    ...(isArray(signatures as Value) && { signatures: signatures as readonly string[] }),
    ...(plugin !== undefined && { plugin }),
  };
}

/** The changes of a delta bundle; undefined where it has none. Throws a BundleError. */
export function readPatch(list: readonly BundleFile[]): BundlePatch[] | undefined {
  const file = list.find(({ name }) => baseName(name) === 'patch.json');
  if (file === undefined) return undefined;
  const operations = decodeObject(file, 'patch').data ?? [];
  const wrong = new BundleError(
    'syntax',
    'bundle load failed on patch decode: data must be an array of operations',
    file.name,
  );
  if (!isArray(operations)) throw wrong;
  const patch = operations.map((operation) => {
    if (!isObject(operation)) throw wrong;
    const { op, path, value } = operation as PlainObject;
    if (!isString(op ?? null) || !isString(path ?? null)) throw wrong;
    return { op: op as string, path: path as string, value };
  });
  return patch.length === 0 ? undefined : patch;
}

function decodeObject({ name, bytes }: BundleFile, what: string): PlainObject {
  let json: Value;
  try {
    json = parseJson(lenientTextOfFile(bytes));
  } catch (error) {
    throw new BundleError('syntax', `bundle load failed on ${what} decode: ${(error as Error).message}`, name);
  }
  if (!isObject(json))
    throw new BundleError('syntax', `bundle load failed on ${what} decode: it must be an object`, name);
  return json as PlainObject;
}
