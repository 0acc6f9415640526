/** SHA-256 of long bytes, which lets other tasks run meanwhile. */
import { createHash } from 'node:crypto';
import { inSlices, type Steps } from '../../steps.js';

/** Bytes of a step: about a millisecond. */
const bytesPerStep = 512 * 1024;

/** The digest of parts that follow each other. */
export function sha256(parts: Iterable<Uint8Array>): Promise<Buffer> {
  return inSlices(sha256Steps(parts));
}

function* sha256Steps(parts: Iterable<Uint8Array>): Steps<Buffer> {
  const hash = createHash('sha256');
  let left = bytesPerStep;
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const chunk = part.subarray(at, at + left);
      hash.update(chunk);
      at += chunk.length;
      left -= chunk.length;
      if (left > 0) continue;
      left = bytesPerStep;
      yield;
    }
  }
  return hash.digest();
}
