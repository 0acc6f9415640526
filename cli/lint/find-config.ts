/** The configuration file of the linter: searched upwards from the first path. */

import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isDirectory } from '../../engine/node.js';
import { lenientTextOfFile } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import { type LintConfig, LintConfigError, noConfig, readLintConfig } from '../../views/index.js';
import { CommandError } from '../exit.js';
import type { Io } from '../io.js';

export interface FoundConfig {
  readonly config: LintConfig;
  /** The file; undefined if there is none. */
  readonly file: string | undefined;
  readonly text: string;
  /** The configuration as it was read. */
  readonly document?: unknown;
  /** The directory that patterns of files begin at. */
  readonly root: string;
}

/** Reads the configuration for some paths. Rejects with a CommandError. */
export async function findConfig(
  paths: readonly string[],
  given: string | undefined,
  io: Pick<Io, 'env'>,
): Promise<FoundConfig> {
  const start = resolve(paths[0] === undefined || paths[0] === '-' ? '.' : paths[0]);
  const directories = [...parentsOf(isDirectory(start) ? start : dirname(start))];
  const folder = directories.find((directory) => isDirectory(join(directory, '.regal')));
  const file = given ?? searched(directories, io.env.HOME);
  const nearest = file !== undefined && given === undefined && file.endsWith('.regal.yaml') ? dirname(file) : undefined;
  const root = folder ?? nearest ?? process.cwd();
  if (file === undefined) return { config: noConfig, file, text: '', root };
  const text = read(file);
  return { ...(await parsed(file, text)), file, text, root };
}

function searched(directories: readonly string[], home: string | undefined): string | undefined {
  const candidates = [
    ...directories.map((directory) => join(directory, '.regal', 'config.yaml')),
    ...directories.map((directory) => join(directory, '.regal.yaml')),
    ...(home === undefined || home === '' ? [] : [join(home, '.config', 'regal', 'config.yaml')]),
  ];
  return candidates.find(isFile);
}

/** A file that may not be looked at, as in the home directory of another user, is none. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function read(file: string): string {
  try {
    return lenientTextOfFile(readFileSync(file));
  } catch (error) {
    throw new CommandError(`open ${file}: ${systemProblem(error)}`);
  }
}

async function parsed(file: string, text: string): Promise<{ config: LintConfig; document: unknown }> {
  const { parseYaml } = await import('../../values/yaml/yaml.js');
  const { repeatedKey } = await import('../../values/yaml/repeated-key.js');
  let document: unknown;
  try {
    document = parseYaml(text);
    const repeated = repeatedKey(text);
    if (repeated !== undefined) throw new Error(`yaml: line ${repeated}: this key stands twice`);
  } catch (error) {
    throw new CommandError(`${file}: ${(error as Error).message}`);
  }
  try {
    return { config: readLintConfig(document), document };
  } catch (error) {
    throw configError(error, file, text);
  }
}

/** An error of the configuration with its file and line. */
export function configError(error: unknown, file: string | undefined, text: string): unknown {
  if (!(error instanceof LintConfigError)) return error;
  const { key, message, isOfFlags } = error;
  if (file === undefined || isOfFlags) return new CommandError(message);
  const line = key === undefined ? -1 : text.split('\n').findIndex((each) => each.includes(key));
  return new CommandError(`${file}${line < 0 ? '' : `:${line + 1}`}: ${message}`);
}

function* parentsOf(directory: string): Iterable<string> {
  for (let each = directory; ; each = dirname(each)) {
    yield each;
    if (dirname(each) === each) return;
  }
}
