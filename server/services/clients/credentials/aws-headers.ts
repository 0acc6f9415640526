/** The signature of a request to AWS. */

import { type AwsCredentials, parseUrl, signedHeaders } from '../../../../values/index.js';
import { nodeCrypto } from '../../../../values/node.js';
import type { UnsignedRequest } from '../request.js';

/** The headers that sign a request. */
export function awsHeaders(
  request: UnsignedRequest,
  service: string,
  credentials: AwsCredentials,
): { readonly [name: string]: string } {
  const { method, url, body = new Uint8Array() } = request;
  const sorted = new URL(url);
  sorted.searchParams.sort();
  const target = { method, url: parseUrl(sorted.href), headers: request.headers, body };
  const timeNs = BigInt(Date.now()) * 1_000_000n;
  const added = signedHeaders(target, { service, credentials, timeNs, signsBody: true }, nodeCrypto);
  return Object.fromEntries(
    [...added].filter(([name]) => name !== 'host').map(([name, value]) => [name.toLowerCase(), value]),
  );
}
