/** gRPC's server reflection over descriptors of files. */
import { create, toBinary } from '@bufbuild/protobuf';
import {
  DescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  file_google_protobuf_any,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  FieldDescriptorProto_Label as Label,
  ServiceDescriptorProtoSchema,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { DecodeError, decodeMessage } from '../protobuf/decode.js';
import { encodeMessage } from '../protobuf/encode.js';
import { field, type MessageField, MessageType, repeated, type Scalar } from '../protobuf/message-type.js';
import type { Method } from './grpc-server.js';
import { GrpcError, grpcCodes } from './grpc-status.js';

/** A service with its one unary method. */
export interface DescribedService {
  readonly name: string;
  readonly method: string;
  readonly input: MessageType;
  readonly output: MessageType;
}

const versions = ['grpc.reflection.v1', 'grpc.reflection.v1alpha'] as const;

/** The reflection services over some services. They list themselves too. */
export function reflectionServices(services: readonly DescribedService[]): [string, ReadonlyMap<string, Method>][] {
  const names = [...services.map(({ name }) => name), ...versions.map((version) => `${version}.ServerReflection`)];
  const files = new DescriptorFiles(services);
  return versions.map((version) => {
    const { request, response } = messagesOf(version);
    const answer: Method = {
      kind: 'stream',
      endsWithClient: true,
      answer: (message, call) =>
        call.send(encodeMessage(response, answerOf(requestOf(request, message), names, files))),
    };
    return [`${version}.ServerReflection`, new Map([['ServerReflectionInfo', answer]])];
  });
}

function messagesOf(version: string) {
  const request = new MessageType(`${version}.ServerReflectionRequest`, {
    host: field(1, 'string'),
    file_by_filename: field(3, 'string', 'message_request'),
    file_containing_symbol: field(4, 'string', 'message_request'),
    all_extension_numbers_of_type: field(6, 'string', 'message_request'),
    list_services: field(7, 'string', 'message_request'),
  });
  const files = new MessageType(`${version}.FileDescriptorResponse`, { file_descriptor_proto: repeated(1, 'bytes') });
  const service = new MessageType(`${version}.ServiceResponse`, { name: field(1, 'string') });
  const services = new MessageType(`${version}.ListServiceResponse`, { service: repeated(1, service) });
  const extensions = new MessageType(`${version}.ExtensionNumberResponse`, { base_type_name: field(1, 'string') });
  const error = new MessageType(`${version}.ErrorResponse`, {
    error_code: field(1, 'int32'),
    error_message: field(2, 'string'),
  });
  const response = new MessageType(`${version}.ServerReflectionResponse`, {
    valid_host: field(1, 'string'),
    original_request: field(2, request),
    file_descriptor_response: field(4, files, 'message_response'),
    all_extension_numbers_response: field(5, extensions, 'message_response'),
    list_services_response: field(6, services, 'message_response'),
    error_response: field(7, error, 'message_response'),
  });
  return { request, response };
}

interface ReflectionRequest {
  readonly host?: string;
  readonly fileByFilename?: string;
  readonly fileContainingSymbol?: string;
  readonly allExtensionNumbersOfType?: string;
  readonly listServices?: string;
}

function requestOf(type: MessageType, message: Buffer): ReflectionRequest {
  try {
    return decodeMessage(type, message);
  } catch (error) {
    throw error instanceof DecodeError ? new GrpcError(grpcCodes.internal, error.message) : error;
  }
}

function answerOf(request: ReflectionRequest, names: readonly string[], files: DescriptorFiles) {
  const { host = '', fileByFilename, fileContainingSymbol, allExtensionNumbersOfType, listServices } = request;
  const base = { validHost: host, originalRequest: { ...request } };
  const listed = (found: readonly string[] | undefined, subject: string) =>
    found === undefined
      ? { ...base, errorResponse: { errorCode: grpcCodes.notFound, errorMessage: `${subject} is not here` } }
      : { ...base, fileDescriptorResponse: { fileDescriptorProto: found } };
  if (listServices !== undefined)
    return { ...base, listServicesResponse: { service: names.toSorted().map((name) => ({ name })) } };
  if (fileByFilename !== undefined) return listed(files.named(fileByFilename), fileByFilename);
  if (fileContainingSymbol !== undefined) return listed(files.containing(fileContainingSymbol), fileContainingSymbol);
  if (allExtensionNumbersOfType !== undefined)
    return { ...base, allExtensionNumbersResponse: { baseTypeName: allExtensionNumbersOfType } };
  return { ...base, errorResponse: { errorCode: grpcCodes.unimplemented, errorMessage: 'this is not answered here' } };
}

const wellKnown = [file_google_protobuf_any, file_google_protobuf_struct, file_google_protobuf_timestamp];

/** A file for each package, with the messages that the services use. */
export class DescriptorFiles {
  readonly #byName = new Map<string, FileDescriptorProto>();
  readonly #bySymbol = new Map<string, string>();

  constructor(services: readonly DescribedService[]) {
    for (const { proto } of wellKnown) {
      this.#byName.set(proto.name, proto);
      for (const { name } of proto.messageType) this.#bySymbol.set(`google.protobuf.${name}`, proto.name);
    }
    for (const { name, method, input, output } of services) {
      this.#add(input);
      this.#add(output);
      const file = this.#fileOf(packageOf(name));
      const types = { inputType: `.${input.name}`, outputType: `.${output.name}` };
      file.service.push(
        create(ServiceDescriptorProtoSchema, { name: lastOf(name), method: [{ name: method, ...types }] }),
      );
      this.#bySymbol.set(name, file.name).set(`${name}.${method}`, file.name);
    }
  }

  /** A file after those that it needs, each in base64; undefined where there is none. */
  named(name: string): readonly string[] | undefined {
    const found = this.#inOrder([name]);
    if (found.length === 0) return undefined;
    return found.map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString('base64'));
  }

  /** All files, each after those that it needs. */
  get all(): readonly FileDescriptorProto[] {
    return this.#inOrder(this.#byName.keys());
  }

  #inOrder(names: Iterable<string>): readonly FileDescriptorProto[] {
    const visited = new Set<string>();
    const found: FileDescriptorProto[] = [];
    const visit = (name: string) => {
      const file = this.#byName.get(name);
      if (file === undefined || visited.has(name)) return;
      visited.add(name);
      for (const dependency of file.dependency) visit(dependency);
      found.push(file);
    };
    for (const name of names) visit(name);
    return found;
  }

  containing(symbol: string): readonly string[] | undefined {
    const file = this.#bySymbol.get(symbol);
    return file === undefined ? undefined : this.named(file);
  }

  #fileOf(packageName: string): FileDescriptorProto {
    const name = `${packageName.replaceAll('.', '/')}.proto`;
    let file = this.#byName.get(name);
    if (file === undefined) {
      file = create(FileDescriptorProtoSchema, { name, package: packageName, syntax: 'proto3' });
      this.#byName.set(name, file);
    }
    return file;
  }

  #add(type: MessageType): void {
    if (this.#bySymbol.has(type.name)) return;
    const packageName = packageOf(type.name);
    const file = this.#fileOf(packageName);
    this.#bySymbol.set(type.name, file.name);
    const described = describe(type);
    const parent = file.messageType.find(({ name }) => type.name.startsWith(`${packageName}.${name}.`));
    (parent?.nestedType ?? file.messageType).push(described);
    for (const { type: used } of type.fields) {
      if (typeof used !== 'string') this.#add(used);
      else if (!used.startsWith('google.')) continue;
      const dependency = this.#bySymbol.get(typeof used === 'string' ? used : used.name)!;
      if (dependency !== file.name && !file.dependency.includes(dependency)) file.dependency.push(dependency);
    }
  }
}

