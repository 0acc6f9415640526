/** Logs requests and answers; at level `debug` with their bodies. */

import type { PlainObject } from '../../values/index.js';
import { type BodyLimits, readBody, textOfBody } from '../http/requests/body.js';
import type { Exchange } from '../http/requests/exchange.js';
import { percentDecoded } from '../http/requests/params.js';
import type { Logger } from '../services/logs/logger.js';

interface RequestLog {
  /** Waits for the body at level `debug`. */
  received(exchange: Exchange): void | Promise<void>;
  sent(exchange: Exchange, status: number, seconds: number): void;
}

/** Undefined where requests are not logged. */
export function requestLog(logger: Logger, limits: BodyLimits): RequestLog | undefined {
  if (!logger.writes('info')) return undefined;
  const withBodies = logger.writes('debug');
  return {
    received(exchange) {
      const fields = requestLogFields(exchange);
      if (!withBodies) {
        logger.info('Received request.', fields);
        return;
      }
      return bodyText(exchange, limits).then((body) => {
        const params = Object.fromEntries([...exchange.params.entries()].map(([name, values]) => [name, [...values]]));
        logger.info('Received request.', { ...fields, req_body: body, req_params: params });
      });
    },
    sent(exchange, status, seconds) {
      const { sent } = exchange;
      logger.info('Sent response.', {
        ...requestLogFields(exchange),
        resp_status: status,
        resp_duration: seconds * 1000,
        resp_bytes: sent === null ? 0 : typeof sent === 'string' ? Buffer.byteLength(sent) : sent.length,
        ...(withBodies && { resp_body: typeof sent === 'string' ? sent : sent === null ? '' : '[compressed payload]' }),
      });
    },
  };
}

/** The fields of a request in the lines that tell of it. */
export function requestLogFields({ clientAddress, id, method, path }: Exchange): PlainObject {
  return { client_addr: clientAddress, req_id: id, req_method: method, req_path: percentDecoded(path) ?? path };
}

/** Empty where the body cannot be read: the route reports the error. */
async function bodyText(exchange: Exchange, limits: BodyLimits): Promise<string> {
  if (exchange.method === 'GET' || exchange.method === 'HEAD') return '';
  try {
    return textOfBody(await readBody(exchange, limits));
  } catch {
    return '';
  }
}
