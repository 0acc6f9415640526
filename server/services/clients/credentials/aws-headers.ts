/** The signature of a request to AWS. */

import { nodeCrypto } from '../../../../values/builtins/host/crypto.js';
import { type AwsCredentials, signedHeaders } from '../../../../values/builtins/lib/http/aws-signature.js';
import { parseUrl } from '../../../../values/builtins/lib/url/url.js';
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
