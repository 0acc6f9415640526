/**
 * A session with every request that editors send: each is answered, and with success where there
 * is something to answer.
 */
import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { DapClient } from '../../test/harness/dap/dap-client.js';
import { launchFiles } from '../../test/harness/dap/dap-launch.js';
import { rowOf, shopFolder } from '../../test/harness/dap/dap-policy.js';

test('every request of a session is answered', async () => {
  const shop = shopFolder();
  onTestFinished(() => rmSync(shop.folder, { recursive: true }));
  const dap = new DapClient({ launch: launchFiles });
  const source = { path: shop.policy };
  const threadId = 1;
  const asked = new Set<string>();
  const get = async <T = Record<string, unknown>>(command: string, args?: object): Promise<T> => {
    asked.add(command);
    return await dap.get<T>(command, args);
  };
  const frame = async () => {
    const { stackFrames } = await get<{ stackFrames: { id: number; instructionPointerReference: string }[] }>('stackTrace', { threadId });
    return stackFrames[0]!;
  };
  const move = async (command: string, args: object = {}) => {
    await get(command, { threadId, ...args });
    return await dap.event('stopped');
  };

  await get('initialize', { adapterID: 'rego', clientID: 'vscode', linesStartAt1: true, columnsStartAt1: true, pathFormat: 'path' });
  await get('launch', {
    command: 'eval',
    query: 'data.shop.allow; data.shop.total(input.order); data.shop.cheap(input.order)',
    ...shop.launch,
    stopOnEntry: true,
    stopOnFail: false,
    stopOnResult: true,
    enablePrint: true,
    ruleIndexing: true,
    strict: false,
    skipOps: ['Redo'],
  });
  const options = { condition: 'role == "clerk"', hitCondition: '1', logMessage: 'role {role}' };
  const lines = [{ line: rowOf('grants[role]'), ...options }, { line: 1 }, { line: 9999 }];
  const set = await get<{ breakpoints: { verified: boolean; line?: number }[] }>('setBreakpoints', { source, breakpoints: lines });
  expect(set.breakpoints.map(({ verified }) => verified)).toEqual([true, true, false]);
  expect(set.breakpoints[1]!.line).toBeGreaterThan(1);
  const elsewhere = await get('setBreakpoints', { source: { path: `${shop.policy}.none` }, breakpoints: [{ line: 1 }] });
  expect(elsewhere).toMatchObject({ breakpoints: [{ verified: false }] });
  await get('setFunctionBreakpoints', { breakpoints: [{ name: 'discount' }] });
  await get('setExceptionBreakpoints', { filters: ['error', 'conflict'] });
  await get('breakpointLocations', { source, line: 1, endLine: 20 });
  await get('configurationDone');
  expect(await dap.event('stopped')).toMatchObject({ reason: 'entry' });

  await get('threads');
  const { id: frameId } = await frame();
  const { scopes } = await get<{ scopes: { variablesReference: number; name: string }[] }>('scopes', { frameId });
  for (const { variablesReference } of scopes) await get('variables', { variablesReference });
  const { targets } = await get<{ targets: { id: number }[] }>('stepInTargets', { frameId });
  await move('stepIn', targets.length === 0 ? {} : { targetId: targets[0]!.id });
  await move('stepBack');
  await move('continue');
  await move('next');
  await move('stepOut');
  await move('reverseContinue');
  const { id, instructionPointerReference } = await frame();
  await get('evaluate', { expression: 'input.user', frameId: id, context: 'hover' });
  await get('completions', { text: 'inp', column: 4, frameId: id });
  await get('disassemble', { memoryReference: instructionPointerReference, instructionOffset: -10, instructionCount: 30 });
  await get('setInstructionBreakpoints', { breakpoints: [{ instructionReference: instructionPointerReference }] });
  const { dataId } = await get<{ dataId: string }>('dataBreakpointInfo', { name: 'data.shop.limit' });
  await get('setDataBreakpoints', { breakpoints: [{ dataId, accessType: 'write' }] });
  await get('setInstructionBreakpoints', { breakpoints: [] });
  await move('restartFrame', { frameId: id });
  const goto = await get<{ targets: { id: number }[] }>('gotoTargets', { source, line: rowOf('price * 2') });
  await move('goto', { targetId: goto.targets.at(-1)!.id });
  await get('loadedSources');
  await get('modules');
  await get('source', { source, sourceReference: 0 });
  await get('pause', { threadId });
  await get('setExceptionBreakpoints', { filters: ['fail'] });
  expect(await move('continue')).toMatchObject({ reason: expect.stringMatching(/exception|breakpoint/) });
  await get('setFunctionBreakpoints', { breakpoints: [] });
  await get('setDataBreakpoints', { breakpoints: [] });
  expect(await move('reverseContinue')).toMatchObject({ reason: 'exception' });
  await get('exceptionInfo', { threadId });
  await get('setExpression', { expression: 'input.user', value: '"bob"' });
  await dap.event('stopped');
  const own = await get<{ scopes: { variablesReference: number; name: string }[] }>('scopes', { frameId: (await frame()).id });
  const { variablesReference } = own.scopes.find(({ name }) => name === 'Input')!;
  await get('setVariable', { variablesReference, name: 'input', value: '{"user": "alice", "action": "pay", "order": "o1"}' });
  await dap.event('stopped');
  await get('cancel', { requestId: 1 });
  await move('restart');
  // What the adapter does not have is refused.
  for (const command of ['readMemory', 'writeMemory', 'locations', 'attach', 'runInTerminal'])
    expect(await dap.ask(command, {})).toMatchObject({ success: false });
  await get('terminateThreads', { threadIds: [threadId] });
  await dap.event('terminated');
  await get('terminate');
  await get('disconnect');
  expect(await dap.closed).toBeUndefined();
  expect(asked.size).toBeGreaterThanOrEqual(35);
});
