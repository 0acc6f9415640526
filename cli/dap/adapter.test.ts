/** Sessions of an editor over a policy, without the command around them. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../test/harness/command.js';
import { DapClient } from '../../test/harness/dap/dap-client.js';
import { launchFiles } from '../../test/harness/dap/dap-launch.js';
import { rowOf, shopFolder, shopPolicy } from '../../test/harness/dap/dap-policy.js';

let shop: ReturnType<typeof shopFolder>;
let dap: DapClient;

beforeAll(() => {
  shop = shopFolder();
});
afterAll(() => rmSync(shop.folder, { recursive: true }));
beforeEach(() => {
  dap = new DapClient({ launch: launchFiles });
});
afterEach(() => dap.end());

const threadId = 1;

/** Launches with settings, sets breakpoints at rows with these texts, and starts. */
async function start(
  settings: object,
  ...breakpoints: { readonly at: string; readonly [option: string]: string }[]
): Promise<readonly object[]> {
  await dap.get('initialize', { adapterID: 'writ' });
  await dap.get('launch', { ...shop.launch, ...settings });
  await dap.event('initialized');
  const lines = breakpoints.map(({ at, ...options }) => ({ line: rowOf(at), ...options }));
  const body = await dap.get<{ breakpoints: object[] }>('setBreakpoints', { source: { path: shop.policy }, breakpoints: lines });
  await dap.get('configurationDone');
  return body.breakpoints;
}

/** A movement, and where it stops. */
async function move(command: string, args: object = {}): Promise<Record<string, unknown>> {
  await dap.get(command, { threadId, ...args });
  return await dap.event('stopped');
}

interface Frame {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  readonly instructionPointerReference: string;
  readonly source?: { readonly path?: string; readonly sourceReference?: number };
}

const frames = async () => (await dap.get<{ stackFrames: Frame[] }>('stackTrace', { threadId })).stackFrames;
const top = async () => (await frames())[0]!;

type Variable = { name: string; value: string; variablesReference: number };

async function scope(name: string): Promise<Variable[]> {
  const { scopes } = await dap.get<{ scopes: Variable[] }>('scopes', { frameId: (await top()).id });
  const found = scopes.find((one) => one.name === name)!;
  return (await dap.get<{ variables: Variable[] }>('variables', { variablesReference: found.variablesReference })).variables;
}

const values = (variables: Variable[]) => Object.fromEntries(variables.map(({ name, value }) => [name, value]));

const allow = { query: 'data.shop.allow' };
const total = { query: 'data.shop.total(input.order)' };

/** The lines that steps into calls stop at, to the end. */
async function stepped(settings: object): Promise<readonly number[]> {
  await start({ ...settings, stopOnEntry: true });
  await dap.event('stopped');
  const lines: number[] = [];
  for (;;) {
    await dap.get('stepIn', { threadId });
    const { event } = await dap.eventOf('stopped', 'terminated');
    if (event === 'terminated') return lines;
    lines.push((await top()).line);
  }
}

