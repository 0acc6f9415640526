/** For tests: requests that try to stop a server, by kind. */
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { gzipSync } from 'node:zlib';

/** How a request ended: its status, or why the connection ended without one. */
export interface Outcome {
  readonly status: number | string;
  /** Milliseconds since the whole request was sent. */
  readonly ms: number;
}

export interface Attack {
  readonly name: string;
  /** Sends the request. Resolves when it is answered or cut off. */
  send(url: string): Promise<Outcome>;
}

/** Policies of every server of the test. `big` and the rules below it would end after years. */
export const policies: Readonly<Record<string, string>> = {
  'p.rego': 'package p\n\nallow if input.user == "ann"\n\necho := input\n\nx := 1 if input\n',
  'authz.rego': 'package system.authz\n\ndefault allow := false\n\nallow if input.method in ["GET", "POST", "PUT", "PATCH", "DELETE"]\n',
  'loops.rego': [
    'package loops',
    'r := numbers.range(1, 3000)',
    'endless := count([1 | some a in r; some b in r; some c in r; a + b + c == 0])',
    'allocating := count({[a, b, c] | some a in r; some b in r; some c in r})',
    'strings := count([s | some a in r; some b in r; s := sprintf("%d-%d-%s", [a, b, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"])])',
    'objects[k] := [a, b] if { some a in r; some b in r; k := sprintf("%d/%d", [a, b]) }',
    'every_pair if { every a in r { every b in r { every c in r { a + b + c > 0 } } } }',
    'doubled := concat("", [s | some a in r; s := concat("", [t | some b in r; t := "xxxxxxxxxxxxxxxx"])])',
    'answer := [n | some a in numbers.range(1, 3000000); n := a]',
    'matrix := [[a | some a in r] | some b in r]',
  ].join('\n\n'),
};

/** A text repeated until it has a number of bytes. */
function times(text: string, bytes: number): string {
  return text.repeat(Math.ceil(bytes / text.length));
}

const MB = 1024 * 1024;

function keysOf(bytes: number): string {
  const parts: string[] = [];
  for (let i = 0, length = 0; length < bytes; i++) length += parts[parts.push(`"key${i}":1`) - 1]!.length + 1;
  return `{${parts.join()}}`;
}

/** JSON documents of a number of bytes, by kind. */
const documents: Readonly<Record<string, (bytes: number) => string>> = {
  ones: (bytes) => `[${times('1,', bytes)}1]`,
  'empty objects': (bytes) => `[${times('{},', bytes)}1]`,
  'empty arrays': (bytes) => `[${times('[],', bytes)}1]`,
  decimals: (bytes) => `[${times('1.10,', bytes)}1]`,
  'long numbers': (bytes) => `[${times('12345678901234567890,', bytes)}1]`,
  'one long number': (bytes) => times('7', bytes),
  'distinct keys': keysOf,
  'objects of distinct keys': (bytes) =>
    `[${keysOf(bytes)
      .slice(1, -1)
      .replaceAll(/"key\d+":1/g, '{$&}')}]`,
  'equal keys': (bytes) => `{${times('"a":1,', bytes)}"a":1}`,
  nested: (bytes) => `[${times(`${'['.repeat(5000)}${']'.repeat(5000)},`, bytes)}1]`,
  'too deep': (bytes) => times('[', bytes),
  'long string': (bytes) => `"${times('a', bytes)}"`,
  escapes: (bytes) => `"${times('\\u0041\\n', bytes)}"`,
  surrogates: (bytes) => `[${times('"\\ud800",', bytes)}1]`,
  'short strings': (bytes) => `[${times('"ab",', bytes)}1]`,
  spaces: (bytes) => `${times(' ', bytes)}1`,
  'cut off': (bytes) => `[${times('"ab",', bytes)}`,
  'wrong at the end': (bytes) => `[${times('1,', bytes)}x]`,
};

const zeros = Buffer.alloc(MB);

let manyZeros: Buffer | undefined;

