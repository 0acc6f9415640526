/** Vite's development server, with the modules of a server's side: the same as in a page. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createViteServer } from 'vitest/node';
import { withFiles } from '../../../test/harness/command.js';
import { vite } from './bundler.js';

const policy = (action: string) => `package authz\n\nallow if {\n\tinput.action == "${action}"\n\tdata.roles.known\n}\n`;
const roles = (known: boolean) => `package roles\n\nknown := data.known == ${known}\n`;
const files = {
  'app.js': `import { $EvaluationError, $policy, allow } from './authz.rego';
globalThis.evaluations = (globalThis.evaluations ?? 0) + 1;
export const decide = (action) => allow({ action });
export const setData = (data) => $policy.setData(data);
export const isFailing = (action) => {
  try {
    allow({ action });
    return false;
  } catch (error) {
    return error instanceof $EvaluationError;
  }
};
`,
  'authz.rego': policy('read'),
  'lib/roles.rego': roles(true),
  'data.json': '{"known": true}',
};

interface App {
  decide(action: string): boolean | undefined;
  setData(data: object): void;
  /** Whether a decision throws an error of the class that the policy exports. */
  isFailing(action: string): boolean;
}

/** How often the importer was evaluated. */
const evaluations = () => (globalThis as { readonly evaluations?: number }).evaluations!;

type Put = (path: string, text: string | undefined) => Promise<void>;

async function served(use: (app: App, put: Put) => Promise<void>, written = files): Promise<void> {
  await withFiles(written, async (directory) => {
    const server = await createViteServer({
      configFile: false,
      root: directory,
      logLevel: 'silent',
      appType: 'custom',
      server: { middlewareMode: true, ws: false },
      plugins: [vite({ data: 'data.json' })],
    });
    try {
      const { runner } = server.environments.ssr as unknown as { readonly runner: { import(path: string): Promise<App> } };
      const put = async (path: string, text: string | undefined) => {
        const sent = Promise.withResolvers<void>();
        const { hot } = server.environments.ssr;
        const send = hot.send.bind(hot);
        hot.send = ((payload: Parameters<typeof send>[0]) => {
          send(payload);
          sent.resolve();
        }) as typeof send;
        if (text === undefined) rmSync(join(directory, path));
        else writeFileSync(join(directory, path), text);
        await sent.promise;
        hot.send = send;
      };
      await use(await runner.import('/app.js'), put);
    } finally {
      await server.close();
    }
  });
}

/** The update is sent before the module is loaded again. */
async function eventually(actual: () => unknown, expected: unknown): Promise<void> {
  await expect.poll(actual, { timeout: 10_000, interval: 10 }).toEqual(expected);
}

test('modules that imported a policy decide by its newest text, data and neighbours', async () => {
  await served(async (app, put) => {
    const before = evaluations();
    const both = () => ['read', 'write'].map((action) => app.decide(action));
    expect(both()).toEqual([true, undefined]);
    await put('authz.rego', policy('write'));
    await eventually(both, [undefined, true]);
    await put('lib/roles.rego', roles(false));
    await eventually(both, [undefined, undefined]);
    await put('data.json', '{"known": false}');
    await eventually(both, [undefined, true]);
    await put('more.rego', 'package authz\n\nallow if input.action == "read"\n');
    await eventually(both, [true, true]);
    await put('more.rego', undefined);
    await eventually(both, [undefined, true]);
    expect(evaluations()).toBe(before);
  });
});

test('a policy with an error is replaced once it has none', async () => {
  await served(async (app, put) => {
    await put('authz.rego', 'package authz\n\nallow if {');
    expect(app.decide('read')).toBe(true);
    await put('authz.rego', policy('write'));
    await eventually(() => [app.decide('read'), app.decide('write')], [undefined, true]);
  });
});

test('an error on a server has its place and its excerpt once: no overlay shows them', async () => {
  const broken = { ...files, 'authz.rego': 'package authz\n\nallow if {\n\tinptu.x == 1\n}\n\ndeny if foo.x\n' };
  const imported = served(() => Promise.reject(new Error('it was imported')), broken);
  const error = (await imported.catch((thrown: unknown) => thrown)) as Error & { readonly frame?: string };
  const shown = `${error.message}\n${error.frame ?? ''}`;
  expect(shown).toMatch(/^authz\.rego:4:2: rego_unsafe_var_error: var inptu is unsafe\n/);
  expect(shown).toContain('authz.rego:7:9: rego_unsafe_var_error: var foo is unsafe');
  expect(shown.match(/^.*inptu\.x == 1|^.*deny if foo/gm)).toEqual(['4 |     inptu.x == 1', '7 | deny if foo']);
});

test('documents that the program has set stay', async () => {
  await served(async (app, put) => {
    app.setData({ known: 'mine' });
    await put('lib/roles.rego', 'package roles\n\nknown := data.known == "mine"\n');
    await eventually(() => app.decide('read'), true);
  });
});

test('importers are loaded again where the rules are others', async () => {
  await served(async (app, put) => {
    const before = evaluations();
    await put('authz.rego', `${policy('read')}\nother := 1\n`);
    await eventually(evaluations, before + 1);
    expect(app.decide('read')).toBe(true);
  });
});

test('errors are of the class that was imported, also after a replacement', async () => {
  const rule = (value: number) => `allow := ${value} if input.action == "read"\n`;
  await served(async (app, put) => {
    await put('authz.rego', `package authz\n\n${rule(1)}\n${rule(2)}`);
    await eventually(() => app.isFailing('read'), true);
  });
});
