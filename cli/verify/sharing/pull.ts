/** Fetches policies: images, repositories of git, files and archives over HTTP, folders. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { BundleError } from '../../../engine/index.js';
import { imagesIn, OciRegistry, policyLayersIn, ServiceError } from '../../../server/index.js';
import { systemProblem } from '../../../values/node.js';
import { ConfigFileError } from '../../../views/node.js';
import type { Io } from '../../io.js';
import { type PolicyAddress, readAddress } from './addresses.js';
import { filesOfArchive, longestPolicies, type SharedFile, writePolicyFiles } from './policy-files.js';
import { dockerHeaders, openHost, registryUrl } from './registry-client.js';

interface PullOptions {
  readonly env: Io['env'];
  /** Whether registries are asked over TLS; undefined: those of other machines. */
  readonly tls: boolean | undefined;
}

/** Fetches addresses into a folder. Rejects with a ConfigFileError that begins with the stage. */
export async function pullPolicies(
  addresses: readonly string[],
  to: string,
  stage: string,
  options: PullOptions,
): Promise<void> {
  for (const address of addresses) {
    if (address === '') continue;
    try {
      await pull(readAddress(address), to, options);
    } catch (error) {
      const isKnown = error instanceof ConfigFileError || error instanceof ServiceError || error instanceof BundleError;
      if (!isKnown && !(error instanceof Error && 'syscall' in error)) throw error;
      const problem = isKnown ? error.message : systemProblem(error);
      const shown = address.replace(/(?<=:\/\/)[^/@]*@/, '');
      throw new ConfigFileError(`${stage}: ${problem.includes(shown) ? '' : `${shown}: `}${problem}`);
    }
  }
}

async function pull(source: PolicyAddress, to: string, options: PullOptions): Promise<void> {
  switch (source.kind) {
    case 'path': {
      const { path } = source;
      cpSync(path, statSync(path).isDirectory() ? to : join(to, basename(path)), { recursive: true });
      return;
    }
    case 'image':
      return writePolicyFiles(await filesOfImage(source.image, options), to);
    case 'http':
      return writePolicyFiles(await filesOfUrl(source), to);
    default:
      return copyRepository(source, to, options.env);
  }
}

async function filesOfImage(image: string, { env, tls }: PullOptions): Promise<readonly SharedFile[]> {
  const host = image.split('/')[0]!;
  const { client, close } = openHost(registryUrl(host, tls), dockerHeaders(host, env));
  try {
    const registry = new OciRegistry(image, client);
    const named = await registry.manifest();
    const [first] = imagesIn(named.body, image) ?? [];
    const { body } = first === undefined ? named : await registry.manifest(first);
    const files: SharedFile[] = [];
    let left = longestPolicies;
    for (const { digest, path } of policyLayersIn(body, image)) {
      const bytes = await registry.layer(digest, left);
      left -= bytes.length;
      files.push(...(path === undefined ? await filesOfArchive(bytes) : [{ path, bytes }]));
    }
    if (files.length === 0) throw new ConfigFileError(`${image} has no policies: its layers have no names`);
    return files;
  } finally {
    await close();
  }
}

async function filesOfUrl({
  url,
  folder,
  unpacks,
}: Extract<PolicyAddress, { kind: 'http' }>): Promise<readonly SharedFile[]> {
  const { username, password } = url;
  const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  const { client, close } = openHost(plain.origin, username === '' ? {} : { authorization: `Basic ${pair}` });
  try {
    const { body } = await client.requestOk({ path: plain.href, maxBodyBytes: longestPolicies });
    if (unpacks) return await filesOfArchive(body, folder);
    const path = basename(plain.pathname);
    if (path === '') throw new ConfigFileError('the URL names no file');
    return [{ path, bytes: body }];
  } finally {
    await close();
  }
}

/** The newest commit of a branch, a tag or a commit, without the history. */
function copyRepository({ url, folder, ref }: Extract<PolicyAddress, { kind: 'git' }>, to: string, env: Io['env']) {
  const place = mkdtempSync(join(tmpdir(), 'writ-git-'));
  try {
    const git = (...args: readonly string[]) => {
      const { status, stderr, error } = spawnSync('git', args, {
        cwd: place,
        env: { ...env, GIT_TERMINAL_PROMPT: '0' },
        encoding: 'utf8',
      });
      if (error !== undefined) throw new ConfigFileError(`git cannot be run: ${systemProblem(error)}`);
      const said = stderr.trim().split('\n').at(-1) ?? '';
      if (status !== 0) throw new ConfigFileError(`git ${args[0]}: ${said.replace(/(?<=:\/\/)[^/@\s]*@/g, '')}`);
    };
    git('init', '--quiet');
    git('fetch', '--quiet', '--depth=1', '--', url, ref ?? 'HEAD');
    git('checkout', '--quiet', 'FETCH_HEAD');
    const from = join(place, folder);
    if (!from.startsWith(place)) throw new ConfigFileError(`${folder} leads out of the repository`);
    cpSync(from, to, { recursive: true, filter: (path) => !path.startsWith(join(place, '.git')) });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
