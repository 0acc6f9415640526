/** Reads `.manifest`. */
import type { PlainObject, Value } from '../../values/index.js';
import { integerOf, isArray, isNumber, isObject, isString, parseJson, typeName } from '../../values/index.js';
import { BundleError } from './bundle-error.js';
import { trimSlashes } from './bundle-paths.js';
import type { Manifest, WasmResolver } from './manifest.js';

/** Reads a manifest; null is an empty one. Unknown fields are ignored. Throws a BundleError. */
export function parseManifest(text: string): Manifest {
  let json: Value;
  try {
    json = parseJson(text);
  } catch (error) {
    throw decodeError((error as Error).message);
  }
  const fields = (json === null ? {} : objectOf(json, 'the manifest')) as {
    readonly [name: string]: Value | undefined;
  };
  const field = (name: string) => (Object.hasOwn(fields, name) && fields[name] !== null ? fields[name] : undefined);
  const regoVersion = field('rego_version');
  const fileRegoVersions = field('file_rego_versions');
  const metadata = field('metadata');
  return {
    revision: stringOf(field('revision') ?? '', 'revision'),
    roots: arrayOf(field('roots') ?? [''], 'roots').map((root) => trimSlashes(stringOf(root, 'roots'))),
    wasm: arrayOf(field('wasm') ?? [], 'wasm').map(parseResolver),
    ...(regoVersion !== undefined && { regoVersion: integerIn(regoVersion, 'rego_version') }),
    ...(fileRegoVersions !== undefined && {
      fileRegoVersions: new Map(
        Object.entries(objectOf(fileRegoVersions, 'file_rego_versions')).map(([file, v]) => [
          file,
          integerIn(v, 'file_rego_versions'),
        ]),
      ),
    }),
    ...(metadata !== undefined && { metadata: objectOf(metadata, 'metadata') }),
  };
}

function parseResolver(value: Value): WasmResolver {
  const { entrypoint, module, annotations } = objectOf(value, 'wasm');
  return {
    entrypoint: stringOf(entrypoint ?? '', 'wasm.entrypoint'),
    module: stringOf(module ?? '', 'wasm.module'),
    ...(annotations !== undefined && { annotations }),
  };
}

function decodeError(problem: string): BundleError {
  return new BundleError('syntax', `bundle load failed on manifest decode: ${problem}`, '/.manifest');
}

function wrongType(name: string, wanted: string, got: Value): BundleError {
  return decodeError(`${name} must be ${wanted} but got ${typeName(got)}`);
}

function objectOf(value: Value, name: string): PlainObject {
  if (!isObject(value)) throw wrongType(name, 'object', value);
  return value as PlainObject;
}

function arrayOf(value: Value, name: string): readonly Value[] {
  if (!isArray(value)) throw wrongType(name, 'array', value);
  return value;
}

function stringOf(value: Value, name: string): string {
  if (!isString(value)) throw wrongType(name, 'string', value);
  return value;
}

function integerIn(value: Value, name: string): number {
  const integer = isNumber(value) ? integerOf(value) : undefined;
  if (integer === undefined) throw wrongType(name, 'integer', value);
  return Number(integer);
}
