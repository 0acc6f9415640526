/** Registries of images, with the credentials that Docker keeps for them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type NamedService, OciRegistry, Services } from '../../../server/index.js';
import { isObject, type PlainObject, type Value } from '../../../values/index.js';
import { ConfigFileError } from '../../../views/node.js';
import type { Io } from '../../io.js';

/** A client of one host; its connections are closed by the function that comes with it. */
export function openHost(url: string, headers: Readonly<Record<string, string>> = {}) {
  const service: NamedService = {
    name: new URL(url).host,
    url,
    headers,
    transport: {
      headerTimeoutMs: 60_000,
      authorityFile: undefined,
      needsSystemAuthorities: false,
      allowsInsecure: false,
    },
    isOci: false,
    credentials: undefined,
    source: url,
  };
  const services = new Services(new Map([[service.name, service]]));
  return { client: services.client(service.name), close: () => services.close() };
}

interface RegistryOptions {
  readonly env: Io['env'];
  /** Whether the registry is asked over TLS; undefined: one of another machine is. */
  readonly tls: boolean | undefined;
}

/** The repository of an image. Throws a ConfigFileError where it has no host or no name. */
export function openRegistry(image: string, { env, tls }: RegistryOptions) {
  const host = image.split('/')[0]!;
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.test(host))
    throw new ConfigFileError(`${JSON.stringify(host)} is no host of a registry`);
  const name = image.slice(host.length + 1);
  if (/^(?:[:@]|$)/.test(name)) throw new ConfigFileError(`${JSON.stringify(image)} names no repository`);
  const { client, close } = openHost(registryUrl(host, tls), dockerHeaders(host, env));
  return { registry: new OciRegistry(name, client), close };
}

function registryUrl(host: string, tls: boolean | undefined): string {
  const isOwn = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host);
  return `${(tls ?? !isOwn) ? 'https' : 'http'}://${host === 'docker.io' ? 'registry-1.docker.io' : host}`;
}

/** The header of Docker's credentials for a registry. */
function dockerHeaders(host: string, env: Io['env']): Readonly<Record<string, string>> {
  const config = readConfig(join(env.DOCKER_CONFIG || join(env.HOME ?? homedir(), '.docker'), 'config.json'));
  const name = host === 'docker.io' ? 'https://index.docker.io/v1/' : host;
  const helper = textIn(objectIn(config, 'credHelpers'), name) ?? textIn(config, 'credsStore');
  const auths = objectIn(config, 'auths');
  // Older versions of Docker write URLs.
  const known = [name, `https://${host}`, `https://${host}/v1/`, `https://${host}/v2/`]
    .map((key) => textIn(objectIn(auths, key), 'auth'))
    .find((auth) => auth !== undefined);
  const pair = known ?? (helper && fromHelper(helper, name, env));
  return pair === undefined ? {} : { authorization: `Basic ${pair}` };
}

function readConfig(path: string): PlainObject {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Value;
    return isObject(value) ? (value as PlainObject) : {};
  } catch {
    return {};
  }
}

/** A program beside Docker that keeps passwords: it reads the host and writes JSON. */
function fromHelper(name: string, host: string, env: Io['env']): string | undefined {
  if (!/^[\w.-]+$/.test(name)) return undefined;
  const { status, stdout } = spawnSync(`docker-credential-${name}`, ['get'], {
    input: host,
    env: { ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });
  if (status !== 0) return undefined;
  try {
    const { Username, Secret } = JSON.parse(stdout) as Record<string, unknown>;
    const isPair = typeof Username === 'string' && typeof Secret === 'string';
    return isPair ? Buffer.from(`${Username}:${Secret}`).toString('base64') : undefined;
  } catch {
    return undefined;
  }
}

function objectIn(object: PlainObject, key: string): PlainObject {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return value !== undefined && isObject(value) ? (value as PlainObject) : {};
}

function textIn(object: PlainObject, key: string): string | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
