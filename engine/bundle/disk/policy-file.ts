/** A policy's file on disk (Node only). */
import { readFileSync, statSync } from 'node:fs';
import { utf16Text } from '../../../values/index.js';
import { BundleError } from '../bundle-error.js';
import { cleanPath } from '../bundle-paths.js';
import { asBundleError, filePath, unreadable } from './file-path.js';

/** Reads a policy's file; undefined for a directory. Rejects with a BundleError. */
export async function readPolicyFile(
  given: string,
): Promise<{ readonly name: string; readonly text: string } | undefined> {
  const path = filePath(given);
  try {
    if (statSync(path).isDirectory()) return undefined;
  } catch (error) {
    throw unreadable(path, error);
  }
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw asBundleError(error);
  }
  try {
    return { name: cleanPath(path), text: utf16Text(bytes) ?? new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw new BundleError('syntax', `${path}: invalid UTF-8`, path);
  }
}
