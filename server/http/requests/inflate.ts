/** Inflates bodies that are sent as gzip. */
import { createGunzip, gunzipSync } from 'node:zlib';
import { ApiError, invalidParameter, MalformedBody } from '../responses/api-error.js';
import { inlineUpTo, Parts } from './body-parts.js';
import { bodyTimedOut } from './deadline.js';
import type { Exchange } from './exchange.js';

/**
 * The content of a gzip of at most `maxLength` bytes. Rejects with an ApiError or a MalformedBody.
 */
export async function inflated(exchange: Exchange, bytes: Uint8Array, maxLength: number): Promise<Uint8Array> {
  if (bytes.length === 0) return bytes;
  try {
    return bytes.length <= inlineUpTo && claimedSize(bytes) <= inlineUpTo
      ? gunzipSync(bytes, { maxOutputLength: Math.min(maxLength, 4 * inlineUpTo) })
      : await inflatedBeside(exchange, bytes, new Parts(exchange, maxLength, gzipTooLarge));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw gzipTooLarge();
    // The same message as for a text that is cut off.
    if (code === 'Z_BUF_ERROR') throw new MalformedBody('unexpected EOF');
    throw invalidParameter(
      `could not decompress the body: gzip: ${message.includes('header') ? 'invalid header' : message}`,
    );
  }
}

function gzipTooLarge(): ApiError {
  return invalidParameter('could not decompress the body: gzip payload too large');
}

/** Inflates in a thread of the platform, until the content is too long or the time is over. */
async function inflatedBeside({ deadline }: Exchange, bytes: Uint8Array, parts: Parts): Promise<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  gunzip.end(bytes);
  try {
    for await (const part of gunzip) {
      parts.add(part as Buffer);
      if (performance.now() > deadline.until) throw new ApiError(503, 'unavailable', bodyTimedOut);
    }
  } finally {
    gunzip.destroy();
  }
  return await parts.joined();
}

/** The size that the last four bytes claim. Inflating has a limit of its own. */
function claimedSize(bytes: Uint8Array): number {
  return bytes.length < 4
    ? 0
    : new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(bytes.length - 4, true);
}
