/** Inflates short archives without Node's zlib. */
import { Z_FINISH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako';

/** Longer texts are for zlib: this library would take longer than zlib takes to load. */
const maxLength = 64 * 1024;

/** A gzip with a header and a trailer, and windows of any size (zlib's manual, `inflateInit2`). */
const gzipWindow = 16 + 15;

/**
 * The content of a gzip of one member and at most 64 kB, its checksum compared. Undefined for
 * others, broken ones included: zlib can tell more of them.
 */
export function inflateShort(gzip: Uint8Array, limit: number): Uint8Array | undefined {
  if (gzip.length < 18) return;
  const length = new DataView(gzip.buffer, gzip.byteOffset + gzip.length - 4, 4).getUint32(0, true);
  if (length > Math.min(maxLength, limit)) return;
  const stream = Object.assign(new ZStream(), { input: gzip, avail_in: gzip.length, output: new Uint8Array(length), avail_out: length });
  zlibInflateInit2(stream, gzipWindow);
  const isWhole = zlibInflate(stream, Z_FINISH) === Z_STREAM_END && stream.avail_in === 0 && stream.avail_out === 0;
  return isWhole ? stream.output : undefined;
}