describe('what is launched', () => {
  const launchOnly = async (settings: object) => {
    await dap.get('initialize', { adapterID: 'writ' });
    await dap.get('launch', { stopOnEntry: true, ...settings });
    await dap.get('configurationDone');
    return await dap.event('stopped');
  };

  test('a test by its name', async () => {
    const file = join(shop.folder, 'tests', 'shop_test.rego');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'package shop_test\n\ntest_limit if {\n\tdata.shop.limit == 100\n}\n');
    await launchOnly({ command: 'test', test: 'test_limit', dataPaths: [shop.policy, file] });
    expect(await move('stepIn')).toMatchObject({ reason: 'step' });
    expect(await top()).toMatchObject({ line: 4, source: { path: file } });
    expect(await dap.ask('launch', { command: 'test', test: 'test_limit' })).toMatchObject({ success: false });
  });

  test.each([
    [100, '100\n(as logged)\n'],
    [99, '100\n(but logged was 99)\n'],
  ])('a decision of the log, whose result was %j', async (result, output) => {
    const file = join(shop.folder, 'event.json');
    writeFileSync(file, JSON.stringify({ decision_id: 'd1', path: 'shop/limit', input: { user: 'bob' }, result }));
    await launchOnly({ command: 'decision', decision: file, dataPaths: [shop.policy, join(shop.folder, 'data.json')] });
    expect(await dap.get('evaluate', { expression: 'input' })).toMatchObject({ result: '{"user": "bob"}' });
    await dap.get('continue', { threadId });
    expect(await dap.event('output')).toMatchObject({ output });
  });

  test('a plan without sources, in its listing', async () => {
    const plan = join(shop.folder, 'plan', 'plan.json');
    mkdirSync(dirname(plan), { recursive: true });
    expect(await runCommand('build', '-t', 'plan', '-e', 'shop/limit', '-o', plan, shop.policy)).toMatchObject({ exit: 0 });
    await launchOnly({ command: 'plan', plan });
    await move('next', { granularity: 'instruction' });
    const { sources } = await dap.get<{ sources: { sourceReference?: number; origin?: string }[] }>('loadedSources');
    const { sourceReference } = sources.find(({ origin }) => origin === 'plan')!;
    expect(await dap.get('source', { sourceReference })).toMatchObject({ content: expect.stringContaining('limit') });
    expect(await dap.event('output')).toMatchObject({ category: 'console', output: 'data.shop.limit is 100\n' });
    await dap.get('continue', { threadId });
    expect(await dap.event('output')).toMatchObject({ output: '100\n' });
  });

  test('a bundle that is a directory has files for breakpoints', async () => {
    const policy = join(shop.folder, 'bundle', 'shop.rego');
    mkdirSync(dirname(policy), { recursive: true });
    writeFileSync(policy, shopPolicy);
    await dap.get('initialize', { adapterID: 'writ' });
    await dap.get('launch', { query: 'data.shop.limit', bundlePaths: [dirname(policy)] });
    const set = await dap.get('setBreakpoints', { source: { path: policy }, breakpoints: [{ line: rowOf('limit := 100') }] });
    expect(set).toMatchObject({ breakpoints: [{ verified: true, source: { path: policy } }] });
  });

  test('an input as a document, and as a text of JSON', async () => {
    for (const input of [{ x: 1 }, '{"x": 1}']) {
      const own = new DapClient({ launch: launchFiles });
      await own.get('initialize', { adapterID: 'writ' });
      await own.get('launch', { query: 'input.x', input });
      await own.get('configurationDone');
      expect(await own.event('output')).toMatchObject({ output: '1\n' });
      own.end();
    }
  });
});

