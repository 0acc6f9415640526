import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Engine, type Source } from '../library/index.js';
import { runAtTerminal, withFiles } from './harness/command.js';
import { testServer } from './harness/server/app.js';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  readonly status: number;
  readonly says: string;
}

/** A call of the library: `Engine.open`, or `decide` of an engine with `authz.rego`. */
interface Call {
  readonly open?: Source;
  readonly decide?: Parameters<Engine['decide']>;
  readonly code: string;
  readonly says: string;
}

interface WrongUsages {
  readonly calls: readonly Call[];
  readonly requests: readonly Request[];
  readonly files: Readonly<Record<string, string>>;
  readonly commands: readonly { readonly run: string; readonly exit: number; readonly says: string }[];
}

const { files, commands, requests, calls } = JSON.parse(readFileSync('fixtures/wrong-usages.json', 'utf8')) as WrongUsages;

/** A word that names a file of the table, or one that is not there. */
const isFile = (word: string) =>
  Object.keys(files).some((name) => name === word || name.startsWith(`${word}/`)) || /^(?:none|out)\b|^autz|^k\.pem$|^\.$/.test(word);

test.each(commands)('writ $run: $says', ({ run, exit, says }) =>
  withFiles(files, async (directory) => {
    const words = run
      .split(' ')
      .map((word) => (isFile(word) ? `${directory}/${word}` : word.replace('unix://none', `unix://${directory}/none`)));
    const result = await runAtTerminal(...words);
    const text = `${result.stdout}${result.stderr}`.replaceAll(`${directory}/`, '').replaceAll('\\"', '"');
    expect(text).toContain(says);
    expect(result.exit).toBe(exit);
  }),
);

test.each(requests)('$method $path with $body: $says', async ({ method, path, body, status, says }) => {
  const server = await testServer({ policies: { 'authz.rego': files['authz.rego']! } });
  const answer = await server.ask(method, path, body ?? undefined);
  await server.close();
  expect(answer.text.replaceAll('\\"', '"')).toContain(says);
  expect(answer.status).toBe(status);
});

test.each(calls)('Engine.open($open) or decide(…$decide): $says', async ({ open, decide, code, says }) => {
  const engine = await Engine.open({ policies: { 'authz.rego': files['authz.rego']! } });
  const call = async () => (decide === undefined ? await Engine.open(open!) : engine.decide(...decide));
  await expect(call()).rejects.toMatchObject({ code, message: expect.stringContaining(says) });
});

test('new Engine(): await Engine.open', () => {
  // TypeScript refuses it.
  const call = () => Reflect.construct(Engine as never, [{ policies: {} }]) as unknown;
  expect(call).toThrow(expect.objectContaining({ code: 'invalid_source', message: expect.stringContaining('await Engine.open(') }));
});
