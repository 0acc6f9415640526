/** HTTP and name look-up, as the platform has them. */

/** A certificate of our own and its key, as PEM text. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface TlsOptions {
  /** PEM texts of the authorities that are trusted; undefined means those of the system. */
  readonly authorities: readonly string[] | undefined;
  /** The system's authorities as well. */
  readonly systemAuthorities: boolean;
  readonly clientCertificates: readonly ClientCertificate[];
  readonly insecureSkipVerify: boolean;
  readonly serverName: string | undefined;
}

export interface NetworkRequest {
  readonly method: string;
  /** An absolute URL of scheme http or https. */
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
  /** Undefined where nothing but the platform's defaults is wanted. */
  readonly tls: TlsOptions | undefined;
  /** The path of a Unix socket to connect to instead of the URL's host. */
  readonly socket: string | undefined;
  /** The longest time until the response has ended; 0 is no limit. */
  readonly timeoutMs: number;
  /** The longest time until the response begins. */
  readonly headerTimeoutMs?: number;
  /** The longest time between parts of the response's body. */
  readonly bodySilenceMs?: number;
  /** The most bytes of a body. */
  readonly maxBodyBytes: number;
  /**
   * Called with the bytes of the body that have arrived, before it is inflated. Responses need not
   * state the total.
   */
  readonly onBody?: (received: number, total: number | undefined) => void;
  /**
   * Whether it may be sent a second time, on a new connection, where a connection that was kept
   * open ended before an answer. Default: by its method.
   */
  readonly repeats?: boolean;
}

export interface NetworkResponse {
  readonly statusCode: number;
  /** The reason phrase of the response. */
  readonly statusText: string;
  /** Names and values in the order and spelling of the response. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** Why a request got no response. */
export class NetworkError extends Error {
  readonly timedOut: boolean;
  /** The response had begun: its body broke off. */
  readonly inBody: boolean;

  constructor(message: string, timedOut: boolean, inBody = false) {
    super(message);
    this.name = 'NetworkError';
    this.timedOut = timedOut;
    this.inBody = inBody;
  }
}

export interface HostNetwork {
  /** One exchange, redirects not followed. Throws a NetworkError. */
  request(request: NetworkRequest, signal: AbortSignal): Promise<NetworkResponse>;
  /** The addresses of a host name. Throws a NetworkError. */
  lookup(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /** The text of a file that holds a certificate or key. Throws where it cannot be read. */
  readFile(path: string): string;
  /** A variable of the environment, undefined where it is not set. */
  environment(name: string): string | undefined;
  /** Why a certificate and key do not make a pair, undefined where they do. */
  checkKeyPair(pair: ClientCertificate): string | undefined;
  /** Whether a PEM text holds certificates that can be trusted. */
  hasCertificates(pem: string): boolean;
  /** Ends idle connections. */
  close(): Promise<void>;
}
