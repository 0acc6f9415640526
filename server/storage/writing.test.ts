import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { closePostgres, fileLogs, postgresLogs, serverOver, stateOf } from '../../test/harness/storage/logs.js';
import type { PlainObject } from '../../values/value.js';

afterAll(closePostgres);

describe.each([fileLogs, postgresLogs])('writes to $name', ({ make }) => {
  /** Runs with a new log, where the machine has one of the kind. */
  const over = (title: string, run: (storage: PlainObject) => Promise<void>) =>
    test(title, async ({ skip }) => {
      const storage = await make();
      if (storage === undefined) skip();
      else await run(storage);
    });

  over('survive the server, with every digit and key', async (storage) => {
    const first = await serverOver(storage);
    const value = '{"":1.10,"__proto__":[12345678901234567890,1e400],"toString":"\\u0000\\ud83d\\ude00"}';
    expect((await first.ask('PUT', '/v1/data/a/b', value)).revision).toBe(1);
    expect((await first.ask('PUT', '/v1/policies/p.rego', 'package p\n\nx := data.a.b')).revision).toBe(2);
    expect(
      (await first.ask('PATCH', '/v1/data/a', '[{"op": "add", "path": "c", "value": [1]}, {"op": "add", "path": "c/0", "value": 0}]'))
        .revision,
    ).toBe(3);
    expect((await first.ask('PUT', '/v1/policies/q.rego', 'package q')).revision).toBe(4);
    expect((await first.ask('DELETE', '/v1/policies/q.rego')).revision).toBe(5);
    const before = await first.ask('GET', '/v1/data/p/x');
    await first.close();
    const second = await serverOver(storage);
    const after = await second.ask('GET', '/v1/data/p/x');
    expect(after.text).toBe(before.text);
    expect(after.revision).toBe(5);
    expect((await second.ask('GET', '/v1/data/a/c')).text).toBe('{"result":[0,1]}\n');
    expect(stateOf(second)).toBe(stateOf(first));
  });

  over('that are refused leave no entry', async (storage) => {
    const server = await serverOver(storage);
    await server.ask('PUT', '/v1/policies/p.rego', 'package p\n\nx := 1');
    for (const [method, path, body, status] of [
      ['PUT', '/v1/policies/q.rego', 'package q\n\ny := z', 400],
      ['DELETE', '/v1/policies/none', undefined, 404],
      ['DELETE', '/v1/data/none', undefined, 404],
      ['PATCH', '/v1/data/none', '[{"op": "remove", "path": "x"}]', 404],
      ['PUT', '/v1/data/p/x', '1', 400],
    ] as const) {
      const answer = await server.ask(method, path, body);
      expect([method, path, answer.status]).toEqual([method, path, status]);
      expect(answer.revision).toBe(1);
    }
    await server.ask('PUT', '/v1/data/d', '1');
    expect((await server.ask('PUT', '/v1/data/d', '2', { 'if-none-match': '*' })).status).toBe(304);
    expect((await server.ask('PUT', '/v1/data/e', '1')).revision).toBe(3);
  });

  over('of several servers are one history', async (storage) => {
    const servers = [await serverOver(storage), await serverOver(storage), await serverOver(storage)];
    const written = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const answer = await servers[i % 3]!.ask('PUT', `/v1/data/n/${i}`, String(i));
        expect(answer.status).toBe(204);
        return answer.revision;
      }),
    );
    expect(written.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    for (const server of servers) {
      const answer = await server.ask('GET', '/v1/data/n', undefined, { 'min-revision': '60' });
      expect(answer.status).toBe(200);
      expect(Object.keys(JSON.parse(answer.text).result)).toHaveLength(60);
    }
    expect(stateOf(servers[1]!)).toBe(stateOf(servers[0]!));
    expect(stateOf(servers[2]!)).toBe(stateOf(servers[0]!));
  });

  over('are seen by strong reads at once, and by others that ask for their revision', async (storage) => {
    const [one, other] = [await serverOver(storage), await serverOver(storage)];
    for (let i = 0; i < 5; i++) {
      const { revision } = await one.ask('PUT', '/v1/data/n', String(i));
      expect((await other.ask('GET', '/v1/data/n', undefined, { consistency: 'strong' })).text).toBe(`{"result":${i}}\n`);
      expect((await other.ask('GET', '/v1/data/n', undefined, { 'min-revision': String(revision) })).text).toBe(`{"result":${i}}\n`);
    }
  });

  over('are applied for a read that asks for their revision, however short it waits', async (storage) => {
    const [one, other] = [await serverOver(storage), await serverOver({ ...storage, max_wait_seconds: 0.3 })];
    for (let i = 0; i < 8; i++) {
      const { revision } = await one.ask('PUT', '/v1/data/n', String(i));
      const read = await other.ask('GET', '/v1/data/n', undefined, { 'min-revision': String(revision) });
      expect([read.status, read.text]).toEqual([200, `{"result":${i}}\n`]);
    }
    expect((await other.ask('GET', '/v1/data/n', undefined, { 'min-revision': '1000' })).status).toBe(503);
  });

  over('are validated against the head, which another server has moved', async (storage) => {
    const [one, other] = [await serverOver(storage), await serverOver(storage)];
    await one.ask('PUT', '/v1/policies/p.rego', 'package p\n\nx := 1');
    // It compiles only with the other server's policy.
    const needs = await other.ask('PUT', '/v1/policies/q.rego', 'package q\n\nimport data.p\n\ny := p.x');
    expect(needs.status).toBe(200);
    await one.ask('PUT', '/v1/data/d', '1');
    expect((await other.ask('PUT', '/v1/data/d', '2', { 'if-none-match': '*' })).status).toBe(304);
    expect((await other.ask('DELETE', '/v1/data/d')).status).toBe(204);
    expect((await one.ask('DELETE', '/v1/data/d')).status).toBe(404);
    expect((await one.ask('PUT', '/v1/data/d', '3', { 'if-none-match': '*' })).status).toBe(204);
  });

  const keys = ['a', 'b', '0', ''];
  const paths = fc.array(fc.constantFrom(...keys), { maxLength: 3 });
  const values = fc.constantFrom('1', '[]', '{}', '{"a":{"b":1}}', '[1,[2]]', '123456789012345678901234567890');
  const writes = fc.oneof(
    fc.tuple(fc.constant('PUT'), paths, values),
    fc.tuple(fc.constant('DELETE'), paths, fc.constant('')),
    fc.tuple(
      fc.constant('PATCH'),
      paths,
      fc
        .array(fc.tuple(fc.constantFrom('add', 'remove', 'replace'), paths, values), { minLength: 1, maxLength: 3 })
        .map(
          (rows) =>
            `[${rows.map(([op, path, value]) => `{"op":"${op}","path":${JSON.stringify(path.join('/'))},"value":${value}}`).join()}]`,
        ),
    ),
    fc.tuple(
      fc.constant('POLICY'),
      fc.constantFrom(['p'], ['q']),
      fc.constantFrom('package a.b.c\n\nx := 1', 'package q\n\ny := data.a', 'package z'),
    ),
    fc.tuple(fc.constant('UNPOLICY'), fc.constantFrom(['p'], ['q']), fc.constant('')),
  );

  over('are folded to the state that they made, whatever they are', async (storage) => {
    const files = { policies: { f: 'package f\n\nx := 1', q: 'package q' }, data: { a: { b: { a: 1 }, c: [1, 2] }, b: 1 } };
    const kept = { ...storage, snapshot_every: 7 };
    let writer = await serverOver(kept, files);
    const follower = await serverOver(kept, files);
    let last = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(writes, { minLength: 5, maxLength: 15 }), async (all) => {
        for (const [kind, path, body] of all) {
          const isPolicy = kind.endsWith('POLICY');
          const url = `/v1/${isPolicy ? 'policies' : 'data'}${path.map((key) => `/${key || '%20'}`).join('')}`;
          const method = kind === 'POLICY' ? 'PUT' : kind === 'UNPOLICY' ? 'DELETE' : kind;
          const answer = await writer.ask(method, url, body === '' ? undefined : body);
          const { revision } = answer;
          expect(revision - last).toBe(answer.status < 300 ? 1 : 0);
          last = revision;
        }
        await follower.ask('GET', '/v1/data/a', undefined, { 'min-revision': String(last) });
        expect(stateOf(follower)).toBe(stateOf(writer));
        const before = stateOf(writer);
        await writer.close();
        writer = await serverOver(kept, files);
        expect(stateOf(writer)).toBe(before);
      }),
      { numRuns: randomCases(15) },
    );
  });
});
