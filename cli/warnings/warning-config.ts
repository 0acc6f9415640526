/**
 * The file `.writ.yaml`: which warnings are silent, and which documents come at run time. The
 * nearest one counts, in the folder of the first path or above it.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { SilentCode, WarningScope } from '../../compiler/index.js';
import { pathGlob } from '../../engine/index.js';
import { isArray, isObject, lenientTextOfFile, type PlainObject, type Value } from '../../values/index.js';

const configName = '.writ.yaml';

/** The path of the configuration for some paths, if there is one. */
export function findWarningConfig(paths: readonly string[]): string | undefined {
  return foundAbove(paths, [configName]);
}

/** Whether the linter has a configuration for some paths. */
export function hasLintConfig(paths: readonly string[]): boolean {
  return foundAbove(paths, [join('.regal', 'config.yaml'), '.regal.yaml']) !== undefined;
}

/** The nearest file of one of some names. */
function foundAbove(paths: readonly string[], names: readonly string[]): string | undefined {
  let folder = resolve(paths[0] ?? '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) folder = dirname(folder);
  for (;;) {
    const path = names.map((name) => join(folder, name)).find((candidate) => existsSync(candidate));
    if (path !== undefined) return path;
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
}

/** Reads the configuration. Rejects with an error that names the file. */
export async function readWarningConfig(path: string): Promise<Pick<WarningScope, 'known' | 'silent'>> {
  const { parseYaml } = await import('../../values/yaml/yaml.js');
  try {
    const config = objectOf(parseYaml(lenientTextOfFile(readFileSync(path))) ?? {}, 'the configuration');
    const { known = [], ignore = [], ...others } = objectOf(config.warnings ?? {}, '`warnings`');
    const unknown = Object.keys(others)[0];
    if (unknown !== undefined)
      throw new Error(`\`warnings\` has no key \`${unknown}\`: it has \`known\` and \`ignore\``);
    return {
      known: listOf(known, '`known`').map((ref) => textOf(ref, 'an element of `known`')),
      silent: listOf(ignore, '`ignore`').map((each) => silentCode(each, dirname(path))),
    };
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** A code, or an object of a code and the files in which it is silent. */
function silentCode(value: Value, folder: string): SilentCode {
  if (typeof value === 'string') return { code: value };
  const { code = null, files = null } = objectOf(value, 'an element of `ignore`');
  const given = typeof files === 'string' ? [files] : listOf(files, '`files`');
  const globs = given.map((glob) => pathGlob(textOf(glob, 'an element of `files`')));
  const inFile = (file: string): boolean => {
    const path = relative(folder, resolve(file)).split(sep).join('/');
    return globs.some((matches) => matches(path));
  };
  return { code: textOf(code, '`code`'), inFile };
}

function objectOf(value: Value, what: string): PlainObject {
  if (value !== null && isObject(value)) return value as PlainObject;
  throw new Error(`${what} must be an object`);
}

function listOf(value: Value, what: string): readonly Value[] {
  if (isArray(value)) return value;
  throw new Error(`${what} must be a list`);
}

function textOf(value: Value, what: string): string {
  if (typeof value === 'string') return value;
  throw new Error(`${what} must be a text`);
}
