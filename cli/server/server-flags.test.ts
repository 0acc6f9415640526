import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type RequestOptions, request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, test, vi } from 'vitest';
import { compile } from '../../compiler/compile.js';
import type { Policy } from '../../ir-schema/plan.js';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { serve } from '../../test/harness/server/http.js';
import { tellTestsApart } from '../../test/harness/set-up/concurrent-tests.js';
import { parseArguments } from '../args.js';
import type { Io } from '../io.js';
import { serverFlags } from './server-flags.js';
import { startServer } from './start-server.js';

tellTestsApart();

interface Started {
  readonly urls: readonly string[];
  readonly lines: readonly string[];
  /** Status and body of a request to the first address. */
  ask(path: string, options?: RequestInit): Promise<{ status: number; text: string }>;
}

/** Starts a server with flags and an environment, and stops it when `use` is done. */
async function serving<T>(argv: readonly string[], use: (server: Started) => Promise<T>, env: Record<string, string> = {}): Promise<T> {
  const io: Io = { stdin: () => new Uint8Array(), stdout: () => undefined, stderr: () => undefined, env, color: false };
  const lines: string[] = [];
  const args = parseArguments('run', serverFlags, argv, { OPA_RUN_ADDR: '127.0.0.1:0', ...env });
  const running = await startServer(args, io, { write: (text) => void lines.push(text) });
  const ask = async (path: string, options?: RequestInit) => {
    const response = await fetch(running.urls[0] + path, options);
    return { status: response.status, text: await response.text() };
  };
  try {
    return await use({ urls: running.urls, lines, ask });
  } finally {
    await running.stop(100);
  }
}

const nothing = async () => undefined;
const tlsFile = (name: string) => join(import.meta.dirname, '../../fixtures/tls', name);
const tlsFlags = ['--tls-cert-file', tlsFile('server.pem'), '--tls-private-key-file', tlsFile('server.key')];
const policy = { 'p.rego': 'package p\n\nx := 1\n' };

