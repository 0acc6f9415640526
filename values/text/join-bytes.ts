/** Concatenates parts of bytes. */
import { allAtOnce, type Steps } from '../steps.js';

/** The number of bytes copied in a step. */
const bytesPerStep = 4 * 1024 * 1024;

/** Concatenates parts at once. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return allAtOnce(joinBytesSteps([...parts], new Uint8Array(size)));
}

/**
 * Concatenates parts, and drops the reference to each part after its copy.
 * @param all gets the bytes; it is as long as all parts together
 */
export function* joinBytesSteps(parts: (Uint8Array | undefined)[], all: Uint8Array): Steps<Uint8Array> {
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
