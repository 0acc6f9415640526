/** Editors that are attached to a server. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBundle } from '../../engine/bundle/disk/file-source.js';
import type { Engine } from '../../engine/engine.js';
import { createApp, type ServerApp } from '../../server/http/app.js';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { DapClient } from '../../test/harness/dap/dap-client.js';
import { shopData, shopPolicy } from '../../test/harness/dap/dap-policy.js';
import { testServer } from '../../test/harness/server/app.js';
import { openServerSession } from '../../views/debug/server-session.js';
import { HoldingGate } from './request-holder.js';

let app: ServerApp;
let engine: Engine;
let dap: DapClient;

beforeEach(async () => {
  const { context } = await testServer({ policies: { 'shop.rego': shopPolicy }, data: shopData });
  const gate = new HoldingGate(context.engine, (question, options) => openServerSession(context.engine, question, options));
  engine = context.engine;
  app = createApp({ ...context, gate });
  dap = new DapClient({ holder: gate });
});
afterEach(() => dap.end());

async function ask(path: string, input: object): Promise<unknown> {
  const response = await app.fetch(new Request(`http://localhost${path}`, { method: 'POST', body: JSON.stringify({ input }) }));
  return await response.json();
}

const attach = async (settings: object) => {
  await dap.get('initialize', { adapterID: 'writ' });
  await dap.get('attach', settings);
  await dap.event('initialized');
  const body = await dap.get<{ breakpoints: { id: number }[] }>('setFunctionBreakpoints', { breakpoints: [{ name: 'roles' }] });
  await dap.get('configurationDone');
  return body.breakpoints[0]!.id;
};

const alice = { user: 'alice', action: 'pay', order: 'o1' };
const bob = { user: 'bob', action: 'pay', order: 'o1' };

test('one request is held at its first expression, stops at breakpoints, and goes on at its end', async () => {
  const breakpoint = await attach({ path: 'shop/allow', condition: 'input.user == "alice"' });
  const answer = ask('/v1/data/shop/allow', alice);
  expect(await dap.event('thread')).toMatchObject({ reason: 'started' });
  expect(await dap.event('breakpoint')).toMatchObject({ breakpoint: { id: breakpoint, verified: true } });
  const { threadId } = await dap.event('stopped');
  expect(await dap.get('threads')).toEqual({ threads: [{ id: threadId, name: 'POST shop/allow' }] });
  // Others go on, also one that fits.
  expect(await ask('/v1/data/shop/allow', bob)).toEqual({ result: true });
  expect(await ask('/v1/data/shop/allow', alice)).toEqual({ result: true });
  await dap.get('continue', { threadId });
  expect(await dap.event('stopped')).toMatchObject({ reason: 'function breakpoint', hitBreakpointIds: [breakpoint] });
  expect(await dap.get('evaluate', { expression: 'input.user' })).toMatchObject({ result: '"alice"' });
  await dap.get('setFunctionBreakpoints', { breakpoints: [] });
  await dap.get('continue', { threadId });
  expect(await dap.event('output')).toMatchObject({ output: 'granted by clerk\n' });
  expect(await dap.event('thread')).toMatchObject({ reason: 'exited', threadId });
  expect(await answer).toEqual({ result: true });
  const next = ask('/v1/data/shop/allow', alice);
  expect(await dap.event('thread')).toMatchObject({ reason: 'started' });
  await dap.get('disconnect');
  expect(await next).toEqual({ result: true });
});

test.each(['disconnect', 'terminate', 'the end of the connection'])('a held request goes on after %s', async (how) => {
  await attach({});
  const answer = ask('/v1/data/shop/allow', alice);
  await dap.event('stopped');
  if (how.startsWith('the end')) dap.end();
  else await dap.get(how);
  expect(await answer).toEqual({ result: true });
  expect(await ask('/v1/data/shop/allow', alice)).toEqual({ result: true });
});

test.each([
  [{ condition: 'input.user == "alice"' }],
  [{ path: 'shop/allow', condition: 'input.user == "alice"; input.order == "o1"' }],
  [{ path: 'data.shop', condition: 'not input.user == "bob"' }],
  [{ condition: 'startswith(input.user, "al")' }],
  [{ condition: 'input.nobody' }, null],
  [{ path: 'other' }, null],
])('with %j other requests are not held', async (settings, held: unknown = { result: true }) => {
  await attach(settings);
  expect(await ask('/v1/data/shop/allow', bob)).toEqual({ result: true });
  const answer = ask('/v1/data/shop/allow', alice);
  if (held === null) return expect(await answer).toEqual({ result: true });
  await dap.event('stopped');
  expect(await ask('/v1/data/shop/allow', bob)).toEqual({ result: true });
  await dap.get('disconnect');
  expect(await answer).toEqual(held);
});

test('another input in the debugger does not change the answer', async () => {
  await attach({ path: 'shop/roles' });
  const answer = ask('/v1/data/shop/roles', alice);
  const { threadId } = await dap.event('stopped');
  await dap.get('setExpression', { expression: 'input.user', value: '"bob"' });
  await dap.event('stopped');
  await dap.get('setFunctionBreakpoints', { breakpoints: [] });
  await dap.get('continue', { threadId });
  expect(await dap.event('output')).toMatchObject({ output: expect.stringContaining('guest') });
  expect(await answer).toEqual({ result: ['clerk', 'guest'] });
});

test('the documents of a held request stay as they were', async () => {
  await attach({ path: 'shop/roles' });
  const answer = ask('/v1/data/shop/roles', alice);
  await dap.event('stopped');
  await app.fetch(new Request('http://localhost/v1/data/users/alice/roles', { method: 'PUT', body: '["guest"]' }));
  expect(await dap.get('evaluate', { expression: 'data.users.alice.roles' })).toMatchObject({ result: '["guest", "clerk"]' });
  await dap.get('disconnect');
  expect(await answer).toEqual({ result: ['guest'] });
});

test('a path without a document is debugged as any other', async () => {
  await attach({ path: 'nosuch' });
  const answer = ask('/v1/data/nosuch/at/all', alice);
  await dap.event('stopped');
  const { threads } = await dap.get<{ threads: { id: number }[] }>('threads');
  await dap.get('continue', { threadId: threads[0]!.id });
  expect(await dap.event('output')).toMatchObject({ output: 'undefined\n' });
  expect(await answer).toEqual({});
});

test('a plan without sources is debugged by its statements', async () => {
  await withFiles({ 'p.rego': 'package q\n\nx := input.a + 1\n' }, async (folder) => {
    const plan = join(folder, 'plan.json');
    expect(await runCommand('build', '-t', 'plan', '-e', 'q/x', '-o', plan, join(folder, 'p.rego'))).toMatchObject({ exit: 0 });
    await engine.commit({ bundles: new Map([['q', await readBundle(plan)]]) });
  });
  await attach({ path: 'q' });
  const answer = ask('/v1/data/q/x', { a: 1 });
  const { threadId } = await dap.event('stopped');
  await dap.get('stepIn', { threadId, granularity: 'instruction' });
  await dap.event('stopped');
  const { stackFrames } = await dap.get<{ stackFrames: { instructionPointerReference: string }[] }>('stackTrace', { threadId });
  const memoryReference = stackFrames[0]!.instructionPointerReference;
  const { instructions } = await dap.get<{ instructions: { instruction: string }[] }>('disassemble', {
    memoryReference,
    instructionCount: 1,
  });
  expect(instructions[0]!.instruction).not.toBe('');
  await dap.get('continue', { threadId });
  expect(await dap.event('output')).toMatchObject({ output: '2\n' });
  expect(await answer).toEqual({ result: 2 });
});

test('a server launches nothing, and refuses a condition that does not compile', async () => {
  await dap.get('initialize', { adapterID: 'writ' });
  expect(await dap.ask('launch', { query: 'opa.runtime()' })).toMatchObject({ success: false, message: expect.stringContaining('attach') });
  expect(await dap.ask('attach', { condition: 'input.user ==' })).toMatchObject({ success: false });
  expect(await dap.ask('attach', {})).toMatchObject({ success: true });
});