describe.concurrent('policies from absolute paths', () => {
  const text = 'package p\n\nx := 1 if true\n\nx := 2 if true\n';

  test('have ids without the slash in front, by which they can be managed', async () => {
    await withFiles({ 'p.rego': text }, async (directory) => {
      await serving([directory], async ({ ask }) => {
        const file = join(directory, 'p.rego');
        const { result } = JSON.parse((await ask('/v1/policies')).text);
        expect(result).toMatchObject([{ id: file.slice(1) }]);
        expect(JSON.parse((await ask('/v1/data/p/x')).text).errors[0].location.file).toBe(file);
        expect((await ask(`/v1/policies${file}`, { method: 'PUT', body: 'package p\n\nx := 3\n' })).status).toBe(200);
        expect(JSON.parse((await ask('/v1/data/p/x')).text)).toEqual({ result: 3 });
        expect((await ask(`/v1/policies${file}`, { method: 'DELETE' })).status).toBe(200);
        expect(JSON.parse((await ask('/v1/policies')).text)).toEqual({ result: [] });
      });
    });
  });

  test('have their whole path in complaints at the start', async () => {
    await withFiles({ 'p.rego': 'package p\n\nx := y\n' }, async (directory) => {
      await expect(serving([directory], nothing)).rejects.toThrow(join(directory, 'p.rego:3'));
    });
  });

  test('of bundles too', async () => {
    await withFiles({ 'b/p.rego': 'package p\n\nx := 1\n' }, async (directory) => {
      await serving(['-b', join(directory, 'b')], async ({ ask }) => {
        const { result } = JSON.parse((await ask('/v1/policies')).text);
        expect(result[0].id).not.toMatch(/^\//);
        expect(JSON.parse((await ask(`/v1/policies/${result[0].id}`)).text).result.raw).toBe('package p\n\nx := 1\n');
      });
    });
  });
});

test.concurrent('policies see how the server was started', async () => {
  await withFiles({ 'p.rego': 'package p\n\nx := object.remove(opa.runtime(), ["env", "commit", "version"])\n' }, async (directory) => {
    const flags = ['--set', 'labels.a=b', '--skip-known-schema-check', directory];
    const answer = await serving(flags, ({ ask }) => ask('/v1/data/p/x'));
    const config = { labels: { a: 'b' } };
    expect(JSON.parse(answer.text)).toEqual({ result: { authorization_enabled: false, config, skip_known_schema_check: true } });
  });
});

describe.concurrent('flags of the environment', () => {
  test('stand for those that are not given', async () => {
    await withFiles(policy, async (directory) => {
      const env = { OPA_RUN_SET: 'labels.a=b', OPA_RUN_AUTHORIZATION: 'basic', OPA_RUN_LOG_LEVEL: 'error' };
      await serving(
        ['--authorization=off', directory],
        async ({ ask, lines }) => {
          expect(JSON.parse((await ask('/v1/config')).text).result.labels).toMatchObject({ a: 'b' });
          expect(lines).toEqual([]);
        },
        env,
      );
    });
  });

  test('that are wrong are an error', () => {
    expect(() => parseArguments('run', serverFlags, [], { OPA_RUN_READY_TIMEOUT: 'x' })).toThrow('error mapping environment variables');
  });
});

describe.concurrent('settings', () => {
  test('go over the file, with the environment filled in and files read', async () => {
    const files = { 'c.yaml': 'labels: {a: file, b: file, list: x}\ndefault_decision: /a/b\n', secret: ' text \n' };
    await withFiles(files, async (directory) => {
      const at = (name: string) => join(directory, name);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration's own syntax
      const flags = ['-c', at('c.yaml'), '--set', 'labels.a=${MINE},labels.c=c', '--set-file', `labels.d=${at('secret')}`];
      await serving(
        flags,
        async ({ ask }) => {
          const { labels, default_decision } = JSON.parse((await ask('/v1/config')).text).result;
          expect(labels).toMatchObject({ a: 'own', b: 'file', c: 'c', d: 'text' });
          expect(default_decision).toBe('/a/b');
        },
        { MINE: 'own' },
      );
    });
  });

  test.each([
    [['--set', 'a'], 'failed parsing --set data: key "a" has no value'],
    [['--set-file', 'a=/nosuch'], 'open /nosuch: no such file or directory'],
    [['-c', '/nosuch'], 'open /nosuch: no such file or directory'],
    [['--set', 'labels=1'], 'labels: must be object'],
  ])('%j: %s', async (flags, message) => {
    await expect(serving(flags, nothing)).rejects.toThrow(message);
  });
});

describe.concurrent('the log', () => {
  test.each([
    [['--log-timestamp-format', '2006'], {}],
    [[], { OPA_LOG_TIMESTAMP_FORMAT: '2006' }],
    [['--log-timestamp-format', '2006'], { OPA_LOG_TIMESTAMP_FORMAT: '06' }],
  ])('has times in the layout of %j %j', async (flags, env) => {
    await serving(flags, async ({ lines }) => expect(JSON.parse(lines[0]!).time).toMatch(/^20\d\d$/), env as Record<string, string>);
  });

  test('has RFC 3339 otherwise', async () => {
    await serving([], async ({ lines }) =>
      expect(JSON.parse(lines[0]!).time).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/),
    );
  });
});

