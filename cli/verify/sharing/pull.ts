/** Fetches policies: images, repositories of git, files and archives over HTTP, folders. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { BundleError } from '../../../engine/index.js';
import { imagesIn, policyLayersIn, ServiceError } from '../../../server/index.js';
import { systemProblem } from '../../../values/node.js';
import { ConfigFileError } from '../../../views/node.js';
import type { Io } from '../../io.js';
import { messageWithoutSecrets, type PolicyAddress, readAddress } from './addresses.js';
import { copyPolicyFiles, filesOfArchive, longestPolicies, type SharedFile, writePolicyFiles } from './policy-files.js';
import { openHost, openRegistry } from './registry-client.js';

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
      const problem = messageWithoutSecrets(isKnown ? error.message : systemProblem(error));
      const shown = messageWithoutSecrets(address);
      throw new ConfigFileError(`${stage}: ${problem.includes(shown) ? '' : `${shown}: `}${problem}`);
    }
  }
}

async function pull(source: PolicyAddress, to: string, options: PullOptions): Promise<void> {
  switch (source.kind) {
    case 'path': {
      const { path } = source;
      if (statSync(path).isDirectory()) return copyPolicyFiles(path, to);
      mkdirSync(to, { recursive: true });
      return copyFileSync(path, join(to, basename(path)));
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
  const { registry, close } = openRegistry(image, { env, tls });
  try {
    const named = await registry.manifest();
    const [first] = imagesIn(named.body, image) ?? [];
    const { body } = first === undefined ? named : await registry.manifest(first);
    const files: SharedFile[] = [];
    let left = longestPolicies;
    for (const { digest, path } of policyLayersIn(body, image)) {
      const bytes = await registry.layer(digest, left);
      left -= bytes.length;
      const found = path === undefined ? await filesOfArchive(bytes, { most: left }) : [{ path, bytes }];
      if (path === undefined) for (const file of found) left -= file.bytes.length;
      files.push(...found);
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
  name,
  checksum,
}: Extract<PolicyAddress, { kind: 'http' }>): Promise<readonly SharedFile[]> {
  const { username, password } = url;
  const pair = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  const { client, close } = openHost(plain.origin, username === '' ? {} : { authorization: `Basic ${pair}` });
  try {
    const { body } = await client.requestOk({ path: plain.href, maxBodyBytes: longestPolicies });
    if (checksum !== undefined) checkSum(body, checksum);
    if (unpacks) return await filesOfArchive(body, { folder });
    const path = name ?? basename(plain.pathname);
    if (path === '') throw new ConfigFileError('the URL names no file');
    return [{ path, bytes: body }];
  } finally {
    await close();
  }
}

const algorithmsByLength: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256', 128: 'sha512' };

function checkSum(bytes: Uint8Array, checksum: string): void {
  const [, named, digest = ''] = /^(?:(\w+):)?(.*)$/.exec(checksum.toLowerCase()) ?? [];
  const algorithm = named ?? algorithmsByLength[digest.length];
  const found = algorithm === undefined ? 'none' : createHash(algorithm).update(bytes).digest('hex');
  if (found !== digest) throw new ConfigFileError(`the checksum is ${found} and not ${digest}`);
}

/** A part of a URL; as it stands where its percent escapes are no UTF-8. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Variables with the repository of a hook of git, which is not the one that is fetched. */
const ofRepository = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_GRAFT_FILE',
]);

/** The newest commit of a branch, a tag or a commit, without the history where that is possible. */
function copyRepository({ url, folder, ref }: Extract<PolicyAddress, { kind: 'git' }>, to: string, env: Io['env']) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'writ-git-')));
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !ofRepository.has(name)));
  try {
    const git = (...args: readonly string[]) => {
      const { status, stderr, error } = spawnSync('git', args, {
        cwd: place,
        env: { ...own, GIT_TERMINAL_PROMPT: '0' },
        encoding: 'utf8',
      });
      if (error !== undefined) throw new ConfigFileError(`git cannot be run: ${systemProblem(error)}`);
      const said = stderr.trim().split('\n').at(-1) ?? '';
      if (status !== 0) throw new ConfigFileError(`git ${args[0]}: ${said}`);
    };
    git('init', '--quiet');
    try {
      git('fetch', '--quiet', '--depth=1', '--', url, ref ?? 'HEAD');
      git('checkout', '--quiet', 'FETCH_HEAD');
    } catch (error) {
      if (ref === undefined || !/^[\da-f]{4,64}$/.test(ref)) throw error;
      // The short name of a commit, or a commit that the server does not send alone.
      git('fetch', '--quiet', '--tags', '--', url, '+refs/heads/*:refs/remotes/origin/*');
      git('checkout', '--quiet', '--detach', ref);
    }
    copyPolicyFiles(join(place, folder), to, place);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
