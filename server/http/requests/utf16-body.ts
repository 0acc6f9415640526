/** Bodies in UTF-16 with a byte-order mark: files of Windows PowerShell 5, sent as they are. */
import { inSlices, type Steps, utf16AsUtf8 } from '../../../values/index.js';
import type { ApiError } from '../responses/api-error.js';
import { inlineUpTo, Parts } from './body-parts.js';
import { bodyTimedOut } from './deadline.js';
import type { Exchange } from './exchange.js';

/** Bytes that are decoded in a tenth of a millisecond. */
const bytesOfStep = 256 * 1024;

const encoder = new TextEncoder();

/** The same text in UTF-8. Rejects with an ApiError. */
export async function bodyInUtf8(
  exchange: Exchange,
  bytes: Uint8Array,
  decoder: TextDecoder,
  tooLarge: () => ApiError,
): Promise<Uint8Array> {
  if (bytes.length <= inlineUpTo) return utf16AsUtf8(bytes);
  const parts = new Parts(exchange, Number.POSITIVE_INFINITY, tooLarge);
  await inSlices(exchange.deadline.during(decodeSteps(bytes, decoder, parts), bodyTimedOut));
  return await parts.joined();
}

function* decodeSteps(bytes: Uint8Array, decoder: TextDecoder, parts: Parts): Steps {
  for (let start = 0; start < bytes.length; start += bytesOfStep) {
    const isLast = start + bytesOfStep >= bytes.length;
    parts.add(encoder.encode(decoder.decode(bytes.subarray(start, start + bytesOfStep), { stream: !isLast })));
    yield;
  }
}