describe.concurrent('addresses', () => {
  test('are as many as are given; sockets have their permissions', async () => {
    await withFiles(policy, async (directory) => {
      const socket = join(directory, 's');
      const flags = ['--addr', `unix://${socket},127.0.0.1:0`, '--unix-socket-perm', '700', directory];
      await serving(flags, async ({ urls }) => {
        expect(urls).toEqual([`unix://${socket}`, expect.stringMatching(/^http:\/\/127/)]);
        expect(statSync(socket).mode & 0o777).toBe(0o700);
        expect(await overSocket(socket)).toBe('{"result":1}\n');
        expect(await (await fetch(`${urls[1]}/v1/data/p/x`)).text()).toBe('{"result":1}\n');
      });
      expect(existsSync(socket)).toBe(false);
    });
  });

  test.runIf(process.platform === 'linux')('may be names that are no files', async () => {
    await withFiles(policy, async (directory) => {
      const name = `writ-${process.pid}`;
      await serving(['--addr', `unix://@${name}`, directory], async ({ urls }) => {
        expect(urls).toEqual([`unix://@${name}`]);
        expect(await overSocket(`\0${name}`)).toBe('{"result":1}\n');
      });
    });
  });

  test('for diagnostics answer little, to anybody', async () => {
    await withFiles(policy, async (directory) => {
      await serving(['--diagnostic-addr', '127.0.0.1:0', '--authorization=basic', directory], async ({ ask, urls }) => {
        expect((await ask('/health')).status).toBe(500);
        expect((await fetch(`${urls[1]}/health`)).status).toBe(200);
        expect((await fetch(`${urls[1]}/metrics`)).status).toBe(200);
        for (const path of ['/v1/data/p/x', '/v1/config', '/v1/status', '/']) expect((await fetch(`${urls[1]}${path}`)).status).toBe(404);
      });
    });
  });

  test('of the inspector show the policies of now, as far as requests are authorized', async () => {
    const authz = 'package system.authz\n\ndefault allow := false\n\nallow if input.identity == "key"\n';
    await withFiles({ ...policy, 'authz.rego': authz }, async (directory) => {
      const flags = ['--inspect', '127.0.0.1:0', '--authentication=token', '--authorization=basic', directory];
      await serving(flags, async ({ urls }) => {
        const url = `${urls[1]}/`;
        const headers = { authorization: 'Bearer key' };
        expect((await fetch(url)).status).toBe(401);
        const page = await (await fetch(`${url}?path=p/x`, { headers })).text();
        const data = /id="data">(.*?)<\/script>/s.exec(page)![1]!;
        expect((JSON.parse(data) as { plan: { policy: Policy } }).plan.policy.plans!.plans!.map(({ name }) => name)).toEqual(['p/x']);
        expect((await fetch(`${urls[1]}/v1/data`, { headers })).status).toBe(404);
        expect(await hostRefused(url)).toBe(403);
      });
    });
  });

  test.each(['0.0.0.0:8182', ':8182', 'example.com:80', '127.0.0.1'])('of the inspector are on this machine, not %s', async (address) => {
    await expect(serving(['--inspect', address], nothing)).rejects.toThrow('--inspect takes an address on this machine');
  });

  test.each([
    ['127.0.0.1', 'missing port in address'],
    ['127.0.0.1:99999', 'listen tcp: address 99999: invalid port'],
  ])('%s is none', async (address, message) => {
    await expect(serving(['--addr', address], nothing)).rejects.toThrow(message);
  });
});

/** The status of a request that names another host, as after a change of a site's address. */
function hostRefused(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host: 'evil.example', authorization: 'Bearer key' }, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

function overSocket(socketPath: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: '/v1/data/p/x', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
}

