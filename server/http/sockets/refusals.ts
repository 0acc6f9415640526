/** Requests that are refused before a handler sees them, with the texts of Go's server. */
import type { IncomingMessage, ServerResponse } from 'node:http';

interface Refusal {
  readonly status: number;
  /** The text behind the number in the status line. */
  readonly reason: string;
  readonly body: string;
}

const unsupportedEncoding: Refusal = { status: 501, reason: 'Not Implemented', body: 'Unsupported transfer encoding' };
const tooLarge: Refusal = {
  status: 431,
  reason: 'Request Header Fields Too Large',
  body: '431 Request Header Fields Too Large',
};
const badRequest: Refusal = { status: 400, reason: 'Bad Request', body: '400 Bad Request' };

function withText(status: number, name: string, text: string): Refusal {
  const reason = `${name}: ${text}`;
  return { status, reason, body: `${status} ${reason}` };
}

const hostName = /^[A-Za-z0-9!$%&'()*+,\-.:;=[\]_~]*$/;

/** The refusal of a request that Node's parser accepted; undefined for a good request. */
function refusalOf(incoming: IncomingMessage): Refusal | undefined {
  const { httpVersionMajor: major, httpVersionMinor: minor, headers } = incoming;
  // For the parser, a line without a version is HTTP/0.9.
  if (major === 0) return badRequest;
  if (major !== 1) return withText(505, 'HTTP Version Not Supported', 'unsupported protocol version');
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') return unsupportedEncoding;
  if (countOfHosts(incoming.rawHeaders) > 1) return withText(400, 'Bad Request', 'too many Host headers');
  if (headers.host === undefined)
    return minor === 0 ? undefined : withText(400, 'Bad Request', 'missing required Host header');
  return hostName.test(headers.host) ? undefined : withText(400, 'Bad Request', 'malformed Host header');
}

function countOfHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  // Names and values in turn.
  for (const [i, name] of rawHeaders.entries())
    if (i % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host') count++;
  return count;
}

export type RequestListener = (incoming: IncomingMessage, response: ServerResponse) => void;

/** A handler that refuses malformed requests, and passes the others on. */
export function refusing(handler: RequestListener): RequestListener {
  return (incoming, response) => {
    const refusal = refusalOf(incoming);
    if (refusal !== undefined) answer(response, refusal);
    else if (incoming.url === '*' && incoming.method === 'OPTIONS')
      response.writeHead(200, { 'content-length': 0 }).end();
    else {
      withPlainHost(incoming);
      handler(incoming, response);
    }
  };
}

const refused = new WeakSet<object>();

/** Whether a request of the connection was refused. Its parser may report an error in the rest. */
export function wasRefused(socket: object): boolean {
  return refused.has(socket);
}

function answer(response: ServerResponse, { status, reason, body }: Refusal): void {
  if (response.socket !== null) refused.add(response.socket);
  response.sendDate = false;
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  response.writeHead(status, reason, headers).end(body);
}

/** No handler reads this header, but Hono's server refuses hosts that Go accepts. */
function withPlainHost({ headers }: IncomingMessage): void {
  if (headers.host !== undefined && !/^[\w.-]+(?::\d{1,4})?$/.test(headers.host)) headers.host = 'localhost';
}

export interface ParserError extends NodeJS.ErrnoException {
  readonly reason?: string;
}

/** The answer to bytes that are no request, by the parser's error. */
export function textOfParserError(error: ParserError): string {
  const { status, reason, body } = refusalOfError(error);
  return `HTTP/1.1 ${status} ${reason}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${body}`;
}

function refusalOfError({ code, reason = '' }: ParserError): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return tooLarge;
  // An encoding beside a length is a bad request in Go.
  return code === 'HPE_INVALID_TRANSFER_ENCODING' && !/content-length/i.test(reason) ? unsupportedEncoding : badRequest;
}

/** The answer to a client that sends HTTP to a TLS port. */
export const httpOnTls = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** Whether the first bytes of a connection to a TLS port begin a request of HTTP. */
export function looksLikeHttp(first: Buffer): boolean {
  return ['GET /', 'HEAD ', 'POST ', 'PUT /', 'OPTIO'].includes(first.toString('latin1', 0, 5));
}
