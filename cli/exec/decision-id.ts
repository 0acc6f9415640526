/** Ids of decisions. */
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { randomUuid } from '../../values/index.js';

const bytes = new Uint8Array(4096);
/** Random bytes are read for many ids at a time, and each is used once. */
let used = bytes.length;

/** A random UUID. */
export function decisionId(): string {
  if (used + 16 > bytes.length) {
    fillRandomly(bytes);
    used = 0;
  }
  return randomUuid(() => bytes[used++]!);
}

/** From the system's file where there is one: loading Node's cryptography takes a start longer. */
function fillRandomly(target: Uint8Array): void {
  let file: number | undefined;
  try {
    file = openSync('/dev/urandom', 'r');
    if (readSync(file, target) === target.length) return;
  } catch {
    // Another system.
  } finally {
    if (file !== undefined) closeSync(file);
  }
  randomFillSync(target);
}
