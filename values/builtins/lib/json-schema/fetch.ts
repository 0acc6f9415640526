/** Schemas that `$ref` names by an address. */
import { JsonError, parseJson } from '../../../json/json.js';
import { decodeUtf8 } from '../../../text/utf8.js';
import type { Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { missingHost } from '../../host.js';
import { NetworkError } from '../../host-network.js';

const timeoutMs = 10_000;
const maxBodyBytes = 10_000_000;
const maxRedirects = 10;

/** Throws a BuiltinError: the schema at an address is not fetched. */
function refuseSchema(address: string): never {
  throw new BuiltinError(`remote reference loading disabled: ${address}`);
}

/**
 * Fetches a schema, waiting for it. Throws a BuiltinError where the host is not allowed, or the
 * response is no JSON.
 */
export function fetchSchema(address: string, context: BuiltinContext): Value {
  return context.wait(`json.match_schema ${address}`, async (signal) => {
    let url = address;
    for (let i = 0; i <= maxRedirects; i++) {
      const { network } = context.host;
      const { allowNet } = context;
      const parsed = URL.canParse(url) ? new URL(url) : undefined;
      const allowed =
        parsed !== undefined &&
        /^https?:$/.test(parsed.protocol) &&
        (allowNet === undefined || allowNet.includes(parsed.hostname));
      if (!allowed) refuseSchema(url);
      if (network === undefined) throw missingHost('network');
      const request = {
        method: 'GET',
        url,
        headers: [],
        body: undefined,
        tls: undefined,
        socket: undefined,
        timeoutMs,
        maxBodyBytes,
      };
      const response = await network.request(request, signal).catch((error: unknown) => {
        throw error instanceof NetworkError ? new BuiltinError(error.message) : error;
      });
      const location = response.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
      if (
        response.statusCode >= 300 &&
        response.statusCode < 400 &&
        location !== undefined &&
        URL.canParse(location, url)
      ) {
        url = new URL(location, url).href;
        continue;
      }
      if (response.statusCode !== 200) {
        const status = `${response.statusCode} ${response.statusText}`.trim();
        throw new BuiltinError(`Could not read schema from HTTP, response status is ${status}`);
      }
      try {
        return parseJson(decodeUtf8(response.body));
      } catch (error) {
        throw error instanceof JsonError ? new BuiltinError(error.message) : error;
      }
    }
    throw new BuiltinError(`stopped after ${maxRedirects} redirects`);
  });
}
