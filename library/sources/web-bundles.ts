/** Bundles and policies of addresses, by the platform's `fetch`. */

import type { Bundle, BundleLimits, ReadOptions, VerificationConfig } from '../../engine/index.js';
import {
  BundleError,
  defaultLimits,
  isPlanText,
  planAlone,
  readArchive,
  tooLarge,
  verifySignatures,
} from '../../engine/index.js';
import { responseBody, utf16Text, withWebCrypto } from '../../values/index.js';
import { isBytes } from './given-bytes.js';

export interface WebBundleOptions {
  /**
   * Keys to check signatures with: a bundle without a signature is then refused, unless `optional`
   * is set. Without this option signatures are not looked at.
   */
  readonly verification?: VerificationConfig | undefined;
  readonly limits?: Partial<BundleLimits>;
  /** Headers of the request, such as `{ Authorization: 'Bearer …' }`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The bundle of an address or of bytes. Rejects with a BundleError. */
export async function readWebBundle(source: string | URL | Uint8Array, options: WebBundleOptions): Promise<Bundle> {
  const { verification, limits = {} } = options;
  const name = isBytes(source) ? '' : String(source);
  const bytes = isBytes(source) ? source : await fetchedBytes(name, options);
  const verify: ReadOptions['verify'] = async (files, signatures) => {
    if (verification !== undefined)
      await withWebCrypto((crypto) => verifySignatures(files, signatures, verification, crypto));
  };
  const reading: ReadOptions = { limits, baseUrl: name, ...(verification !== undefined && { verify }) };
  if (!isPlanText(bytes)) return await readArchive(bytes, reading);
  await reading.verify?.(new Map([['plan.json', bytes]]), undefined);
  return await planAlone(name || 'plan.json', bytes, reading);
}

/** The policy of an address. Rejects with a BundleError. */
export async function readWebPolicy(address: string): Promise<{ readonly name: string; readonly text: string }> {
  const bytes = await fetchedBytes(address, {});
  try {
    return { name: address, text: utf16Text(bytes) ?? new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw new BundleError('syntax', `${address}: invalid UTF-8`, address);
  }
}

/** The bytes of an address. Rejects with a BundleError. */
export async function fetchedBytes(
  address: string,
  { headers, signal, limits }: Omit<WebBundleOptions, 'verification'>,
): Promise<Uint8Array> {
  const limit = limits?.size ?? defaultLimits.size;
  let response: Response;
  try {
    response = await fetch(address, { ...(headers && { headers }), ...(signal && { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    throw new BundleError('not_found', `${address}: ${(error as Error).message}`, address);
  }
  if (!response.ok)
    throw new BundleError(
      'not_found',
      `${address}: the server answered ${response.status} ${response.statusText}`.trim(),
      address,
    );
  return await responseBody(response, limit, () => tooLarge(limit));
}
