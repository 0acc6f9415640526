/** Opens an engine with a service configuration. Node only, and loaded on demand. */
import { fileURLToPath } from 'node:url';
import type { Platform } from '../../engine/index.js';
import { ConfigError, configFile, objectWithEnvironment, parseConfig, withOverrides } from '../../server/index.js';
import { jsonValue, type PlainObject, placeOf } from '../../values/index.js';
import type { EngineOptions } from '../engine-options.js';
import { EngineError } from '../errors/engine-error.js';
import type { LibraryEngine } from '../library-engine.js';
import type { Source } from '../sources/sources.js';
import type { Attachment } from './attachment.js';
import { EngineServices } from './engine-services.js';
import { type ConfiguredOptions, dividedOptions, type ServiceOptions } from './service-options.js';

type Open<Input, Opened> = (
  sources: Source | readonly Source[],
  options: EngineOptions<Input>,
  attachment: Attachment,
) => Promise<Opened>;

interface Configured<Opened> {
  readonly engine: Opened;
  readonly services: EngineServices;
}

/** Opens an engine, starts its services, and waits for them as the options say. */
export async function openConfigured<Input, Opened extends LibraryEngine<Input>>(
  given: ConfiguredOptions<Input>,
  platform: Platform,
  open: Open<Input, Opened>,
): Promise<Configured<Opened>> {
  const { services: serviceOptions, engine: options } = dividedOptions(given);
  const services = await configured(() =>
    EngineServices.of(configOf(serviceOptions), serviceOptions, options.watch === true),
  );
  const used = options.platform ?? platform;
  const { openHost } = used;
  const traced: Platform = {
    ...used,
    host: services.traced(used.host),
    ...(openHost && { openHost: () => services.traced(openHost()) }),
  };
  const runtime = { config: services.runtime, ...options.runtime };
  const engine = await open(given.sources ?? [], { ...options, runtime, platform: traced }, services).catch(
    async (error: unknown) => {
      await services.abandon();
      throw error;
    },
  );
  try {
    await services.start();
  } catch (error) {
    await engine.close();
    throw error;
  }
  return { engine, services };
}

/** Errors of the configuration as the library's own. */
async function configured<Result>(make: () => Promise<Result>): Promise<Result> {
  try {
    return await make();
  } catch (error) {
    throw error instanceof ConfigError ? new EngineError('invalid_config', error.message) : error;
  }
}

/** Throws a ConfigError, or an EngineError for an unreadable file and a value that is no JSON. */
function configOf({ config, set = [], setFile = [] }: ServiceOptions): PlainObject {
  const { env } = process;
  return withOverrides(writtenConfig(config), { set, setFile }, env);
}

function writtenConfig(config: ServiceOptions['config']): PlainObject {
  const { env } = process;
  if (config === '') throw new EngineError('invalid_config', 'config is an empty text');
  if (typeof config === 'string') {
    if (/\n|^\s*\{/.test(config)) return parseConfig(config, env);
    return fromFile(config.startsWith('file://') ? fileURLToPath(config) : config);
  }
  if (config instanceof URL) return fromFile(fileURLToPath(config));
  const refused = ({ path, problem }: { readonly path: readonly (string | number)[]; readonly problem: string }) =>
    new EngineError('invalid_config', `${placeOf('config', path)} ${problem}`);
  return objectWithEnvironment(jsonValue(config, refused) as PlainObject, env);
}

function fromFile(path: string): PlainObject {
  try {
    return configFile(path, process.env);
  } catch (error) {
    throw error instanceof ConfigError ? error : new EngineError('invalid_config', (error as Error).message);
  }
}
