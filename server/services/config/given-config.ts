/** The configuration that a caller gives: a file, and settings over it. */

import { readFileSync } from 'node:fs';
import { lenientTextOfFile, type PlainObject } from '../../../values/index.js';
import { systemProblem } from '../../../values/node.js';
import { ConfigError } from './config-section.js';
import { overridden, withSettings } from './config-settings.js';
import { withEnvironment } from './environment-variables.js';
import { parseConfig } from './service-config.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings over a configuration, in the notation of `--set` and `--set-file`. */
export interface Overrides {
  readonly set: readonly string[];
  readonly setFile: readonly string[];
}

/** Throws a ConfigError, or an Error for files that cannot be read. */
export function withOverrides(config: PlainObject, { set, setFile }: Overrides, env: Environment): PlainObject {
  let settings: PlainObject = {};
  for (const setting of set) settings = withSettings(settings, withEnvironment(setting, env));
  const fileText = (file: string) => readConfigText(file).trim();
  for (const setting of setFile) settings = withSettings(settings, setting, { read: fileText, flag: '--set-file' });
  return overridden(config, settings);
}

/** The configuration of a file of YAML or JSON. Throws as `withOverrides`. */
export function configFile(path: string, env: Environment): PlainObject {
  const text = readConfigText(path);
  try {
    return parseConfig(text, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`failed to parse ${path}: ${error.message}`);
  }
}

/** Throws an Error that names the file. */
export function readConfigText(path: string): string {
  try {
    return lenientTextOfFile(readFileSync(path));
  } catch (error) {
    throw new Error(`open ${path}: ${systemProblem(error)}`, { cause: error });
  }
}