/** A gzip of 600 MB of zeros, compressed once for all attacks that send it. */
function zippedZeros(): Buffer {
  return (manyZeros ??= gzipSync(Buffer.alloc(600 * MB), { level: 9 }));
}

function post(name: string, path: string, body: () => Uint8Array | string, headers: OutgoingHttpHeaders = {}, method = 'POST'): Attack {
  let made: Uint8Array | string | undefined;
  return { name, send: (url) => exchange(url, method, path, headers, (made ??= body())) };
}

function bodies(): readonly Attack[] {
  const attacks: Attack[] = [];
  for (const [kind, document] of Object.entries(documents)) {
    attacks.push(post(`20 MB of ${kind}`, '/v1/data/p/x', () => `{"input":${document(20 * MB)}}`));
    const unpacked = kind.includes('keys') ? 40 * MB : 120 * MB;
    const zip = () => gzipSync(`{"input":${document(unpacked)}}`, { level: 1 });
    attacks.push(post(`gzip of ${kind}`, '/v1/data/p/x', zip, { 'content-encoding': 'gzip' }));
  }
  const written = ['ones', 'empty objects', 'decimals', 'distinct keys', 'nested'] as const;
  for (const kind of written) attacks.push(post(`document of ${kind}`, `/v1/data/attack`, () => documents[kind]!(20 * MB), {}, 'PUT'));
  for (const kind of ['ones', 'empty objects', 'distinct keys'] as const)
    attacks.push(post(`webhook of ${kind}`, '/v0/data/p/x', () => documents[kind]!(20 * MB)));
  return [
    ...attacks,
    post('20 MB of YAML', '/v1/data/p/x', () => `input:\n${times('- {a: 1, b: [c]}\n', 20 * MB)}`, { 'content-type': 'application/yaml' }),
    post('60 MB of empty arrays', '/v1/data/p/x', () => `{"input":${documents['empty arrays']!(60 * MB)}}`),
    post('30 MB of decimals', '/v1/data/p/x', () => `{"input":${documents.decimals!(30 * MB)}}`),
    post('280 MB of ones in gzip', '/v1/data/x', () => gzipSync(`{"input":${documents.ones!(280 * MB)}}`, { level: 6 }), {
      'content-encoding': 'gzip',
    }),
    post('600 MB of zeros in gzip', '/v1/data/x', () => zippedZeros(), { 'content-encoding': 'gzip' }),
    post('gzip of gzip', '/v1/data/x', () => gzipSync(zippedZeros()), { 'content-encoding': 'gzip, gzip' }),
    post('many parts of gzip', '/v1/data/x', () => Buffer.concat(Array<Buffer>(50_000).fill(gzipSync('1'))), {
      'content-encoding': 'gzip',
    }),
    post('a deep document', '/v1/data/attack', () => `${'['.repeat(9000)}${']'.repeat(9000)}`, {}, 'PUT'),
    post('a patch of deep paths', '/v1/data', () => `[{"op":"add","path":"${times('/a', 4 * MB)}","value":1}]`, {}, 'PATCH'),
    post(
      'a patch that grows a document',
      '/v1/data/attack',
      () => `[${Array.from({ length: 50_000 }, (_, i) => `{"op":"add","path":"/k${i}","value":{"a":[${i}]}}`).join()}]`,
      {},
      'PATCH',
    ),
    post('a batch of many inputs', '/v1/batch/data/p/x', () => `{"inputs":${keysOf(12 * MB)}}`),
    ...manyKeys(),
    post('a partial query', '/v1/compile', () => `{"query":"data.p.x == true","input":${documents.ones!(10 * MB)}}`),
    post('a patch of many operations', '/v1/data', () => `[${times('{"op":"add","path":"/attack","value":1},', 10 * MB)}{}]`, {}, 'PATCH'),
    post('a long input that is answered', '/v1/data/p/echo', () => `{"input":${documents.ones!(20 * MB)}}`),
    post('a long input of decimals that is answered', '/v1/data/p/echo?pretty', () => `{"input":${documents.decimals!(10 * MB)}}`),
    post('a long input of keys that is answered', '/v1/data/p/echo', () => `{"input":${keysOf(10 * MB)}}`),
  ];
}

