/**
 * A check service on `@grpc/grpc-js` without a policy: it decodes the request by
 * `@bufbuild/protobuf` and always gives the same answer. `grpc-limit.ts PORT [raw]`: `raw` decodes
 * nothing.
 */
import { create, createFileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { describedServices } from '../../server/gateway/envoy/check-service.js';
import { DescriptorFiles } from '../../server/gateway/grpc/reflection.js';

const [port, mode] = process.argv.slice(2);
const files = createFileRegistry(
  create(FileDescriptorSetSchema, { file: [...new DescriptorFiles(describedServices()).all] }),
);
const request = files.getMessage('envoy.service.auth.v3.CheckRequest')!;
const response = files.getMessage('envoy.service.auth.v3.CheckResponse')!;
const status = fromBinary(response, Buffer.from([0x0a, 0x00]));
const fixed = Buffer.from(toBinary(response, status));

const server = new Server();
const method = {
  path: '/envoy.service.auth.v3.Authorization/Check',
  requestStream: false,
  responseStream: false,
  requestSerialize: (value: Buffer) => value,
  requestDeserialize: (bytes: Buffer) => (mode === 'raw' ? bytes : fromBinary(request, bytes)),
  responseSerialize: (message: unknown) =>
    mode === 'raw' ? fixed : Buffer.from(toBinary(response, message as typeof status)),
  responseDeserialize: (bytes: Buffer) => bytes,
} as const;
server.addService({ Check: method } as never, {
  Check: (_call: unknown, answer: (error: null, value: unknown) => void) => answer(null, status),
});
server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error) => {
  if (error !== null) throw error;
});