describe('breakpoints', () => {
  test('stand at the next expression, or are not verified', async () => {
    const set = await start(allow, { at: 'package shop' }, { at: 'grants[role]' });
    expect(set[0]).toMatchObject({ verified: true, line: rowOf('default allow') });
    expect(set[1]).toMatchObject({ verified: true, line: rowOf('grants[role]'), column: 2 });
    const behind = await dap.get('setBreakpoints', { source: { path: shop.policy }, breakpoints: [{ line: 9999 }] });
    expect(behind).toMatchObject({ breakpoints: [{ verified: false, message: expect.stringContaining('9999') }] });
    const elsewhere = await dap.get('setBreakpoints', { source: { path: '/no/such.rego' }, breakpoints: [{ line: 1 }] });
    expect(elsewhere).toMatchObject({ breakpoints: [{ verified: false, message: expect.stringContaining('/no/such.rego') }] });
  });

  test('that came before the launch are verified after it', async () => {
    const pending = await dap.get<{ breakpoints: { id: number }[] }>('setBreakpoints', {
      source: { path: shop.policy },
      breakpoints: [{ line: rowOf('print(') }, { line: 9999 }],
    });
    await dap.get('configurationDone');
    await dap.get('initialize', { adapterID: 'writ' });
    await dap.get('launch', { ...shop.launch, ...allow });
    expect(await dap.event('breakpoint')).toMatchObject({ breakpoint: { id: pending.breakpoints[0]!.id, verified: true } });
    expect(await dap.event('breakpoint')).toMatchObject({ breakpoint: { id: pending.breakpoints[1]!.id, verified: false } });
    expect(await dap.event('stopped')).toMatchObject({ reason: 'breakpoint', hitBreakpointIds: [pending.breakpoints[0]!.id] });
  });

  test('with a condition stop where it holds', async () => {
    await start(allow, { at: 'grants[role]', condition: 'role == "clerk"' });
    expect(await dap.event('stopped')).toMatchObject({ reason: 'breakpoint' });
    expect(values(await scope('Variables'))).toMatchObject({ role: '"clerk"' });
  });

  test('with a condition that does not compile are refused', async () => {
    const set = await start(allow, { at: 'grants[role]', condition: 'role ==' });
    expect(set).toMatchObject([{ verified: false, reason: 'failed' }]);
  });

  test('with a hit count stop at that visit', async () => {
    await start(total, { at: 'price := discount', hitCondition: '2' });
    await dap.event('stopped');
    expect(values(await scope('Variables'))).toMatchObject({ item: '{"price": 20}' });
    await dap.get('continue', { threadId });
    await dap.event('terminated');
  });

  test('with a message log it, and do not stop', async () => {
    await start(total, { at: 'price := discount', logMessage: 'price {item.price}' });
    await dap.event('terminated');
    const texts = dap.received.flatMap((message) =>
      'event' in message && message.event === 'output' ? [(message.body as { output: string }).output] : [],
    );
    expect(texts).toEqual(['price 10\n', 'price 20\n', '60\n']);
  });

  test('of functions, data and instructions stop with their reasons', async () => {
    await start({ ...allow, stopOnEntry: true });
    await dap.event('stopped');
    const functions = await dap.get<{ breakpoints: { id: number }[] }>('setFunctionBreakpoints', {
      breakpoints: [{ name: 'owns' }, { name: 'none' }],
    });
    expect(functions.breakpoints).toMatchObject([{ verified: true }, { verified: false }]);
    const info = await dap.get('dataBreakpointInfo', { name: 'data.shop.grants' });
    expect(info).toMatchObject({ dataId: 'data.shop.grants', accessTypes: ['write'] });
    expect(await dap.get('dataBreakpointInfo', { name: 'x' })).toMatchObject({ dataId: null });
    await dap.get('setDataBreakpoints', { breakpoints: [{ dataId: 'data.shop.grants' }] });
    expect(await move('continue')).toMatchObject({ reason: 'data breakpoint' });
    const { instructionPointerReference: reference } = (await frames()).at(-1)!;
    const here = await top();
    const set = await dap.get('setInstructionBreakpoints', {
      breakpoints: [
        { instructionReference: reference },
        { instructionReference: here.instructionPointerReference, offset: 1 },
        { instructionReference: 'none' },
      ],
    });
    expect(set).toMatchObject({ breakpoints: [{ verified: true }, { verified: true }, { verified: false }] });
    await dap.get('setDataBreakpoints', { breakpoints: [] });
    expect(await move('continue')).toMatchObject({ reason: 'instruction breakpoint' });
  });

  test('can be set while the evaluation runs', async () => {
    await start({ query: 'count([1 | some i in numbers.range(1, 300000); i > 0]) + count([1 | data.shop.limit])' });
    await dap.get('setFunctionBreakpoints', { breakpoints: [{ name: 'limit' }] });
    expect(await dap.event('stopped')).toMatchObject({ reason: 'function breakpoint' });
  });
});

