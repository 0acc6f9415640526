/** `http.send` by the platform's `fetch`. A page sees of a response what its server lets it see. */
import { timerMs } from '../../timers.js';
import { type HostNetwork, NetworkError, type NetworkRequest, type NetworkResponse } from '../host-network.js';
import { responseBody } from './response-body.js';

export const fetchNetwork: HostNetwork = {
  request: send,
  lookup: () => Promise.reject(new NetworkError('this platform looks up no names', false)),
  readFile(path) {
    throw new Error(`open ${path}: this platform reads no files`);
  },
  environment: () => undefined,
  checkKeyPair: () => 'tls: this platform takes no client certificates',
  hasCertificates: () => true,
  close: async () => {},
};

async function send(request: NetworkRequest, signal: AbortSignal): Promise<NetworkResponse> {
  const { method, url, headers, body, tls, socket, timeoutMs, maxBodyBytes } = request;
  if (tls !== undefined) throw new NetworkError('this platform has its own settings of TLS', false);
  if (socket !== undefined) throw new NetworkError('this platform connects to no Unix sockets', false);
  const timeout = timeoutMs > 0 ? AbortSignal.timeout(timerMs(timeoutMs)) : undefined;
  const ends = timeout === undefined ? signal : AbortSignal.any([signal, timeout]);
  const tooLarge = () => new NetworkError(`response body is larger than ${maxBodyBytes} bytes`, false, true);
  let hasBegun = false;
  try {
    const response = await fetch(url, {
      method,
      headers: headers.map(([name, value]) => [name, value]),
      redirect: 'manual',
      // No cookies of the page: a policy speaks for itself.
      credentials: 'omit',
      signal: ends,
      ...(body !== undefined && { body: Uint8Array.from(body) }),
    });
    if (response.type === 'opaqueredirect')
      throw new NetworkError('the server redirects, and this platform does not say where to', false);
    hasBegun = true;
    const { status, statusText } = response;
    return {
      statusCode: status,
      statusText,
      headers: [...response.headers],
      body: await responseBody(response, maxBodyBytes, tooLarge),
    };
  } catch (error) {
    if (error instanceof NetworkError) throw error;
    const isTimeout = timeout?.aborted === true && !signal.aborted;
    throw new NetworkError(isTimeout ? 'timed out' : ((error as Error).message ?? String(error)), isTimeout, hasBegun);
  }
}
