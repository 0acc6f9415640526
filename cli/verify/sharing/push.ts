/** Writes policies to a registry, as an image with a layer for each file. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type OciRegistry, ServiceError } from '../../../server/index.js';
import { systemProblem } from '../../../values/node.js';
import { ConfigFileError } from '../../../views/node.js';
import type { Io } from '../../io.js';
import type { SharedFile } from './policy-files.js';
import { openRegistry } from './registry-client.js';

const types = {
  config: 'application/vnd.cncf.openpolicyagent.config.v1+json',
  policy: 'application/vnd.cncf.openpolicyagent.policy.layer.v1+rego',
  data: 'application/vnd.cncf.openpolicyagent.data.layer.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
};

interface PushOptions {
  readonly env: Io['env'];
  readonly tls: boolean | undefined;
  /** Called with a line for each step. */
  readonly log: (line: string) => void;
}

/** Pushes the policies and documents of some paths. Rejects with a ConfigFileError. */
export async function pushPolicies(
  repository: string,
  paths: readonly string[],
  { env, tls, log }: PushOptions,
): Promise<void> {
  const named = repository.replace(/^oci:\/\//, '');
  if (!named.includes('/')) throw new ConfigFileError('destination url missing repository');
  const image = /:[^/]*$|@/.test(named.slice(named.indexOf('/'))) ? named : `${named}:latest`;
  log(`pushing bundle to: ${image}`);
  const files = paths.flatMap(sharedFiles);
  if (!files.some(({ path }) => path.endsWith('.rego')))
    throw new ConfigFileError(`push bundle: no policies found in [${paths.join(' ')}]`);
  const { registry, close } = openRegistry(image, { env, tls });
  try {
    log(`pushed bundle with digest: ${await pushed(registry, files)}`);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ConfigFileError(`push bundle: ${error.message}`);
  } finally {
    await close();
  }
}

async function pushed(registry: OciRegistry, files: readonly SharedFile[]): Promise<string> {
  const upload = async (mediaType: string, body: Uint8Array) => ({
    mediaType,
    digest: await registry.upload(body),
    size: body.length,
  });
  const config = await upload(types.config, Buffer.from('{}'));
  const layers: object[] = [];
  for (const { path, bytes } of files) {
    const layer = await upload(path.endsWith('.rego') ? types.policy : types.data, bytes);
    layers.push({ ...layer, annotations: { 'org.opencontainers.image.title': path } });
  }
  const manifest = { schemaVersion: 2, mediaType: types.manifest, config, layers };
  return await registry.putManifest(types.manifest, Buffer.from(JSON.stringify(manifest)));
}

/** The policies and documents of a path, named from it. */
function sharedFiles(path: string): SharedFile[] {
  try {
    const names = statSync(path).isDirectory() ? (readdirSync(path, { recursive: true }) as string[]).sort() : [''];
    return names
      .map((name) => ({ name: name === '' ? basename(path) : name.replaceAll('\\', '/'), at: join(path, name) }))
      .filter(({ name, at }) => /\.(?:rego|json|ya?ml)$/.test(name) && statSync(at).isFile())
      .map(({ name, at }) => ({ path: name, bytes: readFileSync(at) }));
  } catch (error) {
    throw new ConfigFileError(`push bundle: load: ${path}: ${systemProblem(error)}`);
  }
}