/** An object of a number of members. */
function membersOf(count: number, first = ''): string {
  return `{${first}${Array.from({ length: count }, (_, i) => `"k${i}":1`).join()}}`;
}

/** Objects of many members where a server looks for a few names. */
function manyKeys(): readonly Attack[] {
  const million = 1_000_000;
  const row = (name: string, path: string, body: () => string, method = 'POST') => post(`keys: ${name}`, path, body, {}, method);
  return [
    row('a million beside the input', '/v1/data/p/allow', () => membersOf(million, '"input":{},')),
    row('millions without an input', '/v1/data/p/allow', () => membersOf(2.5 * million)),
    row('a million beside an input of another case', '/v1/data/p/allow', () => membersOf(million, '"INPUT":{},')),
    row('a million beside the query', '/v1/query', () => membersOf(million, '"query":"1 == 1",')),
    row('a million beside a partial query', '/v1/compile', () => membersOf(million, '"query":"1 == 1",')),
    row('a million beside a filter', '/v1/compile/p/allow', () => membersOf(million, '"input":{},')),
    row('a batch of a million', '/v1/batch/data/p/x', () => `{"inputs":${membersOf(million)}}`),
    row('a million beside a batch', '/v1/batch/data/p/x', () => membersOf(million, '"inputs":{"a":1},')),
    row(
      'a million in the common input of a batch',
      '/v1/batch/data/p/x',
      () => `{"inputs":{"a":{"x":1}},"common_input":${membersOf(million)}}`,
    ),
    row('a million of the webhook', '/', () => membersOf(million)),
    row(
      'a patch with a million in an operation',
      '/v1/data',
      () => `[${membersOf(million, '"op":"add","path":"/attack","value":1,')}]`,
      'PATCH',
    ),
    row('a transaction with a million beside it', '/v1/transactions', () => membersOf(million, '"operations":[],')),
  ];
}

