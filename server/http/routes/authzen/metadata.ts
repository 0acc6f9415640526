/** `GET /.well-known/authzen-configuration`: where the AuthZEN API is. */

import type { AppContext } from '../../../control/app-context.js';
import { accessMetadata } from '../../../gateway/authzen/access-metadata.js';
import type { Exchange } from '../../requests/exchange.js';
import { type HttpAnswer, jsonAnswer, notFound } from '../../responses/answer.js';
import { invalidParameter } from '../../responses/api-error.js';

/** Below the path: where the API is at a URL with a path. */
export function getAccessMetadata(exchange: Exchange, { settings }: AppContext): HttpAnswer {
  const given = settings.authzen?.url;
  const url = given ?? ownUrl(exchange);
  if (url === undefined) throw invalidParameter('the request has no host');
  const place = new URL(url).pathname.replace(/\/$/, '');
  if (exchange.path !== `/.well-known/authzen-configuration${place}`) return notFound;
  return {
    ...jsonAnswer(200, accessMetadata(url)),
    headers: { 'cache-control': given === undefined ? 'no-store' : 'max-age=300' },
  };
}

/** The URL at which the client asks; undefined without a host. */
function ownUrl(exchange: Exchange): string | undefined {
  const { incoming, request, tls } = exchange;
  if (incoming === undefined) return new URL(request.url).origin;
  const host = hostOf(incoming.rawHeaders);
  const url = `${tls === undefined ? 'http' : 'https'}://${host}`;
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** The host as it was sent: Node's parsed headers change one that no URL can have. */
function hostOf(rawHeaders: readonly string[]): string {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && /^(?:host|:authority)$/i.test(name));
  return at < 0 ? '' : (rawHeaders[at + 1] ?? '');
}
