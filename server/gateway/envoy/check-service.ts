/** Envoy's external authorization as a gRPC server. */

import { readFileSync } from 'node:fs';
import type { PlainObject } from '../../../values/index.js';
import { systemProblem } from '../../../values/node.js';
import { ConfigError } from '../../services/config/config-section.js';
import type { Tracing } from '../../services/tracing/tracing.js';
import { GrpcServer, type GrpcServices, type Method } from '../grpc/grpc-server.js';
import { HealthService } from '../grpc/health.js';
import type { DescribedService } from '../grpc/reflection.js';
import { encodeMessage } from '../protobuf/encode.js';
import { versions } from './authz-messages.js';
import { Checker, type CheckHost } from './check.js';
import type { ApiVersion, InputVersion } from './check-input.js';
import type { CheckMetrics } from './check-metrics.js';
import type { EnvoyConfig } from './envoy-config.js';
import type { GrpcBodies } from './grpc-body.js';

export interface CheckServiceOptions {
  readonly host: CheckHost;
  readonly metrics: CheckMetrics | undefined;
  /** Undefined where calls are not traced. */
  readonly tracing: Tracing | undefined;
  /** Whether checks are decided by the policies that are configured, for the health service. */
  readonly isReady: () => boolean;
}

export interface CheckService {
  /** Bind it to an address, or give it connections by its event `connection`. */
  readonly server: GrpcServer['server'];
  /** Takes no more calls, and answers open ones within `graceMs`. */
  close(graceMs: number): Promise<void>;
}

const serviceNames = { v3: 'envoy.service.auth.v3.Authorization', v2: 'envoy.service.auth.v2.Authorization' } as const;

/** Rejects with a ConfigError for a query or a descriptor that cannot be used. */
export async function openCheckService(config: EnvoyConfig, options: CheckServiceOptions): Promise<CheckService> {
  const { protoDescriptor, skipsBody, reflection, mostReceived, mostSent } = config;
  const grpcBodies = protoDescriptor === undefined ? undefined : await descriptorOf(protoDescriptor);
  const checker = checkerOf(config, options, { skipsBody, grpcBodies });
  const { tracing, isReady, host } = options;
  const check = (version: ApiVersion): Method => ({
    kind: 'unary',
    answer: (message, call) =>
      tracing === undefined
        ? checker.check(version, message, call)
        : tracing.call({ name: `${serviceNames[version]}/Check`, header: (name) => call.header(name) }, (span) =>
            checker.check(version, message, call, span),
          ),
  });
  const named = Object.values(serviceNames);
  const health = new HealthService([...named, ''], isReady);
  const services: GrpcServices = new Map([
    [serviceNames.v3, new Map([['Check', check('v3')]])],
    [serviceNames.v2, new Map([['Check', check('v2')]])],
    ...health.services,
    ...(reflection ? await reflected() : []),
  ]);
  const server = new GrpcServer(services, { mostReceived, mostSent }, (error) =>
    host.logger.error(`A check failed: ${error.stack ?? error.message}`),
  );
  return {
    server: server.server,
    close: async (graceMs) => {
      health.close();
      await server.close(graceMs);
    },
  };
}

function encoded(response: PlainObject, version: InputVersion): Uint8Array {
  return encodeMessage(versions[version === 'v2' ? 'v2' : 'v3'].checkResponse, response);
}

async function reflected() {
  const { reflectionServices } = await import('../grpc/reflection.js');
  return reflectionServices(describedServices());
}

/** For reflection. */
export function describedServices(): DescribedService[] {
  return (['v3', 'v2'] as const).map((version) => {
    const { checkRequest: input, checkResponse: output } = versions[version];
    return { name: serviceNames[version], method: 'Check', input, output };
  });
}

function checkerOf(
  config: EnvoyConfig,
  options: CheckServiceOptions,
  inputs: { skipsBody: boolean; grpcBodies: GrpcBodies | undefined },
) {
  try {
    return new Checker(options.host, config, inputs, options.metrics, encoded);
  } catch (error) {
    throw new ConfigError(`plugins.${config.name}.query: ${(error as Error).message}`);
  }
}

async function descriptorOf(file: string): Promise<GrpcBodies> {
  const { GrpcBodies } = await import('./grpc-body.js');
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new ConfigError(`proto-descriptor: open ${file}: ${systemProblem(error)}`);
  }
  try {
    return new GrpcBodies(bytes);
  } catch (error) {
    throw new ConfigError(`proto-descriptor: ${file} is no FileDescriptorSet: ${(error as Error).message}`);
  }
}
