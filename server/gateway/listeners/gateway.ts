/** Gateways that ask for decisions at addresses of their own, as a configuration has them. */

import type { ConfigSection } from '../../services/config/config-section.js';
import type { CheckServiceOptions } from '../envoy/check-service.js';
import { type EnvoyConfig, parseEnvoy } from '../envoy/envoy-config.js';
import { type ForwardConfig, forwardPlugin, parseForward } from '../forward/forward-config.js';
import { GatewayListener } from './gateway-listener.js';

export type Gateway =
  | { readonly protocol: 'grpc'; readonly name: string; readonly config: EnvoyConfig }
  | { readonly protocol: 'http'; readonly name: string; readonly config: ForwardConfig };

/** Throws a ConfigError. */
export function parseGateways(config: ConfigSection): readonly Gateway[] {
  const [envoy, forward] = [parseEnvoy(config), parseForward(config)];
  return [
    ...(envoy === undefined ? [] : [{ protocol: 'grpc', name: envoy.name, config: envoy } as const]),
    ...(forward === undefined ? [] : [{ protocol: 'http', name: forwardPlugin, config: forward } as const]),
  ];
}

/** Upper bounds of the histogram of checks; undefined where they are not measured. */
export function checkBuckets(gateways: readonly Gateway[]): readonly number[] | undefined {
  return gateways.find((gateway) => gateway.protocol === 'grpc')?.config.buckets;
}

/** Opens the service that a gateway asks. Rejects with a ConfigError. */
export async function openGateway(
  { protocol, config }: Gateway,
  options: CheckServiceOptions,
): Promise<GatewayListener> {
  if (protocol === 'grpc') {
    const { openCheckService } = await import('../envoy/check-service.js');
    return new GatewayListener(await openCheckService(config, options));
  }
  const { openForwardService } = await import('./forward-service.js');
  return new GatewayListener(openForwardService(config, options.host));
}
