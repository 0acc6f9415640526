/** The configuration of `run`: a file, and settings over it. */

import { configFile, type ServiceConfig, withOverrides } from '../../server/index.js';
import { type PlainObject, useYaml } from '../../values/index.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';

/** Throws a ConfigError, or an Error for files that cannot be read. */
export function givenConfig(flags: FlagValues, { env }: Io): PlainObject {
  const file = flags.text('config-file') ?? '';
  return withOverrides(
    file === '' ? {} : configFile(file, env),
    { set: flags.all('set'), setFile: flags.all('set-file') },
    env,
  );
}

/** The version of YAML that the configuration names, for all that is read after it. */
export function useYamlOf({ yamlVersion }: ServiceConfig, flags: FlagValues): void {
  if (yamlVersion !== undefined && !flags.has('yaml')) useYaml(yamlVersion);
}
