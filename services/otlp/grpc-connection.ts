/** The same for gRPC, which is ten times as large as the rest. */
import { type ChannelCredentials, credentials } from '@grpc/grpc-js';
import type { CollectorConfig, CollectorTls } from './collector-config.js';
import { collectorUrl } from './connection.js';

/** Options of an exporter over gRPC. */
export function grpcOptions(collector: CollectorConfig): { readonly url: string; readonly credentials: ChannelCredentials } {
  const { tls } = collector;
  return { url: collectorUrl(collector), credentials: tls === undefined ? credentials.createInsecure() : secure(tls) };
}

function secure({ ca, certificate, key, allowsInsecure }: CollectorTls): ChannelCredentials {
  const bytes = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
  return credentials.createSsl(bytes(ca), bytes(key), bytes(certificate), { rejectUnauthorized: !allowsInsecure });
}
