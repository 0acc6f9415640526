/** Inflates archives by Node's zlib. */
import { gzipContentStart, gzipError, type Inflate, isGzip, tooLarge } from '../archive/archive.js';
import type { BundleError } from '../errors.js';

/**
 * Inflates without pauses. zlib is loaded on first use: loading it costs a start two milliseconds.
 */
export const inflateByZlib: Inflate = async (archive, limit) => {
  const parts: Uint8Array[] = [];
  let size = 0;
  // A gzip may have several members. Bytes behind the last member are ignored.
  for (let at = 0; at === 0 || isGzip(archive.subarray(at)); ) {
    try {
      const { content, end } = inflateMember(archive.subarray(at), limit - size);
      parts.push(content);
      size += content.length;
      at += end;
    } catch (error) {
      if (at === 0 || (error as BundleError).code === 'limit') throw error;
      break;
    }
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
};

/** The first member of a gzip, and the offset of its end. Throws a BundleError. */
function inflateMember(bytes: Uint8Array, limit: number): { readonly content: Uint8Array; readonly end: number } {
  const { inflateRawSync, crc32 } = process.getBuiltinModule('node:zlib');
  const start = gzipContentStart(bytes);
  let content: Buffer;
  let end: number;
  try {
    const options = { maxOutputLength: Math.max(1, limit), info: true };
    const inflated = inflateRawSync(bytes.subarray(start), options) as unknown as InflatedWithInfo;
    content = inflated.buffer;
    end = start + inflated.engine.bytesWritten;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw gzipError(code === 'Z_BUF_ERROR' ? 'cut off' : 'data');
  }
  if (content.length > limit) throw tooLarge(limit);
  if (bytes.length < end + 8) throw gzipError('cut off');
  const trailer = new DataView(bytes.buffer, bytes.byteOffset + end, 8);
  const isWhole = trailer.getUint32(0, true) === crc32(content) && trailer.getUint32(4, true) === content.length % 2 ** 32;
  if (!isWhole) throw gzipError('checksum');
  return { content, end: end + 8 };
}

/** The result of zlib with the option `info`, which Node's types lack. */
interface InflatedWithInfo {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}
