/** `credentials.client_tls`: a certificate of our own, read again when its files change. */
import { createPrivateKey } from 'node:crypto';
import type { ClientCertificate } from '../../../../values/index.js';
import { keyPairProblem } from '../../../../values/node.js';
import { ConfigError, type ConfigSection } from '../../config/config-section.js';
import { LastGood } from '../last-good.js';
import { ServiceError } from '../request.js';
import type { Transport } from '../transport.js';
import type { Credentials, MakeCredentials } from './credentials.js';

interface ClientTlsConfig {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly passphrase: string | undefined;
  /** The files are not read again before this time has passed. */
  readonly rereadMs: number;
}

/** Throws a ConfigError. */
export function parseClientTls(section: ConfigSection): MakeCredentials {
  const certificateFile = section.string('cert') ?? '';
  const keyFile = section.string('private_key') ?? '';
  if (certificateFile === '') throw new ConfigError('client certificate is needed when client TLS is enabled');
  if (keyFile === '') throw new ConfigError('private key is needed when client TLS is enabled');
  const rereadMs = 1000 * (section.integer('cert_reread_interval_seconds') ?? 0);
  const config = {
    certificateFile,
    keyFile,
    passphrase: section.string('private_key_passphrase') || undefined,
    rereadMs,
  };
  return ({ transport }) => new ClientTls(config, transport);
}

class ClientTls implements Credentials {
  readonly #config: ClientTlsConfig;
  readonly #transport: Transport;
  readonly #pair: LastGood<ClientCertificate>;
  #last: { readonly texts: string; readonly pair: ClientCertificate } | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(config: ClientTlsConfig, transport: Transport) {
    this.#config = config;
    this.#transport = transport;
    this.#pair = new LastGood(() => this.#read(), transport.report);
  }

  certificates(): readonly ClientCertificate[] {
    return [this.#pair.get()];
  }

  #read(): ClientCertificate {
    const { certificateFile, keyFile, passphrase, rereadMs } = this.#config;
    if (this.#last !== undefined && performance.now() < this.#readAt + rereadMs) return this.#last.pair;
    const certificate = this.#transport.readFile(certificateFile);
    const key = this.#transport.readFile(keyFile);
    if (certificate + key !== this.#last?.texts) {
      const pair = checkedPair(certificate, opened(key, passphrase, keyFile), certificateFile);
      this.#last = { texts: certificate + key, pair };
    }
    this.#readAt = performance.now();
    return this.#last.pair;
  }
}

function checkedPair(certificate: string, key: string, file: string): ClientCertificate {
  const pair = { certificate, key };
  const problem = keyPairProblem(pair);
  if (problem !== undefined) throw new ServiceError(`client certificate ${file}: ${problem}`);
  return pair;
}

/** A key without its passphrase. */
function opened(key: string, passphrase: string | undefined, file: string): string {
  if (passphrase === undefined) return key;
  try {
    return createPrivateKey({ key, passphrase }).export({ format: 'pem', type: 'pkcs8' }).toString();
  } catch {
    throw new ServiceError(`the private key ${file} cannot be read with its passphrase`);
  }
}
