/** Errors of the operating system in words, for files and sockets alike. */
import * as util from 'node:util';

/** Words of Go, which the reference prints, where Node has others. */
const words: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'cannot assign requested address',
  EBUSY: 'device or resource busy',
  EEXIST: 'file exists',
  EIO: 'input/output error',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long',
  ENFILE: 'too many open files in system',
  ENOMEM: 'cannot allocate memory',
  ETXTBSY: 'text file busy',
  EXDEV: 'invalid cross-device link',
};

/** An error of the system in words, without its code; the message of any other error. */
export function systemProblem(error: unknown): string {
  const { code = '', errno, message } = error as NodeJS.ErrnoException;
  return words[code] ?? (errno === undefined ? undefined : util.getSystemErrorMap?.().get(errno)?.[1]) ?? message;
}
