/** Concatenates parts of bytes. */
import type { Steps } from '../steps.js';

/** The number of bytes copied in a step. */
const bytesPerStep = 4 * 1024 * 1024;

/**
 * Concatenates parts, and drops the reference to each part after its copy.
 * @param length of all parts together, in bytes
 */
export function* joinBytesSteps(parts: (Uint8Array | undefined)[], length: number): Steps<Uint8Array> {
  const all = new Uint8Array(length);
  let at = 0;
  for (let i = 0, copied = 0; i < parts.length; i++) {
    const part = parts[i]!;
    parts[i] = undefined;
    all.set(part, at);
    at += part.length;
    copied += part.length;
    if (copied < bytesPerStep) continue;
    copied = 0;
    yield;
  }
  return all;
}
