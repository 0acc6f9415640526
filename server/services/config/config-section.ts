/** Reads typed fields of a configuration, with errors that name the key. */
import { ExactNumber, isArray, isObject, type PlainObject, typeName, type Value } from '../../../values/index.js';

/** An error in the configuration. */
export class ConfigError extends Error {
  readonly code = 'config_error';

  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** An object of the configuration and its place. A field that is absent or null is undefined. */
export class ConfigSection {
  /** The object as it was written. */
  readonly fields: PlainObject;
  readonly #place: string;

  /** @param place the object's keys from the top, such as `bundles.main` */
  constructor(value: Value, place: string) {
    if (!isObject(value)) throw new ConfigError(`${place}: must be an object but is ${typeName(value)}`);
    this.fields = value as PlainObject;
    this.#place = place;
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  value(name: string): Value | undefined {
    return Object.hasOwn(this.fields, name) ? (this.fields[name] ?? undefined) : undefined;
  }

  string(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value;
    throw this.#wrong(name, 'a string', value);
  }

  boolean(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.#wrong(name, 'a boolean', value);
  }

  number(name: string): number | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'number') return value;
    if (value instanceof ExactNumber) return Number(value.text);
    throw this.#wrong(name, 'a number', value);
  }

  integer(name: string): number | undefined {
    const number = this.number(name);
    if (number !== undefined && !Number.isSafeInteger(number)) throw this.#wrong(name, 'an integer', number);
    return number;
  }

  /** An integer that is at least 1. */
  positive(name: string): number | undefined {
    const number = this.integer(name);
    if (number !== undefined && number < 1) throw new ConfigError(`${this.#at(name)}: must be positive`);
    return number;
  }

  strings(name: string): readonly string[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (isArray(value) && value.every((member) => typeof member === 'string')) return value as readonly string[];
    throw this.#wrong(name, 'an array of strings', value);
  }

  numbers(name: string): readonly number[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (!isArray(value)) throw this.#wrong(name, 'an array of numbers', value);
    return value.map((member) => {
      if (typeof member === 'number') return member;
      if (member instanceof ExactNumber) return Number(member.text);
      throw this.#wrong(name, 'an array of numbers', value);
    });
  }

  section(name: string): ConfigSection | undefined {
    const value = this.value(name);
    return value === undefined ? undefined : new ConfigSection(value, this.#at(name));
  }

  /** The sections of an object of objects, by key. */
  sections(): [string, ConfigSection][] {
    return Object.keys(this.fields).map((name) => [name, new ConfigSection(this.fields[name] ?? {}, this.#at(name))]);
  }

  #at(name: string): string {
    return this.#place === '' ? name : `${this.#place}.${name}`;
  }

  #wrong(name: string, wanted: string, value: Value): ConfigError {
    return new ConfigError(`${this.#at(name)}: must be ${wanted} but is ${typeName(value)}`);
  }
}

/** Whether a plugin acts at intervals or when it is triggered. */
export type TriggerMode = 'periodic' | 'manual';

/**
 * Throws a ConfigError, in the reference's words, for a mode that does not exist.
 * @param inherited the mode of `discovery`, which may not be changed
 */
export function triggerMode(mode: string | undefined, inherited?: TriggerMode): TriggerMode {
  if (mode === undefined) return inherited ?? 'periodic';
  if (mode === 'periodic' || mode === 'manual') {
    if (inherited === undefined || mode === inherited) return mode;
    throw new ConfigError(
      `trigger mode mismatch: ${JSON.stringify(mode)}, but discovery has ${JSON.stringify(inherited)}`,
    );
  }
  throw new ConfigError(`invalid trigger mode ${JSON.stringify(mode)} (want "periodic" or "manual")`);
}

/** The mode that `discovery` sets for all plugins; undefined where it sets none. */
export function inheritedTrigger(config: ConfigSection): TriggerMode | undefined {
  const mode = config.section('discovery')?.string('trigger');
  return mode === undefined ? undefined : triggerMode(mode);
}

/** The bounds of a random pause between attempts. */
export interface Delay {
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

/**
 * `min_delay_seconds` and `max_delay_seconds`; undefined without both. Throws a ConfigError in the
 * reference's words.
 */
export function delay(
  section: ConfigSection | undefined,
  kind: 'polling' | 'reporting',
  suffix = '',
): Delay | undefined {
  const minSeconds = section?.integer('min_delay_seconds');
  const maxSeconds = section?.integer('max_delay_seconds');
  if (minSeconds === undefined && maxSeconds === undefined) return undefined;
  if (maxSeconds === undefined) throw new ConfigError(`${kind} configuration missing 'max_delay_seconds'${suffix}`);
  if (minSeconds === undefined) throw new ConfigError(`${kind} configuration missing 'min_delay_seconds'${suffix}`);
  if (maxSeconds < minSeconds) throw new ConfigError(`max ${kind} delay must be >= min ${kind} delay${suffix}`);
  if (minSeconds < 0) throw new ConfigError(`min ${kind} delay must be >= 0${suffix}`);
  return { minSeconds, maxSeconds };
}

/** The segments of a path below `data`, such as `/system/log/mask`. Throws a ConfigError. */
export function decisionPath(path: string, complaint: string): readonly string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length === 0) throw new ConfigError(`${complaint}: path must be non-empty`);
  return segments.map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
}
