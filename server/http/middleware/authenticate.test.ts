import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';
import { listen } from '../sockets/listen.js';
import { subjectText } from './authenticate.js';

const pem = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8');

test("a certificate's subject is written as Go writes it", () => {
  const attribute = (id: number, value: string) => ({ type: [2, 5, 4, id], value });
  const other = { type: [1, 2, 840], value: 'left out' };
  const subject = [attribute(6, 'DE'), attribute(10, 'Acme, Inc.'), attribute(11, 'a'), other, attribute(11, 'b\n'), attribute(3, ' al')];
  expect(subjectText(subject)).toBe('CN=\\ al,OU=a+OU=b\n,O=Acme\\, Inc.,C=DE');
  expect(subjectText([attribute(3, 'one'), attribute(3, 'two')])).toBe('CN=two');
  expect(subjectText([])).toBe('');
});

const policy = `package system.authz

default allow := {"allowed": false, "reason": "who are you?"}

allow := {"allowed": false, "reason": json.marshal({
	"identity": input.identity,
	"names": [c.Subject.CommonName | some c in input.client_certificates],
	"issuers": [c.Issuer.CommonName | some c in input.client_certificates],
	"serials": [is_number(c.SerialNumber) | some c in input.client_certificates],
	"usual": [same | some c in input.client_certificates; same := equal(c, crypto.x509.parse_certificates(c.Raw)[0])],
})}
`;

/** The answer of a server to a client with or without a certificate. */
async function answer(client: object, ca = 'authority.pem'): Promise<unknown> {
  return (await answers(client, ca, 1))[0];
}

/** The same for some requests in turn. */
async function answers(client: object, ca: string, count: number): Promise<unknown[]> {
  const { app } = await testServer({ policies: { 'authz.rego': policy }, authorization: 'basic', authentication: 'tls' });
  const listener = await listen(app, '127.0.0.1:0', {
    tls: {
      cert: pem('server.pem'),
      key: pem('server.key'),
      ca: pem(ca),
      requireClientCertificate: true,
      minVersion: 'TLSv1.2',
    },
  });
  try {
    const all: unknown[] = [];
    while (all.length < count) all.push(await ask(listener.url, client));
    return all;
  } finally {
    await listener.close(0);
  }
}

/** Without authorities of its own: from those OpenSSL would complete the chain that it sends. */
function ask(url: string, client: object): Promise<unknown> {
  return new Promise((resolve) => {
    const sent = request(`${url}/v1/data`, { rejectUnauthorized: false, agent: false, ...client }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(JSON.parse(JSON.parse(text).message)));
    });
    sent.on('error', () => resolve('refused')).end();
  });
}

test.each(['TLSv1.2', 'TLSv1.3'])(
  "with %s a policy sees the client's certificate as the built-ins read it, and its subject",
  async (version) => {
    const client = { cert: pem('client.pem'), key: pem('client.key'), minVersion: version, maxVersion: version };
    expect(await answer(client)).toEqual({
      identity: 'CN=writ test client',
      names: ['writ test client'],
      issuers: ['writ test authority'],
      serials: [true],
      usual: [true],
    });
  },
);

const chained = pem('chained.pem');
const intermediate = pem('intermediate.pem');

test.each<[string, string, readonly string[]]>([
  ['its own and one between', chained + intermediate, ['client with a chain', 'intermediate']],
  ['up to the root', chained + intermediate + pem('root.pem'), ['client with a chain', 'intermediate', 'root']],
  ['with one that does not belong there', chained + pem('server.pem') + intermediate, ['client with a chain', 'server', 'intermediate']],
])('a policy sees the chain as it was sent: %s', async (_title, cert, names) => {
  for (const version of ['TLSv1.2', 'TLSv1.3']) {
    const client = { cert, key: pem('chained.key'), minVersion: version, maxVersion: version };
    expect(await answer(client, 'root.pem')).toMatchObject({ names: names.map((name) => `writ test ${name}`) });
  }
});

test('the same on each connection of a client that would take its session up again', async () => {
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 10 });
  const client = { cert: chained + intermediate, key: pem('chained.key'), agent };
  const names = ['writ test client with a chain', 'writ test intermediate'];
  expect(await answers(client, 'root.pem', 3)).toMatchObject([{ names }, { names }, { names }]);
});

test('a client without a certificate, or with one of nobody, is refused', async () => {
  expect(await answer({})).toBe('refused');
  expect(await answer({ cert: pem('client.pem'), key: pem('server.key') }).catch(() => 'refused')).toBe('refused');
});
