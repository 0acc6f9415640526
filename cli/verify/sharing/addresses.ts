/** Where policies are shared: the forms of addresses that `conftest pull` and `--update` take. */
import { resolve } from 'node:path';
import { ConfigFileError } from '../../../views/node.js';

export type PolicyAddress =
  | { readonly kind: 'image'; readonly image: string }
  | {
      readonly kind: 'git';
      readonly url: string;
      readonly folder: string;
      readonly ref: string | undefined;
    }
  | {
      readonly kind: 'http';
      readonly url: URL;
      readonly folder: string;
      readonly unpacks: boolean;
      /** The name of the file; undefined: the last segment of the URL. */
      readonly name: string | undefined;
      /** `sha256:` and the digest in hexadecimal, of the file as it is sent. */
      readonly checksum: string | undefined;
    }
  | { readonly kind: 'path'; readonly path: string };

/** Hosts of registries of images, which need no `oci://`. */
const registries =
  /(?:^|\.)azurecr\.io$|(?:^|\.)gcr\.io$|-docker\.pkg\.dev$|\.dkr\.ecr\.[\w-]+\.amazonaws\.com$|^registry\.gitlab\.com$|^quay\.io$|^ghcr\.io$|^(?:127\.0\.0\.1|localhost|\[?::1\]?):\d+$/;

/** A text for messages, without the passwords and keys of the addresses in it. */
export function messageWithoutSecrets(text: string): string {
  return text.replace(/(?<=:\/\/)[^/?#\s]*@/g, '').replace(/([?&]sshkey=)[^&\s]*/g, '$1…');
}

const repositories = /^(?:github\.com|gitlab\.com|bitbucket\.org)\/[^/]+\/[^/]+/;

/** Throws a ConfigFileError for an address that is not fetched. */
export function readAddress(address: string): PolicyAddress {
  const [, forced, rest = ''] = /^(?:(\w+)::)?(.*)$/s.exec(address) ?? [];
  if (forced === 'git') return gitSource(rest);
  if (forced === 'file') return { kind: 'path', path: rest.replace(/^file:\/\//, '') };
  if (forced !== undefined && forced !== 'http' && forced !== 'https')
    throw new ConfigFileError(`${address}: ${forced}:: is not fetched: oci://, git::, https:// and paths are`);
  if (rest.startsWith('oci://')) return { kind: 'image', image: rest.slice(6) };
  if (/^https?:\/\//.test(rest)) return httpSource(rest);
  if (/^git@[^:]+:/.test(rest)) return gitSource(`ssh://${rest.replace(':', '/')}`);
  if (rest.startsWith('ssh://')) return gitSource(rest);
  if (rest.startsWith('file://')) return { kind: 'path', path: rest.slice(7) };
  if (/^\w+:\/\//.test(rest))
    throw new ConfigFileError(`${address} is not fetched: oci://, git::, https:// and paths are`);
  if (repositories.test(rest)) return gitSource(`https://${rest}`);
  if (registries.test(rest.split('/')[0]!) && rest.includes('/')) return { kind: 'image', image: rest };
  return { kind: 'path', path: rest };
}

/** The part behind a second `//` is a folder. */
function withFolder(text: string): readonly [whole: string, folder: string] {
  const start = text.indexOf('://') + 3;
  const at = start < 3 ? text.indexOf('//') : text.indexOf('//', start);
  if (at < 0) return [text, ''];
  const [folder = '', query] = text.slice(at + 2).split('?', 2);
  return [`${text.slice(0, at)}${query === undefined ? '' : `?${query}`}`, folder];
}

function gitSource(text: string): PolicyAddress {
  const scp = /^git@[^:/]+:/.test(text) ? `ssh://${text.replace(':', '/')}` : text;
  const [whole, folder] = withFolder(repositories.test(scp) ? `https://${scp}` : scp);
  const [named = '', query = ''] = whole.split('?', 2);
  // git runs in another folder.
  const url = /^\.{1,2}(?:\/|$)/.test(named) ? resolve(named) : named;
  const ref = new URLSearchParams(query).get('ref') ?? undefined;
  // Neither may be taken for an option of git.
  if (url === '' || url.startsWith('-') || ref?.startsWith('-'))
    throw new ConfigFileError(`${text} is no address of a repository`);
  return { kind: 'git', url, folder, ref };
}

function httpSource(text: string): PolicyAddress {
  const [whole, folder] = withFolder(text);
  if (!URL.canParse(whole)) throw new ConfigFileError(`${text} is no URL`);
  const url = new URL(whole);
  if (url.pathname.endsWith('.git')) return gitSource(text);
  const [archive, name, checksum] = ['archive', 'filename', 'checksum'].map((option) => {
    const value = url.searchParams.get(option);
    url.searchParams.delete(option);
    return value ?? undefined;
  });
  if (checksum !== undefined && !/^(?:(?:md5|sha1|sha256|sha512):)?[\da-f]+$/i.test(checksum))
    throw new ConfigFileError(`${text}: the checksum is no digest of md5, sha1, sha256 or sha512`);
  const isArchive = /\.(?:tar\.gz|tgz|tar)$/.test(url.pathname);
  if (/\.(?:zip|bz2|xz|zst)$/.test(url.pathname) && archive !== 'false')
    throw new ConfigFileError(`${text}: archives are .tar.gz, .tgz or .tar`);
  return {
    kind: 'http',
    url,
    folder,
    unpacks: archive === undefined ? isArchive : archive !== 'false',
    name,
    checksum,
  };
}