describe.concurrent('TLS', () => {
  test('identifies clients by their certificates', async () => {
    const authz = 'package system.authz\n\ndefault allow := false\n\nallow if input.identity == "CN=writ test client"\n';
    await withFiles({ ...policy, 'authz.rego': authz }, async (directory) => {
      const flags = [
        ...tlsFlags,
        '--tls-ca-cert-file',
        tlsFile('authority.pem'),
        '--authentication=tls',
        '--authorization=basic',
        directory,
      ];
      await serving(flags, async ({ urls }) => {
        const client = { cert: readFileSync(tlsFile('client.pem')), key: readFileSync(tlsFile('client.key')) };
        expect(await overTls(`${urls[0]}/v1/data/p/x`, client)).toBe(200);
        const other = { cert: readFileSync(tlsFile('server.pem')), key: readFileSync(tlsFile('server.key')) };
        expect(await overTls(`${urls[0]}/v1/data/p/x`, other)).toBe(401);
        await expect(overTls(`${urls[0]}/v1/data/p/x`, {})).rejects.toThrow();
      });
    });
  });

  test('without a certificate nobody is identified, which the log says', async () => {
    await serving(['--authentication=tls'], async ({ lines }) => expect(lines.join()).toContain('no request has an identity'));
    const refused = 'there is no policy at data.system.authz.allow, so every request is refused';
    await serving(['--authorization=basic'], async ({ lines }) => expect(lines.join()).toContain(refused));
    const gateways = ['forward_auth.addr=127.0.0.1:0', 'forward_auth.path=authz/alow', 'authzen.path=authz/allow'];
    const flags = gateways.flatMap((setting) => ['--set', `plugins.${setting}`]);
    await withFiles({ 'authz.rego': 'package authz\n\nallow := true' }, (directory) =>
      serving([...flags, directory], async ({ lines }) => {
        const warnings = lines.map((line) => JSON.parse(line) as Record<string, string>).filter(({ level }) => level === 'warning');
        expect(warnings.map(({ msg }) => msg)).toEqual(['plugins.forward_auth: data.authz has no "alow": did you mean "allow"?']);
      }),
    );
  });

  test.each([
    [['--min-tls-version', '1.2'], true],
    [['--min-tls-version', '1.3'], false],
    [['--tls-cipher-suites', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'], true],
    [['--tls-cipher-suites', 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'], false],
  ])('with %j asks a service of TLS 1.2 with one suite: %j', async (flags, isAsked) => {
    const tls = { cert: readFileSync(tlsFile('server.pem')), key: readFileSync(tlsFile('server.key')) };
    const old = { ...tls, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' } as const;
    const { url, requests } = await serve((_, response) => response.writeHead(404).end(), { tls: old });
    const config = [`services.s.url=${url}`, 'services.s.allow_insecure_tls=true', 'bundles.b.service=s'];
    await serving([...flags, ...config.flatMap((setting) => ['--set', setting])], async ({ lines }) => {
      await vi.waitFor(() => expect(lines.join()).toContain('Bundle load failed'), 5000);
      expect(lines.join()).toContain(isAsked ? 'server replied with Not Found' : 'request failed');
    });
    expect(requests.length > 0).toBe(isAsked);
  });

  test('takes another certificate when its files have changed, and keeps the last good one', async () => {
    await withFiles({}, async (directory) => {
      const cert = join(directory, 'cert');
      const key = join(directory, 'key');
      const take = (name: string) => {
        copyFileSync(tlsFile(`${name}.pem`), cert);
        copyFileSync(tlsFile(`${name}.key`), key);
      };
      take('server');
      await serving(
        ['--tls-cert-file', cert, '--tls-private-key-file', key, '--tls-cert-refresh-period', '50ms'],
        async ({ urls, lines }) => {
          expect(await subjectOf(urls[0]!)).toBe('writ test server');
          take('client');
          for (let i = 0; i < 1000 && (await subjectOf(urls[0]!)) !== 'writ test client'; i++) await pause(50);
          expect(await subjectOf(urls[0]!)).toBe('writ test client');
          const whole = readFileSync(cert, 'utf8');
          for (const [file, text, problem] of [
            [cert, '', 'tls: failed to find any PEM data in certificate input'],
            [cert, '\n', 'tls: failed to find any PEM data in certificate input'],
            [cert, whole.slice(0, 200), 'tls: failed to find "CERTIFICATE" PEM block'],
            [cert, whole.replace(/\n[^\n]{40}/, '\n'), 'x509: malformed certificate'],
            [key, '', 'tls: failed to find any PEM data in key input'],
            [key, 'no key', 'tls: failed to find any PEM data in key input'],
            [key, readFileSync(tlsFile('client.key'), 'utf8').slice(0, 100), 'tls: failed to parse private key'],
            [key, readFileSync(tlsFile('server.key'), 'utf8'), 'tls: private key does not match public key'],
          ] as const) {
            take('client');
            const before = lines.length;
            writeFileSync(file, text);
            const logged = () => lines.slice(before).join();
            const told = `Refreshing certificates failed: ${problem.replaceAll('"', '\\"')}`;
            for (let i = 0; i < 1000 && !logged().includes(told); i++) await pause(20);
            expect(logged()).toContain(told);
            expect(await subjectOf(urls[0]!)).toBe('writ test client');
          }
          take('server');
          for (let i = 0; i < 1000 && (await subjectOf(urls[0]!)) !== 'writ test server'; i++) await pause(50);
          expect(await subjectOf(urls[0]!)).toBe('writ test server');
        },
      );
    });
  });

  test.each(['certificate', 'key', 'authorities'])('an empty file of the %s ends the start', async (which) => {
    await withFiles({ empty: '' }, async (directory) => {
      const empty = join(directory, 'empty');
      const args = [...tlsFlags, '--tls-ca-cert-file', tlsFile('authority.pem')];
      args[{ certificate: 1, key: 3, authorities: 5 }[which]!] = empty;
      const problem = which === 'authorities' ? 'failed to parse CA cert' : `tls: failed to find any PEM data in ${which} input`;
      await expect(serving(args, nothing)).rejects.toThrow(problem);
    });
  });

  test.each([
    [['--tls-cert-file', tlsFile('server.pem')], '--tls-cert-file and --tls-private-key-file must be specified together'],
    [[...tlsFlags.slice(0, 3), tlsFile('client.key')], 'tls: private key does not match public key'],
    [[...tlsFlags, '--tls-ca-cert-file', '/nosuch'], 'read CA cert file: open /nosuch: no such file or directory'],
    [[...tlsFlags, '--tls-ca-cert-file', tlsFile('server.key')], 'failed to parse CA cert'],
    [[...tlsFlags, '--tls-cipher-suites', 'TLS_X'], 'invalid cipher suite TLS_X'],
    [['--addr', 'https://127.0.0.1:0'], 'https addresses need --tls-cert-file and --tls-private-key-file'],
  ])('%j: %s', async (flags, message) => {
    await expect(serving(flags, nothing)).rejects.toThrow(message);
  });
});

function overTls(url: string, client: RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    secureRequest(url, { ca: readFileSync(tlsFile('authority.pem')), agent: false, ...client }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    })
      .on('error', reject)
      .end();
  });
}

function subjectOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

describe.concurrent('bundles', () => {
  const files = { 'b/p.rego': 'package p\n\nx := 1\n', 'b/.manifest': '{"revision": "r", "roots": ["p"]}' };
  const key = ['--verification-key', 'secret', '--signing-alg', 'HS256'];

  /** Answers a decision of the bundle, or why there is none. */
  async function outcome(directory: string, flags: readonly string[]): Promise<string> {
    const run = serving(['-b', ...flags, join(directory, 'b')], async ({ ask }) => (await ask('/v1/data/p/x')).text);
    return (await run.catch((error: Error) => error.message)).replaceAll(directory, '').trim();
  }

  test('that are signed need their key, and must be what was signed', async () => {
    await withFiles(files, async (directory) => {
      const at = (name: string) => join(directory, 'b', name);
      expect(await outcome(directory, key)).toBe('error: bundle /b: bundle missing .signatures.json file');
      const signing = ['-b', '--signing-key', 'secret', '--signing-alg', 'HS256', '-o', at(''), at('')];
      expect((await runCommand('sign', ...signing)).exit).toBe(0);
      expect(await outcome(directory, key)).toBe('{"result":1}');
      expect(await outcome(directory, [])).toBe('error: bundle /b: verification key not provided');
      expect(await outcome(directory, ['--skip-verify'])).toBe('{"result":1}');
      expect(await outcome(directory, [...key, '--verification-key', 'wrong'])).toContain('failed to verify JWT signature');
      expect(await outcome(directory, [...key, '--scope', 'write'])).toContain('scope mismatch');
      writeFileSync(at('data.json'), '{}');
      expect(await outcome(directory, key)).toContain('b/data.json not included in bundle signature');
      expect(await outcome(directory, [...key, '--exclude-files-verify', `${directory.slice(1)}/b/data.json`])).toBe('{"result":1}');
      rmSync(at('data.json'));
      rmSync(at('p.rego'));
      expect(await outcome(directory, key)).toMatch(
        /file\(s\) \[\S*b\/p\.rego\] specified in bundle signatures but not found in the target bundle$/,
      );
      writeFileSync(at('p.rego'), 'package p\n\nx := 2\n');
      expect(await outcome(directory, key)).toMatch(/digest mismatch \(want: \w+, got: \w+\)$/);
    });
  });

  test.each([
    [['--verification-key', 'secret', '.'], 'enable bundle mode (ie. --bundle) to verify bundle files or directories'],
    [['-b', '/nosuch'], '/nosuch'],
  ])('%j: %s', async (flags, message) => {
    await expect(serving(flags, nothing)).rejects.toThrow(message);
  });

  test('may not overlap', async () => {
    const more = { 'c/.manifest': '{"roots": ["p/q"]}', 'd/q.rego': 'package q\n' };
    await withFiles({ ...files, ...more }, async (directory) => {
      const at = (name: string) => join(directory, name);
      await expect(serving(['-b', at('b'), at('c')], nothing)).rejects.toThrow('(p overlaps p/q)');
      await expect(serving(['-b', at('b'), at('d')], nothing)).rejects.toThrow("specify empty root paths ('')");
    });
  });

  test('that are not ready in time keep the server from starting', async () => {
    const flags = ['--set', 'bundles.b.resource=file:///nosuch', '--ready-timeout', '1'];
    await expect(serving(flags, nothing)).rejects.toThrow('timed out while waiting for plugins to be ready');
    await serving(flags.slice(0, 2), async ({ ask }) => expect((await ask('/health?bundles')).status).toBe(500));
  });
});

test.concurrent('a policy that reads what requests do not have keeps the server from starting, unless it is not to be checked', async () => {
  const authz = 'package system.authz\n\ndefault allow := false\n\nallow if input.identty == "x"\n\nallow if input.path == ["health"]\n';
  await withFiles({ 'authz.rego': authz }, async (directory) => {
    const flags = ['--authorization=basic', directory];
    await expect(serving(flags, nothing)).rejects.toThrow('rego_type_error: undefined ref: input.identty');
    await serving(['--skip-known-schema-check', ...flags], async ({ ask }) => expect((await ask('/health')).status).toBe(200));
    await serving(flags.slice(1), async ({ ask }) => expect((await ask('/health')).status).toBe(200));
    const bundled = ['--authorization=basic', '--set', `bundles.b.resource=file://${directory}`, '--set', 'status.console=true'];
    await serving(bundled, async ({ ask, lines }) => {
      expect((await ask('/health')).status).toBe(500);
      expect(lines.join()).toContain('Bundle activation failed: 1 error occurred: ');
      expect(lines.join()).toContain('rego_type_error: undefined ref: input.identty');
    });
    await serving(['--skip-known-schema-check', ...bundled], async ({ ask }) => expect((await ask('/health')).status).toBe(200));
  });
});

test.concurrent('names that are to be ignored are, and policies of version 0 are read where that is asked for', async () => {
  await withFiles({ 'p.rego': 'package p\n\nallow { 1 == 1 }\n', 'q.rego': 'package q\n\nnot rego' }, async (directory) => {
    await serving(['--v0-compatible', '--ignore', 'q.*', directory], async ({ ask }) => {
      expect((await ask('/v1/data')).text).toBe('{"result":{"p":{"allow":true}}}\n');
    });
    await expect(serving(['--ignore', 'q.*', directory], nothing)).rejects.toThrow('rego_parse_error');
  });
});

test.concurrent('errors of a policy are no more than were asked for', async () => {
  await serving(['--max-errors', '2'], async ({ ask }) => {
    const rules = Array.from({ length: 9 }, (_, i) => `p${i} := x${i}\n`).join('\n');
    const { text } = await ask('/v1/policies/p', { method: 'PUT', body: `package p\n\n${rules}` });
    const errors = JSON.parse(text).errors as { code: string }[];
    expect(errors.map(({ code }) => code)).toEqual(['rego_unsafe_var_error', 'rego_unsafe_var_error', 'rego_compile_error']);
  });
});

test.concurrent('a plan with members that are not known is served, with a warning', async () => {
  const plan = compile({ policies: { 'p.rego': 'package p\n\nx := 1\n' }, entrypoints: ['p/x'] });
  await withFiles({ 'plan.json': JSON.stringify({ ...plan, note: 1 }) }, async (dir) => {
    await serving(['-b', join(dir, 'plan.json')], async ({ ask, lines }) => {
      expect(await ask('/v1/data/p/x')).toMatchObject({ status: 200, text: expect.stringContaining('"result":1') as string });
      const warnings = lines.map((line) => JSON.parse(line) as { level: string; msg: string }).filter(({ level }) => /^warn/.test(level));
      expect(warnings.map(({ msg }) => msg)).toEqual([
        expect.stringMatching(/members of the plan are not known and are ignored: "note" of Policy$/),
      ]);
    });
  });
});
