import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../test/harness/command.js';
import { Engine, formatDiagnostics, readBundle } from '../index.js';

const folder = mkdtempSync(join(tmpdir(), 'writ-diagnostics-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rejected = (text: string): Promise<unknown> =>
  Engine.open({ policies: { 'a.rego': text } }).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

test('errors of policies are shown as at a terminal', async () => {
  const error = await rejected('package a\n\nallow if inptu.x\n');
  expect(formatDiagnostics(error).split('\n')).toEqual([
    'a.rego:3:10: rego_unsafe_var_error: var inptu is unsafe',
    '3 | allow if inptu.x',
    '  |          ^^^^^',
    'hint: did you mean `input`?',
  ]);
  expect(formatDiagnostics(error, { color: true })).toContain('\u001b[31m^^^^^\u001b[39m');
  expect(formatDiagnostics(new Error('loading', { cause: error }))).toBe(formatDiagnostics(error));
});

test('a syntax error has its line, too', async () => {
  expect(formatDiagnostics(await rejected('package a\n\nallow if }\n'))).toContain('3 | allow if }\n  |          ^');
});

test.each([
  [new TypeError('no'), 'no'],
  ['text', 'text'],
  [undefined, 'undefined'],
])('of anything else the message is shown', (error, text) => expect(formatDiagnostics(error)).toBe(text));

test('an error prints nothing of the compiler', async () => {
  expect(Object.keys((await rejected('package a\n\nallow if inptu.x\n')) as object)).toEqual(['name']);
});

describe('the stack of an error leads to the caller', () => {
  const stackOf = async (failing: () => unknown): Promise<string> => {
    try {
      await failing();
    } catch (error) {
      return (error as Error).stack!;
    }
    return '';
  };
  const policies = { 'a.rego': 'package a\n\nx := 1 if input.a\n\nx := 2 if input.b\n' };

  test.each<readonly [string, (engine: Engine) => unknown]>([
    [
      'decide',
      function callerOfDecide(engine) {
        return engine.decide('a/x', { a: 1, b: 1 });
      },
    ],
    [
      'decide with options',
      function callerOfDecide(engine) {
        return engine.decide('a/x', { a: 1, b: 1 }, { timeMs: 100 });
      },
    ],
    [
      'decide with a wrong input',
      function callerOfDecide(engine) {
        return engine.decide('a/x', new Map());
      },
    ],
    [
      'decideAsync',
      async function callerOfDecide(engine) {
        return await engine.decideAsync('a/x', { a: 1, b: 1 });
      },
    ],
    [
      'setPolicy',
      async function callerOfDecide(engine) {
        await engine.setPolicy('b.rego', 'package');
      },
    ],
    [
      'open',
      async function callerOfDecide() {
        await Engine.open({ policies: { 'a.rego': 'package' } });
      },
    ],
  ])('%s', async (_title, failing) => {
    const engine = await Engine.open({ policies });
    expect(await stackOf(() => failing(engine))).toMatch(/callerOfDecide/);
  });
});

describe('sources', () => {
  const policy = 'package authz\n\nallow if input.user in data.admins\n';
  const file = (name: string, text: string | Uint8Array): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  test.each([
    ['a.json', '{"admins": ["ann"]}'],
    ['b.yaml', 'admins: [ann]\n'],
    ['c.yml', 'admins:\n- ann\n'],
    ['d.json', '{"admins": ["ann"], "plans": 1}'],
  ])('may be a file of documents: %s', async (name, text) => {
    const engine = await Engine.open([{ policies: { 'a.rego': policy } }, file(name, text)]);
    expect(engine.decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
  });

  test.each([
    ['e.json', '[1]', /e\.json: documents are an object/],
    ['f.json', '{', /f\.json/],
    ['g.yaml', 'a: [', /g\.yaml/],
  ])('%s is refused with its name', async (name, text, message) => {
    await expect(Engine.open(file(name, text))).rejects.toThrow(message);
  });

  test('may be the bytes of a bundle, and the address of one', async () => {
    const place = file('served.rego', policy);
    const documents = file('data.json', '{"admins": ["ann"]}');
    await runCommand('build', '-o', join(folder, 'b.tar.gz'), place, documents);
    const bytes = new Uint8Array(readFileSync(join(folder, 'b.tar.gz')));
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/b.tar.gz' ? 200 : 404).end(bytes);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      for (const source of [bytes, new URL(`http://127.0.0.1:${port}/b.tar.gz`), `http://127.0.0.1:${port}/b.tar.gz`]) {
        expect((await Engine.open(source)).decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
      }
      await expect(Engine.open(`http://127.0.0.1:${port}/none.tar.gz`)).rejects.toMatchObject({ name: 'BundleError', code: 'not_found' });
      const verification = { keys: { default: { key: 'secret', algorithm: 'HS256' } } };
      await expect(readBundle(bytes, { verification })).rejects.toMatchObject({ code: 'signature' });
      await expect(readBundle(`http://127.0.0.1:${port}/b.tar.gz`, { verification })).rejects.toMatchObject({ code: 'signature' });
    } finally {
      server.close();
    }
  });

  test('may leave out files by name', async () => {
    file('h.rego', policy);
    file('h_test.rego', 'package authz_test\n\ntest_x := true\n');
    const rules = async (ignore?: readonly string[]) =>
      (await Engine.open(folder, { ignore: [...(ignore ?? []), '*.json', '*.y*ml'] })).rules();
    expect(await rules()).toEqual(['authz/allow', 'authz_test/test_x']);
    expect(await rules(['*_test.rego'])).toEqual(['authz/allow']);
  });

  test('an unknown option is told with those of callers', async () => {
    await expect(Engine.open({}, { isFast: true } as never)).rejects.toThrow(
      /^there is no option isFast; options are (?!.*platform).*strict/,
    );
  });
});

describe('an instance of a class as input', () => {
  class User {
    readonly name = 'ann';
  }
  class Money {
    toJSON() {
      return 1;
    }
  }
  test.each([
    [new User(), 'input.user is a User: give a plain object, such as { ...it }, or one with the members that policies read'],
    [new Money(), 'input.user is a Money: give what its toJSON() returns'],
    [new Date(0), 'input.user is a Date: give its toISOString()'],
  ])('is refused with advice: %s', async (user, message) => {
    const engine = await Engine.open({ policies: { 'a.rego': 'package a\n\nallow := true\n' } });
    expect(() => engine.decide('a/allow', { user })).toThrow(expect.objectContaining({ code: 'invalid_input', message }));
  });
});