describe('exception filters', () => {
  test.each([
    ['fail', undefined, allow.query],
    ['fail', 'role == "clerk"', allow.query],
    ['undefined', undefined, 'x := 1; input.nosuch == x'],
    ['rule-exit', 'result == {"guest", "clerk"}', allow.query],
    ['error', undefined, 'x := 1; x / 0'],
    ['conflict', undefined, 'x := {"a": y | some y in [1, 2]}'],
  ])('%s with the condition %s stops in %s', async (filterId, condition, query) => {
    await start({ query, stopOnEntry: true });
    await dap.event('stopped');
    await dap.get('setExceptionBreakpoints', { filters: [], filterOptions: [{ filterId, condition }] });
    expect(await move('continue')).toMatchObject({ reason: 'exception' });
    expect(await dap.get('exceptionInfo', { threadId })).toMatchObject({ exceptionId: filterId, breakMode: 'always' });
  });

  test('conflicts are shown, with the filter and without', async () => {
    const conflict = { query: 'x := {"a": y | some y in [1, 2]}' };
    await start({ ...conflict, stopOnEntry: true });
    await dap.event('stopped');
    await dap.get('setExceptionBreakpoints', { filters: ['conflict'] });
    expect(await move('continue')).toMatchObject({ reason: 'exception' });
    await dap.get('continue', { threadId });
    expect(await dap.event('output')).toMatchObject({ category: 'stderr', output: expect.stringContaining('eval_conflict_error') });
    expect(await dap.event('exited')).toEqual({ exitCode: 2 });
    await dap.event('terminated');
  });

  test.each([[{}], [{ ruleIndexing: false }], [{ ruleIndexing: true }]])(
    'steps stop at the expressions by which the rule index skips rules: %j',
    async (settings) => {
      const guarded = join(shop.folder, 'guarded.rego');
      const rule = (method: string) => `allow if {\n\tcount(input.list) > 1\n\tinput.method == "${method}"\n}\n`;
      writeFileSync(guarded, `package guarded\n\n${rule('GET')}\n${rule('POST')}`);
      const asked = { query: 'data.guarded.allow', dataPaths: [guarded], inputPath: undefined, input: { list: [1, 2], method: 'PUT' } };
      expect(await stepped({ ...asked, ...settings })).toEqual([5, 10]);
    },
  );

  test('steps pass rules where the events of expressions are skipped', async () => {
    const all = await stepped(total);
    dap.end();
    dap = new DapClient({ launch: launchFiles });
    const rules = await stepped({ ...total, skipOps: ['Eval', 'Redo'] });
    expect(rules.length).toBeLessThan(all.length);
  });

  test('a movement that takes long is told of, and can be cancelled', async () => {
    await dap.get('initialize', { adapterID: 'writ', supportsProgressReporting: true });
    await dap.get('launch', { query: 'count([1 | some x in numbers.range(1, 3000); some y in numbers.range(1, 3000); x == y])' });
    await dap.event('initialized');
    await dap.get('configurationDone');
    const { progressId, ...shown } = await dap.event('progressStart');
    expect(shown).toEqual({ title: 'Evaluating', message: expect.stringMatching(/^[\d,]+ statements$/), cancellable: true });
    expect(await dap.event('progressUpdate')).toEqual({ progressId, message: expect.stringMatching(/^[\d,]+ statements$/) });
    await dap.get('cancel', { progressId });
    expect(await dap.event('progressEnd')).toEqual({ progressId });
    expect(await dap.event('stopped')).toMatchObject({ reason: 'pause' });
  });

  test('stopOnFail needs no filter of the client', async () => {
    await start({ ...allow, stopOnFail: true });
    expect(await dap.event('stopped')).toMatchObject({ reason: 'exception' });
  });
});

