/** Sessions of an editor, mutated: none hangs, and none throws. */
import { rmSync } from 'node:fs';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Choices } from '../../test/generators/choices.js';
import { mutated } from '../../test/generators/message-mutations.js';
import { DapClient } from '../../test/harness/dap/dap-client.js';
import { launchFiles } from '../../test/harness/dap/dap-launch.js';
import { rowOf, shopFolder } from '../../test/harness/dap/dap-policy.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import type { Launch } from '../../views/debug/session.js';
import { framed } from './protocol/framing.js';

const rounds = randomCases(150);
const seed = Number(process.env.WRIT_FUZZ_SEED ?? 20_261_127);

let shop: ReturnType<typeof shopFolder>;
const faults: unknown[] = [];
const note = (fault: unknown) => void faults.push(fault);

beforeAll(() => {
  shop = shopFolder();
  process.on('unhandledRejection', note);
});
afterAll(() => {
  process.off('unhandledRejection', note);
  rmSync(shop.folder, { recursive: true });
});

/** The requests of a session; each may meet any state, for other requests are mutated away. */
function session(): Buffer[] {
  const source = { path: shop.policy };
  const requests: [string, object?][] = [
    ['initialize', { adapterID: 'rego', linesStartAt1: true }],
    ['launch', { ...shop.launch, query: 'data.shop.total(input.order)', stopOnEntry: true, stopOnResult: true }],
    ['setBreakpoints', { source, breakpoints: [{ line: rowOf('price := discount'), condition: 'item.price > 10', hitCondition: '>0' }] }],
    ['setFunctionBreakpoints', { breakpoints: [{ name: 'discount' }] }],
    ['setExceptionBreakpoints', { filters: ['error'], filterOptions: [{ filterId: 'rule-exit', condition: 'result == 1' }] }],
    ['configurationDone'],
    ['threads'],
    ['stackTrace', { threadId: 1, startFrame: 0, levels: 20 }],
    ['scopes', { frameId: 0 }],
    ['variables', { variablesReference: 1 }],
    ['next', { threadId: 1, granularity: 'instruction' }],
    ['evaluate', { expression: 'input.user', frameId: 0, context: 'hover' }],
    ['completions', { text: 'input.', column: 7, frameId: 0 }],
    ['disassemble', { memoryReference: '0x10000', instructionOffset: -5, instructionCount: 20 }],
    ['setExpression', { expression: 'input.user', value: '"bob"' }],
    ['continue', { threadId: 1 }],
    ['stepBack', { threadId: 1 }],
    ['breakpointLocations', { source, line: 1, endLine: 40 }],
    ['dataBreakpointInfo', { name: 'data.shop.grants' }],
    ['setDataBreakpoints', { breakpoints: [{ dataId: 'data.shop.grants' }] }],
    ['reverseContinue', { threadId: 1 }],
    ['restart'],
    ['cancel', { requestId: 1003 }],
    ['source', { sourceReference: 2 }],
    ['terminate'],
  ];
  return requests.map(([command, args], i) =>
    Buffer.from(framed({ seq: 1000 + i, type: 'request', command, ...(args && { arguments: args }) })),
  );
}

/** A mutated path may be that of all temporary files: only files of the test are loaded. */
const launch: Launch = async (args, options) => {
  const paths = [...(args.data ?? []), ...(args.bundle ?? []), args.inputPath ?? shop.policy];
  if (!paths.every((path) => path.startsWith(`${shop.folder}/`))) throw new Error('not a file of the test');
  return await launchFiles(args, options);
};

/** Changes some messages, and whole bytes of the stream, or bodies within good frames. */
function changed(messages: readonly Buffer[], choices: Choices): Buffer[] {
  if (choices.chance(30)) return [mutated(Buffer.concat(messages), choices)];
  const shuffled = choices.chance(30) ? choices.shuffled(messages) : messages;
  return shuffled.map((message) => {
    if (!choices.chance(25)) return message;
    if (choices.chance(5)) return mutated(message, choices);
    const body = mutated(message.subarray(message.indexOf('\r\n\r\n') + 4), choices);
    return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
  });
}

/** Until something comes; a few turns at most. */
async function answeredSome(dap: DapClient): Promise<void> {
  const { length } = dap.received;
  for (let turns = 0; turns < 20 && dap.received.length === length; turns++) await new Promise((resolve) => setImmediate(resolve));
}

/** Until all is answered, or nothing comes: a mutated length may have swallowed requests. */
async function settled(dap: DapClient): Promise<void> {
  const ended = Promise.race([dap.closed, dap.ask('threads')]).then(() => true);
  for (let count = -1; count !== dap.received.length; ) {
    count = dap.received.length;
    if (await Promise.race([ended, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), idleMs))])) return;
  }
}

const idleMs = 50;

test('mutated sessions end without a fault', async () => {
  const messages = session();
  let answered = 0;
  for (let round = 0; round < rounds; round++) {
    const dap = new DapClient({ launch });
    const choices = new Choices(seed + round);
    for (const bytes of changed(messages, choices)) {
      dap.write(bytes);
      // Some requests come while the one before is answered, some after it.
      if (choices.chance(80)) await answeredSome(dap);
    }
    await settled(dap);
    dap.end();
    await dap.closed;
    const responses = dap.received.filter((message): message is DebugProtocol.Response => message.type === 'response');
    answered += responses.filter(({ success }) => success).length;
    const internal = responses.filter(({ message }) => message?.startsWith('internal error'));
    expect(internal, `seed ${seed + round}`).toEqual([]);
  }
  expect(faults).toEqual([]);
  // Most sessions get far: otherwise nothing is tested.
  expect(answered / rounds).toBeGreaterThan(messages.length / 3);
});