const scalars: Readonly<Record<Scalar, Type>> = {
  bool: Type.BOOL,
  bytes: Type.BYTES,
  // The numbers alone are described.
  enum: Type.INT32,
  int32: Type.INT32,
  int64: Type.INT64,
  string: Type.STRING,
  uint32: Type.UINT32,
  uint64: Type.UINT64,
};

function describe(type: MessageType): FileDescriptorProto['messageType'][number] {
  const oneofs = [...new Set(type.fields.flatMap(({ oneof }) => oneof ?? []))];
  const message = {
    name: lastOf(type.name),
    oneofDecl: oneofs.map((name) => ({ name })),
    field: type.fields.map((own) => ({
      name: own.name,
      jsonName: own.jsonName,
      number: own.number,
      label: own.label === 'one' ? Label.OPTIONAL : Label.REPEATED,
      ...(own.label === 'map' ? { type: Type.MESSAGE, typeName: `.${type.name}.${entryName(own)}` } : fieldType(own)),
      ...(own.oneof !== undefined && { oneofIndex: oneofs.indexOf(own.oneof) }),
    })),
    nestedType: type.fields
      .filter(({ label }) => label === 'map')
      .map((own) => ({
        name: entryName(own),
        options: { mapEntry: true },
        field: [
          { name: 'key', jsonName: 'key', number: 1, label: Label.OPTIONAL, type: Type.STRING },
          { name: 'value', jsonName: 'value', number: 2, label: Label.OPTIONAL, ...fieldType(own) },
        ],
      })),
  };
  return create(DescriptorProtoSchema, message);
}

function fieldType({ type }: MessageField) {
  if (typeof type === 'string' && !type.startsWith('google.')) return { type: scalars[type as Scalar] };
  return { type: Type.MESSAGE, typeName: `.${typeof type === 'string' ? type : type.name}` };
}

/** `LabelsEntry`, as the compiler of protobuf names it. */
function entryName({ name }: MessageField): string {
  return `${name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Entry`;
}

/** The part of a name before its first word with a capital. */
function packageOf(name: string): string {
  return /^(?:[a-z0-9_]+\.)*(?=[A-Z])/.exec(name)![0].slice(0, -1);
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