function yaml(): readonly Attack[] {
  const type = { 'content-type': 'application/yaml' };
  const row = (name: string, body: () => string) => post(`YAML: ${name}`, '/v1/data/p/x', body, type);
  const bombs = Array.from({ length: 20 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join()}]`);
  return [
    row('a list', () => `input:\n${times('- 1\n', 10 * MB)}`),
    row('a map', () => `input:\n${Array.from({ length: 600_000 }, (_, i) => `  key${i}: 1\n`).join('')}`),
    row('aliases of aliases', () => `a0: &a0 [1,1,1,1,1,1,1,1,1]\n${bombs.join('\n')}\ninput: *a20\n`),
    row('deep', () => times('[', 2 * MB)),
    row('deep blocks', () => Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')),
    row('merged keys', () => `a: &a {x: 1}\ninput:\n  <<: [${times('*a,', MB)}*a]\n`),
    row('flow lists', () => `input: [${times('[],', 10 * MB)}1]`),
    row('one long text', () => `input: |\n${times('  aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n', 20 * MB)}`),
    row('anchors', () => `input:\n${Array.from({ length: 300_000 }, (_, i) => `- &a${i} 1\n`).join('')}`),
  ];
}

/** Texts of queries and of rules' values, of a number of bytes. */
const terms: Readonly<Record<string, (bytes: number) => string>> = {
  'a list': (bytes) => `x := [${times('1,', bytes)}1]`,
  'a list of calls': (bytes) => `x := [${times('abs(1),', bytes)}1]`,
  'a list of refs': (bytes) => `x := [${times('input.a.b,', bytes)}1]`,
  'a list of comprehensions': (bytes) => `x := [${times('[1|true],', bytes)}1]`,
  'a long ref': (bytes) => `x := input${times('.a', bytes)}`,
  'a long sum': (bytes) => `x := ${times('1+', bytes)}1`,
  objects: (bytes) => `x := [${times('{"a":1},', bytes)}1]`,
  brackets: (bytes) => `x := ${times('[', bytes)}`,
  'nested lists': (bytes) => `x := [${times(`${'['.repeat(150)}${']'.repeat(150)},`, bytes)}1]`,
  'a set of strings': (bytes) => `x := {${Array.from({ length: bytes / 10 }, (_, i) => `"k${i}"`).join()}}`,
  'a template': (bytes) => `x := $"${times('{input.a}', bytes)}"`,
};

function sources(): readonly Attack[] {
  const query = (name: string, text: () => string) =>
    post(`query: ${name}`, '/v1/query', () => JSON.stringify({ query: text() }), { 'content-type': 'application/json' });
  const module = (name: string, text: () => string) =>
    post(`policy: ${name}`, '/v1/policies/attack', () => `package attacking\n\n${text()}\n`, { 'content-type': 'text/plain' }, 'PUT');
  const rules = (count: number, rule: (i: number) => string) => () => Array.from({ length: count }, (_, i) => rule(i)).join('\n');
  return [
    ...Object.entries(terms).map(([kind, text]) => query(kind, () => text(310_000))),
    ...Object.entries(terms).map(([kind, text]) => module(kind, () => text(310_000))),
    query('expressions', () => `${times('1==1;', 310_000)}1`),
    query(
      'assignments',
      rules(25_000, (i) => `x${i} := ${i}`),
    ),
    query(
      'a chain of variables',
      () =>
        `${rules(10_000, (i) => `x${i + 1} = x${i}`)()
          .split('\n')
          .reverse()
          .join('\n')}\nx0 = 1`,
    ),
    query('many declared', () => `some ${rules(30_000, (i) => `x${i}`)().replaceAll('\n', ',')}; x0 = 1`),
    query('not', () => `${times('not false;', 310_000)}1`),
    query(
      'an endless one',
      () => 'some a in numbers.range(1, 3000); some b in numbers.range(1, 3000); some c in numbers.range(1, 3000); a + b + c == 0',
    ),
    module(
      'many rules',
      rules(20_000, (i) => `r${i} := ${i}`),
    ),
    module(
      'a million rules',
      rules(1_000_000, (i) => `r${i} := ${i}`),
    ),
    {
      name: 'policy: one that is shown',
      send: async (url) => {
        const text = `package attacking\n\n${rules(2000, (i) => `r${i} if { input.a.b.c == ${i}; input.x[_] == "a" }`)()}\n`;
        await exchange(url, 'PUT', '/v1/policies/attack', { 'content-type': 'text/plain' }, text);
        return await exchange(url, 'GET', '/v1/policies?pretty', {}, '');
      },
    },
    module(
      'many conflicting rules',
      rules(20_000, (i) => `r := ${i}`),
    ),
    module(
      'many comments',
      rules(100_000, (i) => `# ${i}`),
    ),
    module(
      'many errors',
      rules(20_000, (i) => `r${i} := undeclared${i}`),
    ),
    module('one long body', () => `r if {\n${rules(20_000, (i) => `x${i} := ${i}`)()}\n}`),
    module('blocks of metadata', () => rules(20_000, (i) => `# METADATA\n# title: ${i}\nr${i} := 1\n`)()),
    module(
      'many functions',
      rules(10_000, (i) => `f(${i}) := ${i}`),
    ),
    module(
      'rules that read each other',
      rules(10_000, (i) => `r${i} := r${(i + 1) % 10_000}`),
    ),
    module('elses', () => `r := 1 if { false } ${times('else := 2 if { false } ', 310_000)}`),
    module('modifiers', () => `r if { input.x ${times('with input.x as 1 ', 310_000)}}`),
    module('every', () => `r if {\n${times('every x in [1] { x }\n', 310_000)}}`),
    query('modifiers', () => `input.x ${times('with input.x as 1 ', 310_000)}`),
    module('a long string', () => `x := "${times('a', 45 * MB)}"`),
    module('a string that is not closed', () => `x := "${times('a', 20 * MB)}`),
    module('a raw string that is not closed', () => `x := \`${times('a', 20 * MB)}`),
    module('a long name', () => `x := ${times('a', 10 * MB)}`),
    module('a rule with a long path', () => `x${times('.a', 10_000)} := 1`),
    module('doubled constants', () => `x0 := [1,1]\n\n${rules(60, (i) => `x${i + 1} := [x${i}, x${i}]`)()}`),
  ];
}

