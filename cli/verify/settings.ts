/** The settings of checks: of flags, of the environment, of `conftest.toml`, the first counts. */
import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { isArray, isObject, lenientTextOfFile, type PlainObject, type Value } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import { readText } from '../../views/index.js';
import { ConfigFileError } from '../../views/node.js';
import type { Flag, FlagValues } from '../flags.js';
import type { Io } from '../io.js';

const files = ['conftest.json', 'conftest.toml', 'conftest.yaml', 'conftest.yml'];

/** Reads the settings of a command with some flags. Rejects with a ConfigFileError. */
export async function readVerifySettings(
  table: readonly Flag[],
  flags: FlagValues,
  { env }: Pick<Io, 'env'>,
): Promise<VerifySettings> {
  const named = flags.text('config-file') ?? env.CONFTEST_CONFIG_FILE;
  const file = named || files.find((name) => existsSync(name));
  return new VerifySettings(table, flags, env, file === undefined ? {} : await readFile(file));
}

async function readFile(file: string): Promise<PlainObject> {
  const stage = 'read in config: error reading config';
  const extension = extname(file).slice(1).toLowerCase();
  const format = extension === 'yml' ? 'yaml' : extension;
  if (!['toml', 'yaml', 'json'].includes(format))
    throw new ConfigFileError(`${stage}: Unsupported Config Type ${JSON.stringify(extension)}`);
  let text: string;
  try {
    text = lenientTextOfFile(readFileSync(file));
  } catch (error) {
    throw new ConfigFileError(`${stage}: open ${file}: ${systemProblem(error)}`);
  }
  const value = await readText(format, text).catch((error: Error) => {
    throw new ConfigFileError(`${stage}: While parsing config: ${error.message}`);
  });
  return isObject(value) ? (value as PlainObject) : {};
}

export class VerifySettings {
  readonly #table: ReadonlyMap<string, Flag>;
  readonly #flags: FlagValues;
  readonly #env: Io['env'];
  readonly #file: PlainObject;
  readonly #left = new Set<string>();

  constructor(table: readonly Flag[], flags: FlagValues, env: Io['env'], file: PlainObject) {
    this.#table = new Map(table.map((flag) => [flag.name, flag]));
    this.#flags = flags;
    this.#env = env;
    this.#file = file;
    for (const { name, type } of table) if (type === 'bool') this.on(name);
  }

  /** The value of the environment or the file, where no flag has one. */
  #beside(name: string): Value | undefined {
    const variable = this.#env[`CONFTEST_${name.replaceAll('-', '_').toUpperCase()}`];
    if (variable !== undefined && variable !== '') return variable;
    return Object.hasOwn(this.#file, name) ? this.#file[name] : undefined;
  }

  /** The settings without a list: it is empty. */
  without(name: string): VerifySettings {
    const copy = new VerifySettings([...this.#table.values()], this.#flags, this.#env, this.#file);
    copy.#left.add(name);
    return copy;
  }

  #isKnown(name: string): boolean {
    return this.#table.has(name);
  }

  /** Throws a ConfigFileError where a value is no truth. */
  on(name: string): boolean {
    if (!this.#isKnown(name)) return false;
    if (this.#flags.has(name)) return this.#flags.on(name);
    const value = this.#beside(name) ?? false;
    if (typeof value === 'boolean') return value;
    if (typeof value === 'number') return value !== 0;
    if (/^(?:1|t|T|TRUE|true|True)$/.test(String(value))) return true;
    if (/^(?:0|f|F|FALSE|false|False|)$/.test(String(value))) return false;
    throw new ConfigFileError(
      `unmarshal parameters: decoding failed due to the following error(s):\n\n'${name}' cannot parse value as 'bool': strconv.ParseBool: invalid syntax`,
    );
  }

  /** How registries are asked: `tls` is undefined where nobody has set it. */
  get registries(): { readonly env: Io['env']; readonly tls: boolean | undefined } {
    const isSet = this.#flags.has('tls') || this.#beside('tls') !== undefined;
    return { env: this.#env, tls: isSet ? this.on('tls') : undefined };
  }

  text(name: string): string | undefined {
    if (this.#flags.has(name)) return this.#flags.text(name);
    const value = this.#beside(name);
    return value === undefined || value === null ? this.#table.get(name)?.default : String(value);
  }

  /** Empty where the command has no such flag: the settings are those of several commands. */
  list(name: string): readonly string[] {
    if (this.#left.has(name) || !this.#isKnown(name)) return [];
    if (this.#flags.has(name)) return this.#flags.all(name);
    const value = this.#beside(name);
    if (value === undefined || value === null) return this.#table.get(name)?.default?.split(',') ?? [];
    return isArray(value) ? value.map(String) : String(value).split(',');
  }
}
