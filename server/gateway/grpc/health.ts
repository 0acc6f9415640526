/** gRPC's health service. */
import { DecodeError, decodeMessage } from '../protobuf/decode.js';
import { encodeMessage } from '../protobuf/encode.js';
import { field, MessageType } from '../protobuf/message-type.js';
import type { GrpcCall } from './grpc-call.js';
import type { Method } from './grpc-server.js';
import { GrpcError, grpcCodes } from './grpc-status.js';

const request = new MessageType('grpc.health.v1.HealthCheckRequest', { service: field(1, 'string') });
const response = new MessageType('grpc.health.v1.HealthCheckResponse', { status: field(1, 'enum') });

const serving = 1;
const notServing = 2;
const unknownService = 3;

const mostWatches = 100;
/** Milliseconds after which watches see a change. */
const intervalMs = 1000;

interface Watch {
  readonly call: GrpcCall;
  readonly isKnown: boolean;
  last: number;
}

export class HealthService {
  readonly services: readonly (readonly [string, ReadonlyMap<string, Method>])[];
  readonly #known: readonly string[];
  readonly #isReady: () => boolean;
  readonly #watches = new Set<Watch>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param known the services that can be asked for; an empty name is the whole server */
  constructor(known: readonly string[], isReady: () => boolean) {
    this.#known = known;
    this.#isReady = isReady;
    const check: Method = { kind: 'unary', answer: (message) => this.#check(serviceOf(message)) };
    const watch: Method = {
      kind: 'stream',
      answer: (message, call) => this.#watch(serviceOf(message), call),
      endsWithClient: false,
    };
    this.services = [
      [
        'grpc.health.v1.Health',
        new Map<string, Method>([
          ['Check', check],
          ['Watch', watch],
        ]),
      ],
    ];
  }

  get #status(): number {
    return !this.#isClosed && this.#isReady() ? serving : notServing;
  }

  #check(service: string): Uint8Array {
    if (!this.#known.includes(service)) throw new GrpcError(grpcCodes.notFound, 'unknown service');
    return encodeMessage(response, { status: this.#status });
  }

  async #watch(service: string, call: GrpcCall): Promise<void> {
    if (this.#watches.size === mostWatches) throw new GrpcError(grpcCodes.resourceExhausted, 'too many watches');
    const watch: Watch = { call, isKnown: this.#known.includes(service), last: -1 };
    this.#watches.add(watch);
    call.signal.addEventListener('abort', () => this.#drop(watch));
    this.#timer ??= setInterval(() => this.#tell(), intervalMs).unref();
    this.#tell();
  }

  #tell(): void {
    for (const watch of this.#watches) {
      const status = watch.isKnown ? this.#status : unknownService;
      if (status === watch.last) continue;
      watch.last = status;
      void watch.call.send(encodeMessage(response, { status }));
    }
  }

  #drop(watch: Watch): void {
    this.#watches.delete(watch);
    if (this.#watches.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Tells watches that the service ends, and ends them. */
  close(): void {
    this.#isClosed = true;
    this.#tell();
    for (const watch of [...this.#watches]) {
      watch.call.close();
      this.#drop(watch);
    }
  }
}

function serviceOf(message: Buffer): string {
  try {
    return (decodeMessage(request, message).service as string | undefined) ?? '';
  } catch (error) {
    throw error instanceof DecodeError ? new GrpcError(grpcCodes.internal, error.message) : error;
  }
}
