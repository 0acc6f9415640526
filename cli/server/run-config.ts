/** The configuration of `run`: a file, and settings over it. */
import { readFileSync } from 'node:fs';
import { systemProblem } from '../../bundle/disk/file-path.js';
import { parseConfig } from '../../server/control/server-config.js';
import { ConfigError } from '../../services/config/config-section.js';
import { overridden, withSettings } from '../../services/config/config-settings.js';
import { withEnvironment } from '../../services/config/environment.js';
import type { PlainObject } from '../../values/value.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';

/** Throws a ConfigError, or an Error for files that cannot be read. */
export function givenConfig(flags: FlagValues, { env }: Io): PlainObject {
  let settings: PlainObject = {};
  for (const setting of flags.all('set')) settings = withSettings(settings, withEnvironment(setting, env));
  const fileText = (file: string) => readText(file).trim();
  for (const setting of flags.all('set-file')) settings = withSettings(settings, setting, { read: fileText, flag: '--set-file' });
  return overridden(configFile(flags.text('config-file') ?? '', env), settings);
}

function configFile(path: string, env: Io['env']): PlainObject {
  if (path === '') return {};
  const text = readText(path);
  try {
    return parseConfig(text, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`failed to parse ${path}: ${error.message}`);
  }
}

/** Throws an Error that names the file. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`open ${path}: ${systemProblem(error)}`, { cause: error });
  }
}
