/** The line that says how far a command has come. */
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { runWith, withFiles } from '../../test/harness/command.js';
import { allAtOnce } from '../../values/steps.js';
import { allowsProgress } from '../io.js';
import { Progress } from './progress.js';

const erase = '\r\u001b[2K';
const policies = {
  'p/a.rego': 'package a\n\np if input.x\n',
  'p/b.rego': 'package b\n\np if input.y\n',
  'p/a_test.rego': 'package a_test\n\nimport data.a\n\ntest_p if a.p with input.x as true\n\ntest_q if not a.p with input.x as false\n',
};

/** A command whose line is due at once. */
async function atTerminal(args: (directory: string) => string[], files: Readonly<Record<string, string>> = policies) {
  return await withFiles(files, (directory) => runWith({ progressLine: { afterMs: 0, everyMs: 0, columns: () => 80 } }, args(directory)));
}

test.each([
  ['check', (dir: string) => ['check', join(dir, 'p')], ['reading files', 'parsing policies: 3 of 3', 'checking policies']],
  ['check -b', (dir: string) => ['check', '-b', join(dir, 'p')], ['reading bundles', 'parsing policies: 3 of 3', 'checking policies']],
  ['fmt', (dir: string) => ['fmt', '-l', join(dir, 'p')], ['formatting policies: 3']],
  [
    'test',
    (dir: string) => ['test', join(dir, 'p')],
    ['parsing policies: 3 of 3', 'checking and planning policies', 'running tests: 2 of 2'],
  ],
  [
    'build',
    (dir: string) => ['build', '-t', 'plan', '-e', 'a/p', '-O', '1', '-o', join(dir, 'bundle.tar.gz'), join(dir, 'p')],
    ['parsing policies: 3 of 3', 'checking policies', 'planning', 'optimizing', 'formatting policies: 2 of 2', 'writing'],
  ],
])('%s tells its parts in their order, and erases the line at its end', async (_title, args, parts) => {
  const { exit, stdout, stderr } = await atTerminal(args);
  expect(exit).toBe(0);
  expect(stdout).not.toContain('\u001b');
  const lines = stderr.split(erase);
  const places = parts.map((part) => lines.findIndex((line) => line.startsWith(`${part} (`)));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(stderr.endsWith(erase)).toBe(true);
});

test('an error comes after the line is erased', async () => {
  const { exit, stderr } = await atTerminal((dir) => ['check', join(dir, 'p')], { 'p/a.rego': 'package a\n\np if x\n' });
  expect(exit).toBe(1);
  expect(stderr.split(erase).slice(-2)).toEqual([
    expect.stringMatching(/^checking policies \(\d+ s\)$/),
    expect.stringMatching(/^1 error occurred: .*var x is unsafe\n$/),
  ]);
});

test.each([
  ['check -f json', (dir: string) => ['check', '-f', 'json', join(dir, 'p')]],
  ['test -f tap', (dir: string) => ['test', '-f', 'tap', join(dir, 'p')]],
  ['build -f json', (dir: string) => ['build', '-f', 'json', '-o', join(dir, 'bundle.tar.gz'), join(dir, 'p')]],
])('%s is for programs and shows no line', async (_title, args) => {
  const { exit, stderr } = await atTerminal(args);
  expect([exit, stderr]).toEqual([0, '']);
});

test('work that ends before the time shows no line', async () => {
  await withFiles(policies, async (dir) => {
    const { exit, stderr } = await runWith({ progressLine: { afterMs: 60_000, everyMs: 0, columns: () => 80 } }, ['check', join(dir, 'p')]);
    expect([exit, stderr]).toEqual([0, '']);
  });
});

test.each([
  [{}, true],
  [{ TERM: 'xterm' }, true],
  [{ NO_COLOR: '1' }, true],
  [{ CI: 'false' }, true],
  [{ CI: 'true' }, false],
  [{ CI: '1' }, false],
  [{ TERM: 'dumb' }, false],
])('the environment %j allows the line: %s', (env, allowed) => {
  expect(allowsProgress(env)).toBe(allowed);
});

afterEach(() => void vi.useRealTimers());

/** A line with a clock of its own, and what it has written since the last call of `written`. */
function lineWithClock(columns = 80) {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  let text = '';
  const progress = new Progress((written) => void (text += written), { afterMs: 1000, everyMs: 100, columns: () => columns });
  const written = () => {
    const taken = text;
    text = '';
    return taken;
  };
  return { progress, written };
}

test('the line comes after a second, and again a second after other output', () => {
  const { progress, written } = lineWithClock();
  progress.stage('parsing', 7);
  vi.advanceTimersByTime(900);
  expect(written()).toBe('');
  progress.advance();
  vi.advanceTimersByTime(100);
  expect(written()).toBe(`${erase}parsing: 1 of 7 (1 s)`);
  progress.erase();
  expect(written()).toBe(erase);
  vi.advanceTimersByTime(900);
  expect(written()).toBe('');
  vi.advanceTimersByTime(100);
  expect(written()).toBe(`${erase}parsing: 1 of 7 (2 s)`);
  progress.end();
  vi.advanceTimersByTime(5000);
  expect(written()).toBe(erase);
});

test('work that lets no timer run is seen by its steps', () => {
  let text = '';
  const progress = new Progress((written) => void (text += written), { afterMs: 0, everyMs: 0, columns: () => 80 });
  const work = function* () {
    yield;
    yield;
  };
  progress.stage('checking');
  allAtOnce(work());
  progress.end();
  allAtOnce(work());
  expect(text).toBe(`${`${erase}checking (0 s)`.repeat(3)}${erase}`);
});

test('a line is shorter than the terminal is wide', () => {
  const { progress, written } = lineWithClock(20);
  progress.stage('a part with a long name', 12);
  vi.advanceTimersByTime(1000);
  expect(written()).toBe(`${erase}a part with a long `);
  progress.end();
});

test('a command with progress knows that it is at a terminal', () =>
  withFiles({ 'p.rego': 'package p\n\nallow if inptu.x\n' }, async (dir) => {
    const progressLine = { afterMs: 60_000, everyMs: 0, columns: () => 80 };
    const { stderr } = await runWith({ progressLine, isTerminal: () => true, env: { NO_COLOR: '1' } }, ['check', join(dir, 'p.rego')]);
    expect(stderr).toContain('hint: did you mean `input`?');
  }));
