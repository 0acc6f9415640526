import type { NetworkRequest } from '../host-network.js';
import { systemProblem } from './system-errors.js';

/** Words of Go's network. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'connect: connection timed out',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'server misbehaving',
  EAI_NODATA: 'no such host',
  ECONNRESET: 'EOF',
  EPIPE: 'write: broken pipe',
  Z_BUF_ERROR: 'unexpected EOF',
  Z_DATA_ERROR: 'gzip: invalid header',
};

const certificateReasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'certificate has expired or is not yet valid',
};

type SystemError = Error & {
  code?: string;
  syscall?: string;
  address?: string;
  port?: number;
  hostname?: string;
  errors?: SystemError[];
};

/** The reason of a failure, in the words of the reference's platform. */
export function networkReason(error: Error, request?: NetworkRequest): string {
  const failure = firstOf(error as SystemError);
  const { code = '' } = failure;
  const certificate = certificateReasons[code];
  if (certificate !== undefined) return `tls: failed to verify certificate: x509: ${certificate}`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `tls: failed to verify certificate: x509: ${failure.message}`;
  if (code === 'EPROTO' && failure.message.includes('wrong version number'))
    return 'http: server gave HTTP response to HTTPS client';
  const reason = reasons[code] ?? systemProblem(failure).trim();
  if (request === undefined) return reason;
  const { syscall, address, port, hostname } = failure;
  if (syscall === 'getaddrinfo') return `dial tcp: lookup ${hostname ?? ''}: ${reason}`;
  if (syscall !== 'connect') return reason;
  if (request.socket !== undefined) return `dial unix ${request.socket}: connect: ${reason.replace(/^connect: /, '')}`;
  return `dial tcp ${address?.includes(':') ? `[${address}]` : (address ?? '')}:${port ?? ''}: ${reason}`;
}

/** After several attempts with different addresses, the first failure is reported. */
function firstOf(error: SystemError): SystemError {
  return error.errors?.[0] ?? error;
}
