/** Inflates archives by Node's zlib. */
import { inSlices, type Steps } from '../../../values/index.js';
import { gzipContentStart, gzipError, type Inflate, isGzip, tooLarge } from '../archive/archive.js';
import type { BundleError } from '../bundle-error.js';

/**
 * Longer archives are inflated in a thread, so that other tasks run meanwhile: text may be ten
 * times as long as its archive.
 */
const maxAtOnce = 32 * 1024;

/** Bytes of a step of the checksum: about a millisecond. */
const bytesPerStep = 1024 * 1024;

/** zlib is loaded on first use: loading it costs a start two milliseconds. */
export const inflateByZlib: Inflate = async (archive, limit) => {
  const parts: Uint8Array[] = [];
  let size = 0;
  // A gzip may have several members. Bytes behind the last member are ignored.
  for (let at = 0; at === 0 || isGzip(archive.subarray(at)); ) {
    try {
      const { content, end } = await inflateMember(archive.subarray(at), limit - size);
      parts.push(content);
      size += content.length;
      at += end;
    } catch (error) {
      if (at === 0 || (error as BundleError).code === 'limit') throw error;
      break;
    }
  }
  const [first, ...others] = parts;
  return first !== undefined && others.length === 0 ? first : Buffer.concat(parts);
};

/** The first member of a gzip, and the offset of its end. Throws a BundleError. */
async function inflateMember(
  bytes: Uint8Array,
  limit: number,
): Promise<{ readonly content: Uint8Array; readonly end: number }> {
  const start = gzipContentStart(bytes);
  let content: Buffer;
  let end: number;
  try {
    const inflated = await inflateRaw(bytes.subarray(start), Math.max(1, limit));
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
  const isWhole =
    trailer.getUint32(0, true) === (await checksum(content)) && trailer.getUint32(4, true) === content.length % 2 ** 32;
  if (!isWhole) throw gzipError('checksum');
  return { content, end: end + 8 };
}

function inflateRaw(bytes: Uint8Array, limit: number): InflatedWithInfo | Promise<InflatedWithInfo> {
  const zlib = process.getBuiltinModule('node:zlib');
  const options = { maxOutputLength: limit, info: true };
  if (bytes.length <= maxAtOnce) return zlib.inflateRawSync(bytes, options) as unknown as InflatedWithInfo;
  return new Promise((resolve, reject) => {
    zlib.inflateRaw(bytes, options, (error, inflated) => {
      if (error === null) resolve(inflated as unknown as InflatedWithInfo);
      else reject(error);
    });
  });
}

/** The CRC-32 of bytes, computed in slices. */
function checksum(bytes: Uint8Array): Promise<number> {
  return inSlices(checksumSteps(bytes));
}

function* checksumSteps(bytes: Uint8Array): Steps<number> {
  const { crc32 } = process.getBuiltinModule('node:zlib');
  let sum = 0;
  for (let at = 0; at < bytes.length; at += bytesPerStep) {
    sum = crc32(bytes.subarray(at, at + bytesPerStep), sum);
    yield;
  }
  return sum;
}

/** The result of zlib with the option `info`, which Node's types lack. */
interface InflatedWithInfo {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}
