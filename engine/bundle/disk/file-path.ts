/** Paths on disk and `file://` URLs, and the system's complaints about them. */
import { systemProblem } from '../../../values/node.js';
import { BundleError } from '../bundle-error.js';

/**
 * A path, or a `file://` URL as a path. Throws a BundleError for any other URL, and for one whose
 * path is empty or on another host: `file://policy.rego` names the host `policy.rego`, and would
 * otherwise be the root of the file system.
 */
export function filePath(given: string): string {
  if (!given.includes('://')) return checkedPath(given);
  const [, scheme = '', host = '', path = ''] = /^([^:/?#]*):\/\/([^/?#]*)([^?#]*)/.exec(given) ?? [];
  if (scheme.toLowerCase() !== 'file') throw new BundleError('not_found', `unsupported URL scheme: ${given}`);
  if (path === '') throw new BundleError('not_found', 'stat : no such file or directory');
  if (host !== '' && host.toLowerCase() !== 'localhost')
    throw new BundleError('not_found', `${given} names the host ${host}: the path of a file URL begins behind file://`);
  try {
    return checkedPath(decodeURIComponent(path));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new BundleError('not_found', `invalid escape in URL: ${given}`);
  }
}

function checkedPath(path: string): string {
  if (isSlash(path[0]) && isSlash(path[1])) throw new BundleError('not_found', `UNC path read is not allowed: ${path}`);
  return path;
}

function isSlash(character: string | undefined): boolean {
  return character === '/' || character === '\\';
}

/**
 * The message of an error; one of the file system names the call and the path as Go does:
 * `open a.rego: permission denied`.
 */
export function fileErrorText(error: unknown): string {
  const { syscall, path, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return message;
  return `${syscall === 'scandir' ? 'open' : syscall}${path === undefined ? '' : ` ${path}`}: ${systemProblem(error)}`;
}

/** An error of the file system as a BundleError. Rethrows any other error. */
export function asBundleError(error: unknown): BundleError {
  if (error instanceof BundleError) return error;
  const { syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === undefined) throw error;
  return new BundleError('not_found', fileErrorText(error), path);
}

/** The BundleError of a path whose state cannot be read. */
export function unreadable(path: string, error: unknown): BundleError {
  return new BundleError('not_found', `error reading ${JSON.stringify(path)}: stat ${path}: ${systemProblem(error)}`);
}
