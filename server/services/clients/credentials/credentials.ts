/** The interface of credentials. */
import type { TlsOptions } from '../../../../values/index.js';
import type { UnsignedRequest } from '../request.js';
import type { Transport } from '../transport.js';

/** A proof of the identity of this process, for a service. */
export interface Credentials {
  /** The headers to add, by lower-case name. Rejects with a ServiceError. */
  headers?(request: UnsignedRequest): Promise<{ readonly [name: string]: string }>;
  /** The certificate and key of a connection. Throws a ServiceError. */
  certificates?(): TlsOptions['clientCertificates'];
  /** Tells that the service did not accept the headers. */
  refused?(): void;
}

/** The environment of credentials. */
export interface CredentialsContext {
  readonly transport: Transport;
  readonly env: { readonly [name: string]: string | undefined };
}

/** Makes the credentials of a client, from a section that was checked. */
export type MakeCredentials = (context: CredentialsContext) => Credentials;

/** Private keys of the section `keys`, by id. */
export type SigningKeys = ReadonlyMap<string, SigningKey>;

export interface SigningKey {
  /** A PEM text, or the secret of HMAC. */
  readonly key: string;
  readonly algorithm: string;
}
