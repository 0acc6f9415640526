/** The options of `writ/bundler`, `writ/register`, `writ/vitest` and `writ/jest`. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CompileCapabilities, Schemas } from '../../../compiler/index.js';
import { lenientTextOfFile } from '../../../values/index.js';

/** Options for the policies of a project. Paths are relative to its root. */
export interface RegoOptions {
  /**
   * Folders or files of the policies that imported ones may refer to. Default: the folder of the
   * imported file.
   */
  readonly policies?: string | readonly string[] | undefined;
  /** Files or folders of JSON and YAML for `data`, or the documents themselves. */
  readonly data?: string | readonly string[] | object | undefined;
  /**
   * A file with a JSON Schema of the input, or a folder of schemas that annotations name; or
   * schemas by name, as objects or those of zod, Valibot or ArkType: `{ input: z.object(…) }`.
   */
  readonly schemas?: string | Schemas | undefined;
  /** Built-ins that policies may call: a release of OPA, a file of capabilities, or these. */
  readonly capabilities?: string | CompileCapabilities | undefined;
  /** Read policies as Rego v0. */
  readonly v0Compatible?: boolean | undefined;
  /** Report doubtful code as errors, as `writ check --strict` does. */
  readonly strict?: boolean | undefined;
  /** Paths such as `authz/allow`: of a package with any of them, the other rules are left out. */
  readonly entrypoints?: readonly string[] | undefined;
  /** Write declarations for TypeScript beside each imported policy: `authz.d.rego.ts`. */
  readonly types?: boolean | undefined;
}

/** A wrong option, or a file of one that cannot be read. */
export class RegoOptionsError extends Error {
  override readonly name = 'RegoOptionsError';
  readonly code = 'invalid_option';
}

const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const known: Readonly<
  Record<keyof RegoOptions, { readonly fits: (value: unknown) => boolean; readonly form: string }>
> = {
  policies: { fits: (value) => isText(value) || isTexts(value), form: 'a path or a list of paths' },
  data: {
    fits: (value) => isText(value) || isTexts(value) || isRecord(value),
    form: 'a path, a list of paths or an object',
  },
  schemas: { fits: (value) => isText(value) || isRecord(value), form: 'a path or an object with schemas' },
  capabilities: { fits: (value) => isText(value) || isRecord(value), form: 'a release, a path or an object' },
  v0Compatible: { fits: isBoolean, form: 'true or false' },
  strict: { fits: isBoolean, form: 'true or false' },
  entrypoints: { fits: isTexts, form: 'a list of paths such as "authz/allow"' },
  types: { fits: isBoolean, form: 'true or false' },
};

/**
 * The options as given; without any, those of the member `writ` of the root's package.json.
 * @throws RegoOptionsError for an unknown option, and for a value that it cannot have
 */
export function optionsFor(root: string, given: RegoOptions | undefined): RegoOptions {
  const [options, where] =
    given === undefined ? [fromManifest(root), `"writ" in ${join(root, 'package.json')}: `] : [given, ''];
  if (!isRecord(options)) throw new RegoOptionsError(`${where}the options are no object`);
  for (const [name, value] of Object.entries(options as object)) {
    if (!Object.hasOwn(known, name))
      throw new RegoOptionsError(`${where}there is no option ${name}; options are ${Object.keys(known).join(', ')}`);
    const { fits, form } = known[name as keyof RegoOptions];
    if (value !== undefined && !fits(value)) throw new RegoOptionsError(`${where}option ${name} must be ${form}`);
  }
  return options as RegoOptions;
}

/** The nearest folder with a package.json: the root of the project. */
export function projectRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (textOf(join(folder, 'package.json')) !== undefined) return folder;
    if (dirname(folder) === folder) return start;
  }
}

function fromManifest(root: string): unknown {
  const path = join(root, 'package.json');
  const text = textOf(path);
  if (text === undefined) return {};
  try {
    return (JSON.parse(text) as { readonly writ?: unknown }).writ ?? {};
  } catch (error) {
    throw new RegoOptionsError(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

function textOf(path: string): string | undefined {
  try {
    return lenientTextOfFile(readFileSync(path));
  } catch {
    return undefined;
  }
}