describe('movements', () => {
  test('go in, over, out and back, and a step back restores the variables', async () => {
    await start({ ...total, stopOnEntry: true }, { at: 'price := discount' });
    expect(await dap.event('stopped')).toMatchObject({ reason: 'entry' });
    await move('continue');
    const before = [await scope('Variables'), await frames()];
    await move('stepIn');
    expect((await top()).name).toContain('discount');
    await move('stepBack');
    const shown = ([variables, stack]: unknown[]) => [
      (variables as Variable[]).map(({ name, value }) => [name, value]),
      (stack as Frame[]).map(({ name, line }) => [name, line]),
    ];
    expect(shown([await scope('Variables'), await frames()])).toEqual(shown(before));
    await move('stepIn');
    await move('stepOut');
    expect((await top()).name).not.toContain('discount');
    await move('next');
    await move('reverseContinue');
    expect((await top()).line).toBe(rowOf('price := discount'));
  });

  test('a variable is watched: reverse goes to where it got its value', async () => {
    await start(allow, { at: 'print("granted' });
    await dap.event('stopped');
    const { scopes } = await dap.get<{ scopes: Variable[] }>('scopes', { frameId: (await top()).id });
    const { variablesReference } = scopes.find(({ name }) => name === 'Variables')!;
    const info = await dap.get<{ dataId: string }>('dataBreakpointInfo', { variablesReference, name: 'role' });
    expect(info).toMatchObject({ dataId: 'role', accessTypes: ['write'] });
    const set = await dap.get('setDataBreakpoints', { breakpoints: [{ dataId: info.dataId }] });
    expect(set).toMatchObject({ breakpoints: [{ verified: true }] });
    expect(await move('reverseContinue')).toMatchObject({ reason: 'data breakpoint' });
    expect((await top()).line).toBe(rowOf('grants[role][_]'));
    expect(values(await scope('Variables'))).toMatchObject({ role: '"clerk"' });
  });

  test('an instruction is a statement of the plan, a line may be several expressions', async () => {
    await start({ query: 'a := 1; b := 2\nc := 3', stopOnEntry: true });
    await dap.event('stopped');
    await move('next', { granularity: 'line' });
    expect(await top()).toMatchObject({ line: 2 });
    const { instructionPointerReference } = await top();
    await move('stepBack', { granularity: 'instruction' });
    expect(Number((await top()).instructionPointerReference)).toBe(Number(instructionPointerReference) - 1);
  });

  test('a step can enter one of several calls', async () => {
    await start({ query: 'data.shop.owns("bob", "o1") == data.shop.cheap("o1")', stopOnEntry: true });
    await dap.event('stopped');
    const { targets } = await dap.get<{ targets: { id: number; label: string }[] }>('stepInTargets', { frameId: (await top()).id });
    const target = targets.find(({ label }) => label.includes('cheap'));
    await move('stepIn', { targetId: target!.id });
    expect((await top()).name).toContain('cheap');
  });

  test('run to a place, begin a frame again, and begin all again', async () => {
    await start({ ...total, stopOnEntry: true });
    await dap.event('stopped');
    const source = { path: shop.policy };
    const { targets } = await dap.get<{ targets: { id: number; line: number }[] }>('gotoTargets', { source, line: rowOf('price * 2') });
    await move('goto', { targetId: targets.at(-1)!.id });
    expect((await top()).line).toBe(rowOf('price * 2'));
    const outer = (await frames())[1]!;
    expect(await move('restartFrame', { frameId: outer.id })).toMatchObject({ reason: 'restart' });
    expect((await top()).name).toBe(outer.name);
    expect(await move('restart')).toMatchObject({ reason: 'entry' });
  });

  test('a long evaluation can be paused, and disconnected', async () => {
    await start({ query: 'count([1 | some i in numbers.range(1, 3000000); i > 0])' });
    await dap.get('pause', { threadId });
    expect(await dap.event('stopped')).toMatchObject({ reason: 'pause' });
    await dap.get('continue', { threadId });
    expect(await dap.ask('stackTrace', { threadId })).toMatchObject({ success: false, message: 'the evaluation is running' });
    expect(await dap.ask('next', { threadId })).toMatchObject({ success: false });
    await dap.get('disconnect');
    expect(await dap.closed).toBeUndefined();
  });

  test('a stop is told after the response to the request that caused it', async () => {
    await start({ query: 'x := 1; y := 2', stopOnEntry: true });
    await dap.event('stopped');
    await move('next');
    expect(await dap.event('output')).toMatchObject({ category: 'console', output: 'x = 1\n' });
    const kinds = dap.received.slice(-3).map((message) => ('command' in message ? message.command : (message as { event: string }).event));
    expect(kinds).toEqual(['next', 'stopped', 'output']);
  });
});

