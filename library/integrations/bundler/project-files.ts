/** The files of a project that its options name, read at once: hooks of Node cannot wait. */

import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type CompileCapabilities, type Schemas, schemaDocuments } from '../../../compiler/index.js';
import { mergeDocuments, treeDocumentAt } from '../../../engine/index.js';
import type { PlainObject, Value } from '../../../values/index.js';
import {
  capabilitiesVersion,
  isObject,
  jsonValue,
  lenientTextOfFile,
  parseJson,
  parseYaml,
  placeOf,
  releaseCapabilities,
} from '../../../values/index.js';
import { systemProblem } from '../../../values/node.js';
import { type RegoOptions, RegoOptionsError } from './options.js';

/** The files that were read: a change of one may change the result. */
export class ProjectReading {
  readonly files = new Set<string>();
  /** A new file in one of these matters as well. */
  readonly folders = new Set<string>();

  /** @throws RegoOptionsError */
  text(path: string): string {
    this.files.add(path);
    try {
      return lenientTextOfFile(readFileSync(path));
    } catch (error) {
      throw new RegoOptionsError(`open ${path}: ${systemProblem(error)}`, { cause: error });
    }
  }

  /**
   * The files below a folder, or the file itself. Hidden files and folders, and those of packages,
   * are left out.
   * @throws RegoOptionsError
   */
  filesAt(path: string, extensions: RegExp): readonly FoundFile[] {
    const isFolder = isFolderAt(path);
    if (isFolder === undefined) {
      this.files.add(path);
      throw new RegoOptionsError(`${path}: no such file or directory`);
    }
    return isFolder ? this.#below(path, [], [], extensions) : [{ path, folders: [] }];
  }

  /** @param above the real paths of the folders that are being read */
  #below(
    folder: string,
    folders: readonly string[],
    above: readonly string[],
    extensions: RegExp,
  ): readonly FoundFile[] {
    const real = realpathSync(folder);
    if (above.includes(real)) return [];
    this.folders.add(folder);
    const names = readdirSync(folder).filter((name) => !name.startsWith('.') && name !== 'node_modules');
    return names.sort().flatMap((name) => {
      const path = join(folder, name);
      if (isFolderAt(path)) return this.#below(path, [...folders, name], [...above, real], extensions);
      return extensions.test(name) ? [{ path, folders }] : [];
    });
  }
}

/** Undefined where there is nothing. */
function isFolderAt(path: string): boolean | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory();
}

interface FoundFile {
  readonly path: string;
  /** The names of the folders between the given one and the file. */
  readonly folders: readonly string[];
}

/** @throws RegoOptionsError */
export function documents(root: string, given: RegoOptions['data'], reading: ProjectReading): PlainObject {
  if (given === undefined) return {};
  if (typeof given === 'object' && !Array.isArray(given))
    return jsonValue(
      given,
      ({ path, problem }) => new RegoOptionsError(`${placeOf('data', path)} ${problem}`),
    ) as PlainObject;
  let data: PlainObject = {};
  for (const path of listed(given as string | readonly string[])) {
    for (const file of reading.filesAt(resolve(root, path), /\.(json|ya?ml)$/)) {
      const tree = treeDocumentAt(file.folders, document(file.path, reading));
      if (tree === undefined) throw new RegoOptionsError(`${file.path}: document must be of type object`);
      const merged = mergeDocuments(data, tree);
      if (merged === undefined) throw new RegoOptionsError(`${file.path}: merge error`);
      data = merged;
    }
  }
  return data;
}

export function listed(given: string | readonly string[]): readonly string[] {
  return typeof given === 'string' ? [given] : given;
}

function document(path: string, reading: ProjectReading): Value {
  const text = reading.text(path);
  try {
    return path.endsWith('.json') ? parseJson(text) : parseYaml(text);
  } catch (error) {
    throw new RegoOptionsError(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Schemas by ref, as given or of files: a single file is `schema`, those of a folder have names
 * such as `schema.input`.
 * @throws RegoOptionsError
 */
export function projectSchemas(
  root: string,
  given: RegoOptions['schemas'],
  reading: ProjectReading,
): ReadonlyMap<string, Value> | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'object') return givenSchemas(given);
  const path = resolve(root, given);
  const found = reading.filesAt(path, /\.json$/);
  const single = found.length === 1 && found[0]?.path === path;
  return new Map(found.map((file) => [single ? 'schema' : schemaName(file), schema(file.path, reading)]));
}

function givenSchemas(given: Schemas): ReadonlyMap<string, Value> {
  let documents: ReadonlyMap<string, unknown>;
  try {
    documents = schemaDocuments(given);
  } catch (error) {
    throw new RegoOptionsError(`schemas: ${(error as Error).message}`, { cause: error });
  }
  const value = (name: string, document: unknown) =>
    jsonValue(document, ({ path, problem }) => new RegoOptionsError(`${placeOf(`schemas: ${name}`, path)} ${problem}`));
  return new Map([...documents].map(([name, document]) => [name, value(name, document)]));
}

function schemaName({ path, folders }: FoundFile): string {
  return ['schema', ...folders, basename(path, '.json')].join('.');
}

function schema(path: string, reading: ProjectReading): Value {
  const value = document(path, reading);
  if (!isObject(value) && typeof value !== 'boolean')
    throw new RegoOptionsError(`${path}: a schema must be an object or a boolean`);
  return value;
}

/** @throws RegoOptionsError */
export function capabilities(
  root: string,
  { capabilities: given, v0Compatible = false }: RegoOptions,
  reading: ProjectReading,
): CompileCapabilities | undefined {
  if (typeof given !== 'string') return given;
  const release = releaseCapabilities(given, v0Compatible ? 0 : 1);
  if (release !== undefined) return JSON.parse(JSON.stringify(release)) as CompileCapabilities;
  const path = resolve(root, given);
  if (/^v?\d/.test(given))
    throw new RegoOptionsError(`capabilities: there is no release ${given}; the newest is ${capabilitiesVersion}`);
  const found = document(path, reading);
  if (!isObject(found)) throw new RegoOptionsError(`${path}: capabilities must be an object`);
  return found as CompileCapabilities;
}
