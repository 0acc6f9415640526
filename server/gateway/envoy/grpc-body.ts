/** Messages in gRPC bodies, decoded by a FileDescriptorSet of the user. */
import { createFileRegistry, type FileRegistry, fromBinary, toJson } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { parseJson } from '../../../values/index.js';
import type { ParsedBody } from './parsed-body.js';
import { CheckRequestError } from './request-error.js';

const nothing: ParsedBody = { value: null, isTruncated: false };

/** One byte that tells about compression, and four with the length. */
const prefixLength = 5;

export class GrpcBodies {
  readonly #registry: FileRegistry;

  /** Throws an Error for bytes that are no FileDescriptorSet. */
  constructor(descriptorSet: Uint8Array) {
    this.#registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorSet));
  }

  /**
   * The first message of the body as JSON; undefined where it is truncated. Throws a RequestError.
   * @param path `['package.Service', 'Method']`
   */
  parse(body: Buffer, path: readonly string[]): ParsedBody | undefined {
    const [serviceName = '', methodName] = path;
    if (path.length !== 2) throw new CheckRequestError('invalid parsed path');
    const method = this.#registry.getService(serviceName)?.methods.find(({ name }) => name === methodName);
    const isStream = method?.methodKind === 'client_streaming' || method?.methodKind === 'bidi_streaming';
    if (method === undefined || isStream) return nothing;
    if (body.length < prefixLength) throw new CheckRequestError('less than 5 bytes');
    if (body[0] !== 0) return nothing;
    const end = prefixLength + body.readUInt32BE(1);
    if (end > body.length) return undefined;
    try {
      const message = fromBinary(method.input, body.subarray(prefixLength, end));
      // The library's JSON has doubles and texts, which are read as those of any body.
      return {
        value: parseJson(JSON.stringify(toJson(method.input, message, { registry: this.#registry }))),
        isTruncated: false,
      };
    } catch (error) {
      throw new CheckRequestError(`cannot parse the message: ${(error as Error).message}`);
    }
  }
}