describe('the end', () => {
  test('stopOnResult stops there, shows the result, and one can step back', async () => {
    await start({ ...total, stopOnResult: true });
    expect(await dap.event('stopped')).toMatchObject({ reason: 'result' });
    expect(await frames()).toMatchObject([{ name: 'result' }]);
    expect(values(await scope('Result'))).toMatchObject({ value: '60' });
    await move('stepBack');
    expect((await top()).name).toBe('query');
    await move('continue');
    await dap.get('continue', { threadId });
    await dap.event('terminated');
  });

  test('prints what is undefined', async () => {
    await start({ query: 'data.shop.nosuch' });
    expect(await dap.event('output')).toMatchObject({ output: 'undefined\n' });
    expect(await dap.event('exited')).toEqual({ exitCode: 0 });
  });

  test('print is shown with its place, unless it is turned off', async () => {
    await start(allow);
    expect(await dap.event('output')).toMatchObject({ category: 'stdout', output: 'granted by clerk\n', line: rowOf('print(') });
    const quiet = new DapClient({ launch: launchFiles });
    await quiet.get('initialize', { adapterID: 'writ' });
    await quiet.get('launch', { ...shop.launch, ...allow, enablePrint: false });
    await quiet.get('configurationDone');
    expect(await quiet.event('output')).toMatchObject({ output: 'true\n' });
    quiet.end();
  });
});

describe('values', () => {
  test('of scopes unfold', async () => {
    await start(allow, { at: 'grants[role]', condition: 'role == "clerk"' });
    await dap.event('stopped');
    expect(values(await scope('Variables'))).toMatchObject({ role: '"clerk"' });
    const [input] = await scope('Input');
    const { variables } = await dap.get<{ variables: Variable[] }>('variables', { variablesReference: input!.variablesReference });
    expect(values(variables)).toEqual({ action: '"pay"', order: '"o1"', user: '"alice"' });
    expect((await scope('Rules computed')).map(({ name }) => name)).toContain('data.shop.roles');
  });

  test.each([
    ['hover', 'role', '"clerk"'],
    ['repl', 'x := role; startswith(x, "c")', 'true'],
    ['watch', 'count(input)', '3'],
  ])('of expressions are found for %s: %s', async (context, expression, result) => {
    await start(allow, { at: 'grants[role]', condition: 'role == "clerk"' });
    await dap.event('stopped');
    expect(await dap.get('evaluate', { expression, context, frameId: (await top()).id })).toMatchObject({ result });
  });

  test.each(['watch', 'repl', undefined])('a name out of its scope has no value, which is no error: %s', async (context) => {
    await start({ ...allow, stopOnEntry: true });
    await dap.event('stopped');
    const asked = { expression: 'count(role)', frameId: (await top()).id, ...(context && { context }) };
    expect(await dap.get('evaluate', asked)).toEqual({ result: 'role has no value here', variablesReference: 0 });
  });

  test('a number may be shown in base 16, and an expression that is wrong is refused', async () => {
    await start({ ...allow, stopOnEntry: true });
    await dap.event('stopped');
    expect(await dap.get('evaluate', { expression: '255', format: { hex: true } })).toMatchObject({ result: '0xff' });
    for (const expression of ['1 +', 'nosuch', 'to_number("x") == 1 with input as', ''])
      expect(await dap.ask('evaluate', { expression })).toMatchObject({ success: false });
    expect(await dap.ask('evaluate', { expression: 'input.nosuch', context: 'hover' })).toMatchObject({ success: false });
    expect(await dap.get('evaluate', { expression: 'input.nosuch' })).toMatchObject({ result: 'undefined' });
  });

  test('input and data can be set, and the evaluation begins again', async () => {
    await start({ query: 'data.shop.roles', stopOnEntry: true, stopOnResult: true });
    await dap.event('stopped');
    const [input] = await scope('Input');
    expect(await dap.get('setVariable', { variablesReference: input!.variablesReference, name: 'user', value: '"bob"' })).toEqual({
      value: '"bob"',
    });
    expect(await dap.event('stopped')).toMatchObject({ reason: 'restart' });
    await dap.get('setExpression', { expression: 'data.users.bob.roles[1]', value: 'concat("-", ["a", "b"])' });
    await dap.event('stopped');
    await move('continue');
    expect(values(await scope('Result'))).toMatchObject({ value: '{"a-b", "guest"}' });
  });

  test.each([
    ['x', '1'],
    ['data.shop.allow.x[y]', '1'],
    ['input.user', 'nosuch'],
    ['input.user.name', '1'],
  ])('%s cannot be set to %s', async (expression, value) => {
    await start({ ...allow, stopOnEntry: true });
    await dap.event('stopped');
    expect(await dap.ask('setExpression', { expression, value })).toMatchObject({ success: false });
  });

  test.each([
    ['input.', 7, ['action', 'order', 'user']],
    ['starts', 7, ['startswith']],
    ['rol', 4, ['role']],
  ])('completions of %j at %i are %j', async (text, column, labels) => {
    await start(allow, { at: 'grants[role]' });
    await dap.event('stopped');
    const { targets } = await dap.get<{ targets: { label: string; start: number; length: number }[] }>('completions', {
      text,
      column,
      frameId: (await top()).id,
    });
    expect(targets.map(({ label }) => label)).toEqual(expect.arrayContaining(labels));
    for (const { start: from, length, label } of targets) expect(label.startsWith(text.slice(from - 1, from - 1 + length))).toBe(true);
  });
});

