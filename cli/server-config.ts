/** The configuration of `run`: a file, and settings over it. */
import { readFileSync } from 'node:fs';
import { systemProblem } from '../runtime/bundle/disk.js';
import type { PlainObject } from '../runtime/values/value.js';
import { parseConfig } from '../server/config.js';
import { withSettings } from '../server/config-settings.js';
import type { FlagValues } from './flags.js';
import type { Io } from './io.js';

/** Throws a ConfigError, or an Error for files that cannot be read. */
export function givenConfig(flags: FlagValues, io: Io): PlainObject {
  const path = flags.text('config-file') ?? '';
  let config = path === '' ? {} : parseConfig(readText(path), io.env);
  for (const setting of flags.all('set')) config = withSettings(config, setting);
  for (const setting of flags.all('set-file')) config = withSettings(config, setting, (file) => readText(file).trim());
  return config;
}

/** Throws an Error that names the file. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`open ${path}: ${systemProblem(error)}`, { cause: error });
  }
}
