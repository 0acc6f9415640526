/** Archives for tests, good and broken. */
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { expect } from 'vitest';
import { BundleError, type BundleErrorCode } from '../../engine/bundle/bundle-error.js';

/** A tar of named texts. */
export async function tarOf(files: readonly (readonly [name: string, text: string | Uint8Array])[]): Promise<Uint8Array> {
  return packTar(
    files.map(([name, text]) => {
      const body = typeof text === 'string' ? new TextEncoder().encode(text) : text;
      return { header: { name, size: body.length, type: 'file' as const, mtime: new Date(0) }, body };
    }),
  );
}

/** A `.tar.gz` of named texts. */
export async function archiveOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  return gzipSync(await tarOf(Object.entries(files)));
}

/** Expects a BundleError of a code whose message contains a text. */
export async function expectBundleError(reading: Promise<unknown>, code: BundleErrorCode, text: string): Promise<void> {
  const error = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(BundleError);
  expect((error as BundleError).message).toContain(text);
  expect((error as BundleError).code).toBe(code);
}