describe('sources', () => {
  test('are listed with their texts', async () => {
    await start({ ...allow, stopOnEntry: true });
    await dap.event('stopped');
    const { sources } = await dap.get<{ sources: { name: string; path?: string; sourceReference?: number }[] }>('loadedSources');
    expect(sources).toContainEqual({ name: 'shop.rego', path: shop.policy });
    expect(await dap.get('source', { source: { path: shop.policy }, sourceReference: 0 })).toMatchObject({ content: shopPolicy });
    const query = sources.find(({ name }) => name === '<query>');
    expect(await dap.get('source', { sourceReference: query!.sourceReference })).toMatchObject({ content: allow.query });
    expect(await dap.ask('source', { sourceReference: 99 })).toMatchObject({ success: false });
    expect(await dap.get('modules')).toMatchObject({ modules: [{ path: shop.policy }], totalModules: 1 });
  });

  test('tell where breakpoints can stand', async () => {
    await start({ ...allow, stopOnEntry: true });
    const { breakpoints } = await dap.get<{ breakpoints: { line: number; column: number }[] }>('breakpointLocations', {
      source: { path: shop.policy },
      line: rowOf('some role in roles'),
      endLine: rowOf('print('),
    });
    expect(breakpoints.map(({ line, column }) => [line, column])).toEqual([1, 2, 3].map((i) => [rowOf('allow if {') + i, 2]));
  });

  test('of statements are disassembled around one, in exactly as many instructions as asked for', async () => {
    await start({ ...allow, stopOnEntry: true });
    await dap.event('stopped');
    const { instructionPointerReference: memoryReference } = await top();
    type Instruction = { address: string; instruction: string; presentationHint?: string };
    const { instructions } = await dap.get<{ instructions: Instruction[] }>('disassemble', {
      memoryReference,
      instructionOffset: -5,
      instructionCount: 20,
    });
    expect(instructions).toHaveLength(20);
    expect(instructions[5]!.address).toBe(memoryReference);
    expect(instructions[5]!.instruction).not.toBe('');
    expect(instructions.map(({ address }) => Number(address))).toEqual(instructions.map((_, i) => Number(memoryReference) - 5 + i));
    expect(await dap.ask('disassemble', { memoryReference, instructionCount: 1e9 })).toMatchObject({ success: false });
  });

  test('rows and columns count as the client says', async () => {
    await dap.get('initialize', { adapterID: 'writ', linesStartAt1: false, columnsStartAt1: false, pathFormat: 'uri' });
    await dap.get('launch', { ...shop.launch, ...allow });
    const source = { path: `file://${shop.policy}` };
    const set = await dap.get('setBreakpoints', { source, breakpoints: [{ line: rowOf('grants[role]') - 1 }] });
    expect(set).toMatchObject({ breakpoints: [{ verified: true, line: rowOf('grants[role]') - 1, column: 1, source }] });
  });
});
