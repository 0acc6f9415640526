/** Signature Version 4 of AWS requests. */
import { sortStrings } from '../../../compare.js';
import type { HostCrypto, Octets } from '../../host-crypto.js';
import { toHex } from '../go/octets.js';
import { escapedPath, type GoUrl } from '../url/url.js';

export interface AwsCredentials {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  /** Empty if the request has none. */
  readonly sessionToken: string;
}

interface AwsRequest {
  readonly method: string;
  readonly url: GoUrl;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Octets;
}

/** Proxies may change these on the way. */
const unsignedHeaders = new Set(['authorization', 'user-agent', 'x-amzn-trace-id']);

interface AwsSigning {
  readonly service: string;
  readonly credentials: AwsCredentials;
  readonly timeNs: bigint;
  readonly signsBody: boolean;
}

/** The headers that sign a request for a service: `Authorization` and its companions. */
export function signedHeaders(
  request: AwsRequest,
  { service, credentials, timeNs, signsBody }: AwsSigning,
  crypto: HostCrypto,
): ReadonlyMap<string, string> {
  const time = timestamp(timeNs);
  const bodyHash = signsBody ? crypto.hashHex('sha256', request.body) : 'UNSIGNED-PAYLOAD';
  const added = new Map([
    ['host', request.url.host],
    ['x-amz-date', time],
  ]);
  if (service === 's3' || service === 'glacier') added.set('x-amz-content-sha256', bodyHash);
  if (credentials.sessionToken !== '') added.set('x-amz-security-token', credentials.sessionToken);
  const signed = new Map(added);
  for (const [name, value] of request.headers)
    if (!unsignedHeaders.has(name.toLowerCase())) signed.set(name.toLowerCase(), value);
  const names = sortStrings([...signed.keys()]);
  const list = names.join(';');
  const canonical = [
    request.method,
    escapedPath(request.url),
    request.url.rawQuery,
    ...names.map((name) => `${name}:${signed.get(name)}`),
    '',
    list,
    bodyHash,
  ].join('\n');
  const date = time.slice(0, 8);
  const scope = `${date}/${credentials.region}/${service}/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${crypto.hashHex('sha256', canonical)}`;
  const hmac = (key: string | Uint8Array, data: string) => crypto.hmac('sha256', key, data);
  const key = hmac(hmac(hmac(hmac(`AWS4${credentials.secretKey}`, date), credentials.region), service), 'aws4_request');
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKey}/${scope},SignedHeaders=${list},Signature=${toHex(hmac(key, toSign))}`;
  return added.set('Authorization', authorization);
}

/** `20060102T150405Z` */
function timestamp(timeNs: bigint): string {
  const seconds = timeNs / 1_000_000_000n - (timeNs % 1_000_000_000n < 0n ? 1n : 0n);
  return new Date(Number(seconds) * 1000).toISOString().replace(/[-:]|\.\d+/g, '');
}
