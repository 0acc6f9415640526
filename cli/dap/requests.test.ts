/** Requests and bytes of all kinds, without anything that is debugged. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DapClient } from '../../test/harness/dap/dap-client.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { adapterCapabilities } from './capabilities.js';
import type { AdapterHost } from './host.js';

const host: AdapterHost = { launch: () => Promise.reject(new Error('1 error occurred: p.rego:1: rego_parse_error: package expected')) };
const client = () => new DapClient(host);

async function initialized(from = client()): Promise<DapClient> {
  await from.get('initialize', { adapterID: 'writ' });
  return from;
}

/** Every request that a client may send, and one that is none. */
const commands = `attach breakpointLocations cancel completions configurationDone continue dataBreakpointInfo disassemble evaluate
  exceptionInfo goto gotoTargets initialize launch loadedSources locations modules next pause readMemory restart restartFrame
  reverseContinue scopes setBreakpoints setDataBreakpoints setExceptionBreakpoints setExpression setFunctionBreakpoints
  setInstructionBreakpoints setVariable source stackTrace stepBack stepIn stepInTargets stepOut terminate terminateThreads disconnect threads
  variables writeMemory __proto__ toString`.split(/\s+/);

test.each(commands)('%s is answered before a launch, with and without arguments', async (command) => {
  for (const args of [undefined, {}, { threadId: 1, frameId: 0, variablesReference: 1 }]) {
    const dap = client();
    expect(await dap.ask(command, args)).toMatchObject({ type: 'response', command });
    dap.end();
  }
});

test('a client learns at least 25 capabilities', async () => {
  const dap = client();
  const body = await dap.get('initialize', { adapterID: 'writ' });
  expect(body).toEqual(JSON.parse(JSON.stringify(adapterCapabilities)));
  expect(Object.values(body).filter((value) => value === true).length).toBeGreaterThanOrEqual(25);
  dap.end();
});

test.each(['launch', 'attach'])('%s needs an initialize before it', async (command) => {
  const dap = client();
  expect(await dap.ask(command, { query: 'x' })).toMatchObject({
    success: false,
    message: expect.stringContaining(`${command}: the first request of a session must be "initialize"`),
  });
  expect(dap.received.filter(({ type }) => type === 'event')).toEqual([]);
  expect(await dap.ask('initialize', { adapterID: 'writ' })).toMatchObject({ success: true });
  expect(await dap.ask(command, { query: 'x' })).toMatchObject({ success: false, message: expect.not.stringContaining('initialize') });
  dap.end();
});

test('a session is initialized once', async () => {
  const dap = await initialized();
  expect(await dap.ask('initialize', { adapterID: 'writ', linesStartAt1: false })).toMatchObject({
    success: false,
    message: expect.stringContaining('the session has been initialized before'),
  });
  dap.end();
});

test('policies that do not compile fail the launch, and another one may follow', async () => {
  const dap = await initialized();
  for (let i = 0; i < 2; i++)
    expect(await dap.ask('launch', { query: 'x' })).toMatchObject({ success: false, message: expect.stringContaining('package expected') });
  dap.end();
});

test.each<[string, object, RegExp]>([
  ['no query', {}, /"query" is missing/],
  ['an unknown command', { command: 'run', query: 'x' }, /"command" must be one of/],
  ['two inputs', { query: 'x', input: {}, inputPath: 'x' }, /"input" or "inputPath"/],
  ['an input that is not JSON', { query: 'x', input: '{' }, /not JSON/],
  ['paths that are no list', { query: 'x', dataPaths: 'p' }, /"dataPaths" must be a list/],
  ['arguments that are a list', [], /must be an object/],
])('a launch with %s is refused', async (_title, args, message) => {
  const dap = await initialized();
  expect(await dap.ask('launch', args)).toMatchObject({ success: false, message: expect.stringMatching(message) });
  dap.end();
});

describe('breakpoints before a launch', () => {
  test('are kept, and not verified', async () => {
    const dap = client();
    const breakpoints = [{ line: 3, condition: 'x' }, { line: 9999 }];
    const body = await dap.get('setBreakpoints', { source: { path: '/p.rego' }, breakpoints });
    expect(body).toMatchObject({
      breakpoints: [
        { verified: false, reason: 'pending' },
        { verified: false, reason: 'pending' },
      ],
    });
    dap.end();
  });

  test('with filters that do not exist are refused one by one', async () => {
    const dap = client();
    const body = await dap.get('setExceptionBreakpoints', {
      filters: ['fail', 'none'],
      filterOptions: [{ filterId: 'error', condition: 'x' }],
    });
    expect(body).toMatchObject({
      breakpoints: [{ verified: true }, { verified: false, message: 'there is no filter none' }, { verified: true }],
    });
    dap.end();
  });
});

test('attaching needs a server', async () => {
  const dap = await initialized();
  expect(await dap.ask('attach', {})).toMatchObject({ success: false, message: expect.stringContaining('--debug-attach') });
  dap.end();
});

test('a disconnect is answered, then the connection is closed', async () => {
  const dap = client();
  expect(await dap.ask('disconnect')).toMatchObject({ success: true });
  expect(await dap.closed).toBeUndefined();
});

test('a message that is not JSON is skipped, and the client told', async () => {
  const dap = client();
  dap.write('Content-Length: 3\r\n\r\n{x}');
  expect(await dap.event('output')).toMatchObject({ output: 'writ: a message that is not JSON was skipped\n' });
  expect(await dap.ask('threads')).toMatchObject({ success: true });
  dap.end();
});

test('bytes that are no messages close the connection with the reason', async () => {
  const dap = client();
  dap.write('GET / HTTP/1.1\r\n\r\n');
  expect(await dap.closed).toBe('bytes that are no header');
});

test('a request that waits can be cancelled', async () => {
  const dap = await initialized(new DapClient({ launch: () => new Promise(() => {}) }));
  const launch = dap.send({ command: 'launch', arguments: { query: 'x' } });
  const waiting = dap.send({ command: 'threads' });
  expect(await dap.ask('cancel', { requestId: waiting })).toMatchObject({ success: true });
  expect(await dap.ask('cancel', { requestId: launch })).toMatchObject({ success: true });
  const cancelled = dap.received.filter(
    (message) => message.type === 'response' && 'message' in message && message.message === 'cancelled',
  );
  expect(cancelled).toMatchObject([{ request_seq: waiting }, { request_seq: launch }]);
  dap.end();
});

test('every request gets one response, whatever its arguments are', async () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const fields = fc.dictionary(fc.constantFrom('breakpoints', 'source', 'line', 'frameId', 'expression', 'filters', 'name', 'value'), json);
  const request = fc.record({
    command: fc.oneof(fc.constantFrom(...commands.filter((command) => command !== 'disconnect')), fc.string()),
    arguments: fc.oneof(json, fields),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 20 }), async (requests) => {
      const dap = client();
      const sent = requests.map((message) => dap.send(message));
      await dap.ask('threads');
      const responses = dap.received.filter(({ type }) => type === 'response') as { request_seq: number }[];
      expect(responses.map(({ request_seq }) => request_seq).sort((a, b) => a - b)).toEqual([...sent, sent.length + 1]);
      dap.end();
    }),
    { numRuns: randomCases(200) },
  );
});
