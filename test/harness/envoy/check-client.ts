/** A gRPC client for check services: @grpc/grpc-js, with the messages that reflection describes. */
import { create, createFileRegistry, createRegistry, fromBinary, fromJson, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, StringValueSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { describedServices } from '../../../server/gateway/envoy/check-service.js';
import { DescriptorFiles } from '../../../server/gateway/grpc/reflection.js';

const files = createFileRegistry(create(FileDescriptorSetSchema, { file: [...new DescriptorFiles(describedServices()).all] }));
const registry = createRegistry(files, StringValueSchema, TimestampSchema);

export type ApiVersion = 'v3' | 'v2';

export interface CheckOptions {
  readonly version?: ApiVersion;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
  /** Another method. */
  readonly call?: string;
}

export type CheckOutcome =
  | { readonly response: JsonValue; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: { readonly code: number; readonly message: string } };

/** The bytes of a message in protobuf's JSON form. */
export function requestBytes(request: JsonValue, version: ApiVersion = 'v3'): Buffer {
  const schema = files.getMessage(`envoy.service.auth.${version}.CheckRequest`)!;
  return Buffer.from(toBinary(schema, fromJson(schema, request, { registry })));
}

/** The JSON form of an answer. */
function responseJson(bytes: Uint8Array, version: ApiVersion = 'v3'): JsonValue {
  const schema = files.getMessage(`envoy.service.auth.${version}.CheckResponse`)!;
  return toJson(schema, fromBinary(schema, bytes), { registry });
}

export class CheckClient {
  readonly #client: Client;

  /** @param address `127.0.0.1:9191`, or `unix:/path` */
  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure());
  }

  /** Sends a check in JSON form, or its bytes. */
  async check(request: JsonValue | Buffer, options: CheckOptions = {}): Promise<CheckOutcome> {
    const { version = 'v3', call = `/envoy.service.auth.${version}.Authorization/Check` } = options;
    const bytes = Buffer.isBuffer(request) ? request : requestBytes(request, version);
    const answer = await this.unary(call, bytes, options);
    return Buffer.isBuffer(answer)
      ? { response: responseJson(answer, version) }
      : { error: { code: answer.code, message: answer.details } };
  }

  unary(path: string, message: Buffer, { metadata = {}, deadlineMs }: CheckOptions = {}): Promise<Buffer | ServiceError> {
    const sent = new Metadata();
    for (const [key, value] of Object.entries(metadata)) sent.set(key, value);
    const same = (bytes: Buffer) => bytes;
    const options = deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
    return new Promise((resolve) => {
      this.#client.makeUnaryRequest(path, same, same, message, sent, options, (error, answer) => resolve(error ?? answer!));
    });
  }

  /** The answer to the one message of a stream. */
  stream(path: string, message: Buffer): Promise<Buffer> {
    const same = (bytes: Buffer) => bytes;
    return new Promise((resolve, reject) => {
      const call = this.#client.makeBidiStreamRequest(path, same, same, new Metadata());
      call.on('data', resolve).on('error', reject);
      call.write(message);
      call.end();
    });
  }

  close(): void {
    this.#client.close();
  }
}
