import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type ServedUi, withServedUi } from '../../../test/harness/server/served-ui.js';
import { parseArguments } from '../../args.js';
import type { Io } from '../../io.js';
import type { PageData } from '../../web/data/page-data.js';
import type { DecisionDetail, DocumentView, ServerView } from '../../web/server/server-view.js';
import { serverFlags } from '../server-flags.js';
import { startServer } from '../start-server.js';

const files = {
  'authz.rego': `package authz

default allow := false

allow if input.user in data.admins

secret := input.password
`,
  'mask.rego': 'package system.log\n\nmask contains "/input/password"\n',
  'data.json': JSON.stringify({ admins: ['ann'], levels: { a: 1, b: [1, 2], c: 'x'.repeat(300), d: {}, e: null } }),
};
const authz = {
  'auth.rego': `package system.authz

default allow := false

allow if input.identity == "key"

allow if {
	input.identity == "decide"
	input.path[1] == "data"
}
`,
};

describe('the routes of the page', () => {
  test('tell what is loaded, how the server does, and what it decided', async () => {
    await withServedUi(files, [], async ({ decide, json }) => {
      await decide('authz/allow', { user: 'bob' });
      const { decision_id: id } = await decide('authz/allow', { user: 'ann' });
      await untilKept(json, 2);
      const view = await json<ServerView>('/ui/state');
      expect(view.policies.map(({ package: name, rules }) => [name, rules])).toContainEqual(['data.authz', 3]);
      expect(view.health).toMatchObject({ isReady: true });
      expect(view.metrics.requests).toBeGreaterThanOrEqual(2);
      expect(view.metrics.residentBytes).toBeGreaterThan(0);
      expect(view.decisions.map(({ question, outcome, text }) => [question, outcome, text])).toEqual([
        ['authz/allow', 'value', 'true'],
        ['authz/allow', 'value', 'false'],
      ]);
      expect(view.decisions[0]).toMatchObject({ id, by: expect.stringContaining('127.0.0.1:'), milliseconds: expect.any(Number) });
    });
  });

  test('explain a decision and show its plan', async () => {
    await withServedUi(files, [], async ({ decide, json, ask }) => {
      const { decision_id: id } = await decide('authz/allow', { user: 'bob' });
      await untilKept(json, 1);
      const detail = await json<DecisionDetail>(`/ui/decisions/${id}`);
      expect(JSON.parse(detail.event)).toMatchObject({ path: 'authz/allow', input: { user: 'bob' }, result: false });
      expect(detail.why).toContain('input.user in data.admins');
      expect(detail.note).toBe(undefined);
      const inspected = await json<PageData>(`/ui/plan/data?decision=${id}`);
      expect(inspected).toMatchObject({ title: 'authz/allow', documents: { input: '{\n  "user": "bob"\n}' } });
      expect(inspected.plan.policy.plans?.plans?.map(({ name }) => name)).toEqual(['authz/allow']);
      expect(await json<PageData>('/ui/plan/data?path=authz')).toMatchObject({ title: 'authz', documents: { input: '' } });
      expect((await ask('/ui/plan/data?decision=none')).status).toBe(404);
      expect((await ask('/ui/decisions/none')).status).toBe(404);
    });
  });

  test('say so where the answer would be another now', async () => {
    await withServedUi(files, [], async ({ api, decide, json }) => {
      const { decision_id: id } = await decide('authz/allow', { user: 'bob' });
      await untilKept(json, 1);
      await fetch(`${api}/v1/data/admins`, { method: 'PUT', body: '["bob"]' });
      const detail = await json<DecisionDetail>(`/ui/decisions/${id}`);
      expect(detail.note).toContain('have changed since');
      expect(detail.why).toContain('data.authz.allow is true');
    });
  });

  test('show no value that the mask decision hides, though decisions are explained with it', async () => {
    await withServedUi(files, [], async ({ decide, ask, json }) => {
      const { decision_id: id, result } = await decide('authz/secret', { user: 'ann', password: 'hunter2' });
      expect(result).toBe('hunter2');
      const { decision_id: allowed } = await decide('authz/allow', { user: 'bob', password: 'hunter2' });
      await untilKept(json, 2);
      for (const each of [id, allowed]) {
        const text = await (await ask(`/ui/decisions/${each}`)).text();
        // The result of `secret` is not masked.
        const detail = JSON.parse(text) as DecisionDetail;
        expect(detail.event).toContain('"/input/password"');
        expect(JSON.parse(detail.event).input).toEqual({ user: each === id ? 'ann' : 'bob' });
        expect(detail.why).toBeDefined();
        if (each === allowed) expect(text).not.toContain('hunter2');
      }
    });
  });

  test('show base documents a level at a time', async () => {
    await withServedUi(files, [], async ({ json, ask }) => {
      const root = await json<DocumentView>('/ui/data');
      expect(root.members).toContainEqual({ key: 'admins', size: 1, text: '[…]' });
      const { members, omitted } = await json<DocumentView>('/ui/data?path=["levels"]');
      expect(members.map(({ key, size, text }) => [key, size, text])).toEqual([
        ['a', undefined, '1'],
        ['b', 2, '[…]'],
        ['c', undefined, `"${'x'.repeat(200)}"…`],
        ['d', 0, '{}'],
        ['e', undefined, 'null'],
      ]);
      expect(omitted).toBe(0);
      for (const path of ['["none"]', '["levels","a"]', '[1]', 'x', '{}'])
        expect((await ask(`/ui/data?path=${encodeURIComponent(path)}`)).status).toBe(404);
    });
  });

  test('of the API are those that change nothing', async () => {
    await withServedUi(files, [], async ({ ask, ui }) => {
      const body = JSON.stringify({ query: 'x := data.authz.allow', input: { user: 'ann' } });
      expect(await (await ask('/v1/query', { method: 'POST', body })).json()).toMatchObject({ result: [{ x: true }] });
      expect((await ask('/v1/policies')).status).toBe(200);
      expect((await ask('/health')).status).toBe(200);
      expect((await ask('/metrics')).status).toBe(200);
      expect((await ask('/v1/policies/p', { method: 'PUT', body: 'package p' })).status).toBe(405);
      expect((await ask('/v1/data')).status).toBe(404);
      expect((await ask('/')).headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(await statusFor(ui, 'evil.example')).toBe(403);
    });
  });

  test('keep as many decisions as the configuration says, whose other sinks stay', async () => {
    await withServedUi(
      files,
      ['--set', 'decision_logs.recent=2', '--set', 'decision_logs.console=true'],
      async ({ decide, json, lines }) => {
        for (const user of ['a', 'b', 'ann']) await decide('authz/allow', { user });
        await untilKept(json, 2);
        await expect.poll(async () => (await json<ServerView>('/ui/state')).decisions[0]?.text).toBe('true');
        const { decisions } = await json<ServerView>('/ui/state');
        expect(decisions.map(({ text }) => text)).toEqual(['true', 'false']);
        expect(lines.filter((line) => line.includes('Decision Log'))).toHaveLength(3);
      },
    );
  });
});

describe('the authorization of the API', () => {
  const flags = ['--authentication=token', '--authorization=basic'];
  const paths = [
    '/ui/state',
    '/ui/data',
    '/ui/plan/data',
    '/ui/decisions/x',
    '/v1/query?q=true',
    '/v1/policies',
    '/health',
    '/metrics',
    '/',
  ];

  test('decides about each route of the page', async () => {
    await withServedUi({ ...files, ...authz }, flags, async ({ ask, decide }) => {
      await decide('authz/allow', { user: 'ann' }, 'key');
      for (const path of paths) {
        expect([path, (await ask(path)).status]).toEqual([path, 401]);
        expect([path, (await ask(path, { headers: { authorization: 'Bearer decide' } })).status]).toEqual([
          path,
          path === '/ui/data' ? 200 : 401,
        ]);
        const { status } = await ask(path, { headers: { authorization: 'Bearer key' } });
        expect([path, status]).toEqual([path, path === '/ui/decisions/x' ? 404 : 200]);
      }
      // Nothing of the server is in what everybody gets.
      const open = await Promise.all(['/', '/ui/plan', '/ui.js', '/ui.css', '/ui.svg'].map(async (path) => (await ask(path)).text()));
      expect(open.join('')).not.toContain('authz');
    });
  });

  test('is wanted where other machines can reach the page', async () => {
    const io: Io = { stdin: () => new Uint8Array(), stdout: () => undefined, stderr: () => undefined, env: {}, color: false };
    const args = parseArguments('run', serverFlags, ['--ui=0.0.0.0:0'], { OPA_RUN_ADDR: '127.0.0.1:0' });
    await expect(startServer(args, io)).rejects.toThrow('it needs --authorization=basic');
  });
});

/** An event is kept once the mask decision is made, which no answer waits for. */
async function untilKept(json: ServedUi['json'], count: number): Promise<void> {
  await expect.poll(async () => (await json<ServerView>('/ui/state')).decisions.length).toBe(count);
}

/** The status of a request that names another host. */
function statusFor(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${url}/ui/state`, { headers: { host } }, ({ statusCode = 0 }) => resolve(statusCode))
      .on('error', reject)
      .end();
  });
}
