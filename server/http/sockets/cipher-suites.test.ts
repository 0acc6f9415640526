import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';
import { cipherList } from './cipher-suites.js';
import type { ServerTlsOptions } from './http-servers.js';
import { type ListenOptions, listen } from './listen.js';

const pem = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8');
const pair = { cert: pem('server.pem'), key: pem('server.key') };

test('suites have the names that Go gives them', () => {
  expect(cipherList(['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_RSA_WITH_AES_256_CBC_SHA'])).toMatch(
    /:ECDHE-RSA-AES128-GCM-SHA256:AES256-SHA$/,
  );
});

test.each([
  ['ECDHE-RSA-AES128-GCM-SHA256', 'invalid cipher suite ECDHE-RSA-AES128-GCM-SHA256'],
  ['constructor', 'invalid cipher suite constructor'],
  ['TLS_AES_128_GCM_SHA256', 'TLS 1.3 cipher suite "TLS_AES_128_GCM_SHA256" is not configurable'],
  ['TLS_RSA_WITH_RC4_128_SHA', 'cipher suite TLS_RSA_WITH_RC4_128_SHA is not part of this Node'],
])('%s is no suite to choose', (name, message) => {
  expect(() => cipherList([name])).toThrow(message);
});

/** The protocol and suite that a client and a server agree on, or why they do not. */
async function agreed(tls: Partial<ServerTlsOptions>, client: object): Promise<string> {
  const { app } = await testServer();
  const options: ListenOptions = { tls: { ...pair, requireClientCertificate: false, minVersion: 'TLSv1.2', ...tls } };
  const listener = await listen(app, '127.0.0.1:0', options);
  try {
    return await new Promise((resolve) => {
      const socket = connect({ port: Number(new URL(listener.url).port), host: '127.0.0.1', rejectUnauthorized: false, ...client });
      socket.on('secureConnect', () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`);
        socket.destroy();
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  } finally {
    await listener.close(0);
  }
}

const suite = 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384';
const chosen = { ciphers: cipherList([suite]) };
const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' };

test.each([
  ['the suite that was chosen', chosen, { maxVersion: 'TLSv1.2' }, `TLSv1.2 ${suite}`],
  ['no other', chosen, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }, /HANDSHAKE_FAILURE|ECONNRESET/],
  ['TLS 1.3, whatever was chosen', chosen, {}, /^TLSv1.3 /],
  ['no version below the least', {}, old, /PROTOCOL_VERSION|ECONNRESET/],
  ['an old version where it is allowed', { minVersion: 'TLSv1' as const }, old, /^TLSv1.1 /],
])('a server with TLS takes %s', async (_title, server, client, expected) => {
  expect(await agreed(server, client)).toMatch(expected);
});