function evaluations(): readonly Attack[] {
  const rule = (name: string) => post(`rule: ${name}`, `/v1/data/loops/${name}`, () => '{"input":{}}');
  const called = (name: string, call: string, input: () => string) =>
    post(`operand: ${name}`, '/v1/query', () => `{"query":${JSON.stringify(`x := ${call}`)},"input":${input()}}`);
  const text = () => `"${times('a', 8 * MB)}"`;
  const list = () => documents.ones!(4 * MB);
  return [
    ...['endless', 'allocating', 'strings', 'objects', 'every_pair', 'doubled', 'answer', 'matrix'].map(rule),
    called('base64', 'base64.encode(input)', text),
    called('upper', 'upper(input)', text),
    called('split', 'split(input, "")', text),
    called('replace', 'replace(input, "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")', text),
    called('regex', 'regex.find_n("a", input, -1)', text),
    called('sum', 'sum(input)', list),
    called('sort', 'sort(input)', list),
    called('a product of long numbers', 'input * input * input * input', () => times('7', 100_000)),
    called('json.marshal', 'json.marshal(input)', list),
    called('json.unmarshal', 'json.unmarshal(concat("", ["[", input, "1]"]))', () => `"${times('1.10,', 8 * MB)}"`),
    called('yaml.unmarshal', 'yaml.unmarshal(input)', () => `"${times('- 1\\n', 4 * MB)}"`),
    called('a pattern', 'regex.match(input, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab")', () => `"${'(a*)*'.repeat(2000)}c"`),
    called('a pattern that is long', 'regex.match(input, "a")', () => `"${times('(a|b)?', 2 * MB)}"`),
    called('a pattern that counts', 'regex.match(input, "a")', () => `"${'((a{1,30}){1,30}){1,30}'}"`),
    called('a glob', 'glob.match(input, [], "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab")', () => `"${'{a*,'.repeat(500)}b${'}'.repeat(500)}"`),
    called(
      'a glob of stars',
      'glob.match(input, ["."], concat("", [s | some i in numbers.range(1, 50000); s := "a"]))',
      () => `"${'*a'.repeat(5000)}b"`,
    ),
    called('a power', 'json.unmarshal(input) * json.unmarshal(input)', () => '"1e100000000"'),
    called('a sum of powers', 'input + 1', () => '1e999999999'),
    called('rounding', 'round(input)', () => '1e99999999'),
    called('a format', 'sprintf(input, [1])', () => '"%999999999d"'),
    called(
      'graph',
      'graph.reachable(input, {"k0"})',
      () => `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":["k${i + 1}"]`).join()}}`,
    ),
    called('walk', 'count([1 | walk(input)])', () => documents.nested!(4 * MB)),
    called('semver', 'semver.compare(input, "1.0.0")', () => `"1.0.0-${times('1.', 2 * MB)}1"`),
    called('net', 'net.cidr_expand(input)', () => '"::/1"'),
    called('union', 'union({x | some i in input; x := {i}})', list),
    called(
      'json.patch',
      'json.patch({}, input)',
      () => `[${times('{"op":"add","path":"/a","value":1},', 4 * MB)}{"op":"add","path":"/a","value":1}]`,
    ),
    called('a list as long as asked for', 'numbers.range(1, 100000000)', () => '1'),
  ];
}

function connections(): readonly Attack[] {
  const headers = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`x-${i}`, 'a'.repeat(80)]));
  return [
    post('many headers', '/v1/data/p/x', () => '{}', headers),
    post('too many headers', '/v1/data/p/x', () => '{}', {
      ...headers,
      ...Object.fromEntries(Object.keys(headers).map((name) => [`y${name}`, '1'])),
    }),
    { name: 'tiny chunks', send: (url) => exchange(url, 'POST', '/v1/data/p/x', {}, crumbs()) },
    {
      name: 'many connections',
      send: (url) => allOf(Array.from({ length: 500 }, () => exchange(url, 'POST', '/v1/data/p/x', {}, '{"input":{}}'))),
    },
    {
      name: 'many slow bodies',
      send: (url) =>
        allOf(Array.from({ length: 200 }, () => exchange(url, 'POST', '/v1/data/p/x', { 'content-length': '1000000' }, slow()))),
    },
    { name: 'many parameters', send: (url) => exchange(url, 'GET', `/v1/data/p/x?${times('a=1&', 900_000)}`, {}, '') },
    { name: 'a path of escapes', send: (url) => exchange(url, 'GET', `/v1/data/${times('%2F', 900_000)}`, {}, '') },
    {
      name: 'a query parameter',
      send: (url) => exchange(url, 'GET', `/v1/query?q=${encodeURIComponent(terms['a list']!(300_000))}`, {}, ''),
    },
    { name: 'chunks without end', send: (url) => exchange(url, 'POST', '/v1/data/p/x', {}, endless()) },
    { name: 'a slow body', send: (url) => exchange(url, 'POST', '/v1/data/p/x', { 'content-length': '1000000' }, slow()) },
    { name: 'a length that is a lie', send: (url) => exchange(url, 'POST', '/v1/data/p/x', { 'content-length': '250000000' }, slow()) },
    post('a length beyond all', '/v1/data/p/x', () => '{}', { 'content-length': '99999999999' }),
    { name: 'a long parameter', send: (url) => exchange(url, 'GET', `/v1/data/p/x?input=${`[${times('1,', 900_000)}1]`}`, {}, '') },
    { name: 'a long path', send: (url) => exchange(url, 'GET', `/v1/data/${times('a/', 900_000)}`, {}, '') },
  ];
}

async function* endless(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"input":"');
  for (;;) yield zeros.fill(97);
}

/** A body in chunks of one byte. */
async function* crumbs(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"input":"');
  const one = Buffer.from('a');
  for (let i = 0; i < 100_000; i++) yield one;
  yield Buffer.from('"}');
}

/** Several requests as one attack, which ends with the last. */
async function allOf(outcomes: readonly Promise<Outcome>[]): Promise<Outcome> {
  const all = await Promise.all(outcomes);
  return { status: [...new Set(all.map(({ status }) => status))].join(' '), ms: Math.max(...all.map(({ ms }) => ms)) };
}

async function* slow(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"input":"');
  for (let i = 0; i < 10; i++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    yield Buffer.from('a');
  }
  throw new Error('the client has gone');
}

/** A request of its own connection. */
function exchange(
  url: string,
  method: string,
  path: string,
  headers: OutgoingHttpHeaders,
  body: Uint8Array | string | AsyncIterable<Uint8Array>,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let sent: number | undefined;
    const end = (status: number | string) => resolve({ status, ms: sent === undefined ? 0 : performance.now() - sent });
    const outgoing = request(url + path, { method, headers, agent: false }, (response: IncomingMessage) => {
      response.resume();
      response.on('end', () => end(response.statusCode!));
      response.on('error', () => end(response.statusCode!));
      // An answer ends an attack, even before all of it was sent.
      response.on('end', () => outgoing.destroy());
    });
    outgoing.on('finish', () => {
      sent = performance.now();
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    if (typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body);
    else void sendParts(outgoing, body);
  });
}

async function sendParts(outgoing: ReturnType<typeof request>, parts: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const part of parts) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(part)) await roomIn(outgoing);
    }
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error as Error);
  }
}

/** Resolves when a request takes more, or is closed. */
function roomIn(outgoing: ReturnType<typeof request>): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      outgoing.off('drain', end).off('close', end);
      resolve();
    };
    outgoing.on('drain', end).on('close', end);
  });
}

/** One attack of each kind. Bodies are made on first use and kept. */
export function attacks(): readonly Attack[] {
  return [...bodies(), ...yaml(), ...sources(), ...evaluations(), ...connections()];
}
