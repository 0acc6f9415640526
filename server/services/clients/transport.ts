/** One exchange with a service or with its service of tokens, under its TLS settings. */
import { type ClientCertificate, type HostNetwork, NetworkError, type NetworkResponse } from '../../../values/index.js';
import { LastGood } from './last-good.js';
import { type Headers, ServiceError, type ServiceResponse, shownUrl, type UnsignedRequest } from './request.js';

const defaultMaxBodyBytes = 64 * 1024 * 1024;
/** A body that stands still for longer than this is broken. */
const bodySilenceMs = 60_000;

export interface TransportSettings {
  /** A file of PEM certificates that are trusted. */
  readonly authorityFile: string | undefined;
  /** Whether the system's authorities are trusted beside those of the file. */
  readonly needsSystemAuthorities: boolean;
  /** Whether any certificate is trusted. */
  readonly allowsInsecure: boolean;
  /** Milliseconds until a response must have begun. */
  readonly headerTimeoutMs: number;
}

interface SendOptions {
  readonly certificates?: readonly ClientCertificate[];
  /** The longest wait for a response, instead of the service's. */
  readonly headerTimeoutMs?: number | undefined;
  readonly maxBodyBytes?: number | undefined;
  /** See `NetworkRequest`. */
  readonly repeats?: boolean;
  readonly signal?: AbortSignal;
}

export class Transport {
  readonly #settings: TransportSettings;
  readonly #network: HostNetwork;
  readonly #authorities: LastGood<string> | undefined;
  /** Called with problems that do not fail a request. */
  readonly report: (problem: string) => unknown;

  constructor(settings: TransportSettings, network: HostNetwork, report: (problem: string) => unknown) {
    this.#settings = settings;
    this.#network = network;
    this.report = report;
    const { authorityFile } = settings;
    if (authorityFile !== undefined)
      this.#authorities = new LastGood(() => this.#readAuthorities(authorityFile), report);
  }

  /**
   * Rejects with a ServiceError where there is no response, or with the signal's reason once the
   * signal is aborted.
   */
  async send(request: UnsignedRequest, options: SendOptions = {}): Promise<ServiceResponse> {
    const { method, url, headers, body } = request;
    const signal = options.signal ?? new AbortController().signal;
    const sent = {
      method,
      url: url.href,
      headers: [...headers],
      body,
      tls: url.protocol === 'https:' ? this.#tls(options.certificates ?? []) : undefined,
      socket: undefined,
      timeoutMs: 0,
      headerTimeoutMs: options.headerTimeoutMs ?? this.#settings.headerTimeoutMs,
      bodySilenceMs,
      maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
      ...(options.repeats !== undefined && { repeats: options.repeats }),
    };
    let response: NetworkResponse;
    try {
      response = await this.#network.request(sent, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof NetworkError)) throw error;
      throw new ServiceError(`${requestName(request)}: ${error.message}`);
    }
    return { status: response.statusCode, headers: headersByName(response), body: response.body };
  }

  /** The text of a file. Throws a ServiceError. */
  readFile(path: string): string {
    try {
      return this.#network.readFile(path);
    } catch (error) {
      throw new ServiceError((error as Error).message);
    }
  }

  /** Files of certificates are read for each request, so that a new file counts. */
  #tls(clientCertificates: readonly ClientCertificate[]) {
    const { needsSystemAuthorities, allowsInsecure } = this.#settings;
    return {
      authorities: this.#authorities === undefined ? undefined : [this.#authorities.get()],
      systemAuthorities: needsSystemAuthorities,
      clientCertificates,
      insecureSkipVerify: allowsInsecure,
      serverName: undefined,
    };
  }

  #readAuthorities(file: string): string {
    const pem = this.readFile(file);
    if (!this.#network.hasCertificates(pem)) throw new ServiceError(`${file} has no certificates`);
    return pem;
  }
}

/** A request for messages. */
export function requestName({ method, url }: UnsignedRequest): string {
  return `request failed: ${method} ${JSON.stringify(shownUrl(url))}`;
}

function headersByName({ headers }: NetworkResponse): Headers {
  const byName = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = byName.get(name.toLowerCase());
    byName.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return byName;
}
