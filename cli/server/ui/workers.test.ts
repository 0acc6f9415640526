/** The page of a server whose decisions are made by workers. */
import { expect, test } from 'vitest';
import { withFiles } from '../../../test/harness/command.js';
import { freePort } from '../../../test/harness/server/free-port.js';
import { serverProcess } from '../../../test/harness/server/process.js';
import type { DecisionDetail, ServerView } from '../../web/server/server-view.js';

test('the page has the decisions and the requests of all workers', async () => {
  await withFiles(
    { 'authz.rego': 'package authz\n\nallow if input.user in data.admins\n', 'data.json': '{"admins": ["ann"]}' },
    async (folder) => {
      const address = `127.0.0.1:${await freePort()}`;
      const server = await serverProcess('--workers', '2', `--ui=${address}`, folder);
      const json = async <T>(path: string): Promise<T> => (await (await fetch(`http://${address}${path}`)).json()) as T;
      // Connections of their own go to the workers in turn.
      for (let i = 0; i < 6; i++)
        expect(await server.decide('authz/allow', { user: i === 5 ? 'bob' : 'ann' })).toBe(i === 5 ? undefined : true);
      await server.ask('PUT', '/v1/data/admins', '["ann", "bob"]');
      await expect.poll(async () => (await json<ServerView>('/ui/state')).decisions.length).toBe(6);
      const view = await json<ServerView>('/ui/state');
      expect(view.metrics.requests).toBeGreaterThanOrEqual(7);
      expect(view.decisions.map(({ outcome }) => outcome)).toContain('undefined');
      const { id } = view.decisions.find(({ outcome }) => outcome === 'undefined')!;
      const detail = await json<DecisionDetail>(`/ui/decisions/${id}`);
      expect(JSON.parse(detail.event)).toMatchObject({ path: 'authz/allow', input: { user: 'bob' } });
      expect(detail.note).toContain('have changed since');
      expect(await json('/ui/data?path=["admins"]')).toMatchObject({ members: [{ text: '"ann"' }, { text: '"bob"' }] });
      const answer = await fetch(`http://${address}/v1/query`, { method: 'POST', body: '{"query": "data.admins[i] = \\"bob\\""}' });
      expect(await answer.json()).toEqual({ result: [{ i: 1 }] });
      await server.end();
    },
  );
}, 60_000);
