/** Forward auth as a server of HTTP/1. */

import { drain } from '../../http/sockets/drain.js';
import { httpServer, plainFront } from '../../http/sockets/http-servers.js';
import type { CheckHost } from '../envoy/check.js';
import { forwardAuth } from '../forward/forward-auth.js';
import type { ForwardConfig } from '../forward/forward-config.js';
import type { GatewayService } from './gateway-listener.js';

/** Throws a ConfigError for a query that cannot be parsed. */
export function openForwardService(config: ForwardConfig, host: CheckHost): GatewayService {
  const server = httpServer(forwardAuth(config, host), undefined);
  const front = plainFront(server);
  return { server, close: (graceMs) => drain(server, front, graceMs) };
}
