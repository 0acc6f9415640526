/** The configuration of `run`: a file, and settings over it. */
import { configFile, withOverrides } from '../../services/config/given-config.js';
import type { PlainObject } from '../../values/value.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';

/** Throws a ConfigError, or an Error for files that cannot be read. */
export function givenConfig(flags: FlagValues, { env }: Io): PlainObject {
  const file = flags.text('config-file') ?? '';
  return withOverrides(file === '' ? {} : configFile(file, env), { set: flags.all('set'), setFile: flags.all('set-file') }, env);
}
