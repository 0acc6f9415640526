/** Services whose certificates are faulty, and clients whose own are replaced on disk. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerOptions } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { archiveOf } from '../../../test/harness/archives.js';
import { eventually, temporaryDirectory } from '../../../test/harness/disk.js';
import { serve } from '../../../test/harness/server/http.js';
import { pluginFaces, type StartPlugins } from '../../../test/harness/server/plugin-faces.js';
import { tellTestsApart } from '../../../test/harness/set-up/concurrent-tests.js';
import type { PlainObject } from '../../../values/value.js';

tellTestsApart();

const tlsFile = (name: string) => fileURLToPath(new URL(`../../../fixtures/tls/${name}`, import.meta.url));
const pem = (name: string) => readFileSync(tlsFile(name));
const otherAuthority = { tls: { ca_cert: tlsFile('failures/authority.pem') } };
const bundle = await archiveOf({ 'a/p.rego': 'package a\n\nx := 1\n', '.manifest': '{"roots": ["a"], "revision": "r"}' });

const withSecret = { credentials: { bearer: { token: 'sesame' } } };

/** A bundle of a service, with the message of its status. */
async function bundleOf(start: StartPlugins, url: string, service: PlainObject) {
  const plugins = await start({
    services: { acmecorp: { url, ...service } },
    bundles: { b: { polling: { min_delay_seconds: 0, max_delay_seconds: 1 } } },
  });
  await plugins.settled();
  const message = () => (plugins.status() as { bundles: { b: { message?: string } } }).bundles.b.message;
  return { ...plugins, message };
}

describe.concurrent.each(pluginFaces)('%s', (_face, start) => {
  describe('a service', () => {
    test.each([
      ['whose certificate has expired', 'failures/expired.pem', otherAuthority, 'x509: certificate has expired or is not yet valid'],
      ['whose certificate begins later', 'failures/not-yet-valid.pem', otherAuthority, 'x509: certificate has expired or is not yet valid'],
      ['with the name of another host', 'failures/other-host.pem', otherAuthority, 'x509: '],
      ['of an unknown authority', 'server.pem', otherAuthority, 'x509: certificate signed by unknown authority'],
      ['of an authority that the system does not know', 'server.pem', {}, 'x509: certificate signed by unknown authority'],
    ])('%s is refused, with an error that names it and no secret', async (_title, certificate, settings, message) => {
      const tls: ServerOptions = { cert: pem(certificate), key: pem('server.key') };
      const { url, requests } = await serve((_, response) => response.end(bundle), { tls });
      const plugins = await bundleOf(start, `${url}?sig=sesame`.replace('?', '/base?'), { ...withSecret, ...settings });
      expect(plugins.message()).toContain('service "acmecorp": request failed: GET "https://127.0.0.1:');
      expect(plugins.message()).toContain(`tls: failed to verify certificate: ${message}`);
      expect(JSON.stringify([plugins.lines, plugins.status()])).not.toContain('sesame');
      expect(plugins.states().get('bundle')).toEqual({ state: 'NOT_READY' });
      expect(requests).toEqual([]);
    });

    test('that has a valid certificate again is used again', async () => {
      const expired: ServerOptions = { cert: pem('failures/expired.pem'), key: pem('server.key') };
      const first = await serve((_, response) => response.end(bundle), { tls: expired });
      const authorities = { tls: { ca_cert: tlsFile('authority.pem') } };
      const plugins = await bundleOf(start, first.url, authorities);
      expect(plugins.message()).toContain('tls: failed to verify certificate');
      await first.close();
      const tls = { cert: pem('server.pem'), key: pem('server.key') };
      await serve((_, response) => response.end(bundle), { tls, port: Number(new URL(first.url).port) });
      await eventually(async () => expect(await plugins.decide('a/x')).toBe(1));
      expect(plugins.message()).toBeUndefined();
    });
  });

  /** A service that knows its clients by their certificates. */
  async function serveClients() {
    const tls = {
      cert: pem('server.pem'),
      key: pem('server.key'),
      ca: [pem('authority.pem'), pem('failures/authority.pem')],
      requestCert: true,
      rejectUnauthorized: true,
    };
    const seen: string[] = [];
    const { url } = await serve(
      (_, response) => {
        seen.push((response.socket as TLSSocket).getPeerCertificate().subject.CN as string);
        response.end(bundle);
      },
      { tls },
    );
    return { url, seen };
  }

  /** The files of a client, and the settings of a service that name them. */
  function clientFiles() {
    const directory = temporaryDirectory();
    const [cert, key, authority] = ['cert.pem', 'key.pem', 'ca.pem'].map((name) => join(directory, name)) as [string, string, string];
    copyFileSync(tlsFile('client.pem'), cert);
    copyFileSync(tlsFile('client.key'), key);
    copyFileSync(tlsFile('authority.pem'), authority);
    const settings = { credentials: { client_tls: { cert, private_key: key } }, tls: { ca_cert: authority } };
    return { directory, cert, key, settings };
  }

  test('a client certificate that is renewed on disk is presented from then on', async () => {
    const { url, seen } = await serveClients();
    const { cert, key, settings } = clientFiles();
    const plugins = await bundleOf(start, url, settings);
    expect(await plugins.decide('a/x')).toBe(1);
    // Between the two writes the pair does not match: the last good one stays in use.
    copyFileSync(tlsFile('failures/renewed-client.pem'), cert);
    const problem = 'tls: private key does not match public key. The last good certificates stay in use.';
    await eventually(() => expect(JSON.stringify(plugins.lines)).toContain(`client certificate ${cert}: ${problem}`));
    const before = seen.length;
    await eventually(() => expect(seen.length).toBeGreaterThan(before + 1));
    expect(seen.at(-1)).toBe('writ test client');
    expect(plugins.message()).toBeUndefined();
    copyFileSync(tlsFile('failures/renewed-client.key'), key);
    await eventually(() => expect(seen.at(-1)).toBe('renewed client'));
    expect(plugins.message()).toBeUndefined();
  });

  test.each([
    ['empty', '', 'cert.pem: tls: failed to find any PEM data in certificate input', ['cert.pem']],
    ['empty', '', 'cert.pem: tls: failed to find any PEM data in key input', ['key.pem']],
    ['no certificate', 'none', 'ca.pem has no certificates', ['ca.pem']],
    ['gone', undefined, 'key.pem: no such file or directory', ['key.pem']],
  ])(
    'while a file of a service is %s (%j), the last good certificates stay in use, and the log says so',
    async (_title, text, problem, names) => {
      const { url, seen } = await serveClients();
      const { directory, settings } = clientFiles();
      const plugins = await bundleOf(start, url, settings);
      for (const name of names) {
        if (text === undefined) rmSync(join(directory, name));
        else writeFileSync(join(directory, name), text);
      }
      await eventually(() => expect(JSON.stringify(plugins.lines)).toContain(problem));
      const before = seen.length;
      await eventually(() => expect(seen.length).toBeGreaterThan(before + 2));
      expect(seen.at(-1)).toBe('writ test client');
      expect(plugins.message()).toBeUndefined();
      // Once, not for each request.
      expect(plugins.lines.filter((line) => JSON.stringify(line).includes(problem))).toHaveLength(1);
    },
  );
});
