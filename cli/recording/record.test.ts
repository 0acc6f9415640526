/** Recordings, as the command writes them. */

import { readFileSync, rmSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { eventNames } from '../../views/recording/plan-events.js';
import { readRecording } from '../../views/recording/read-recording.js';
import type { Recording } from '../../views/recording/recording.js';

const schema = JSON.parse(readFileSync('docs/recording.schema.json', 'utf8')) as object;
const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

async function recorded(files: Readonly<Record<string, string>>, ...args: string[]) {
  return await withFiles(files, async (directory) => {
    const file = `${directory}/run.writtrace`;
    const given = args.map((arg) => arg.replace('DIR', directory));
    const { stdout, stderr, exit } = await runCommand('eval', '--record', file, ...given);
    let text = '';
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      return { stdout, stderr, exit, text, recording: undefined };
    }
    validate(JSON.parse(text));
    expect(validate.errors ?? []).toEqual([]);
    return { stdout, stderr, exit, text, recording: readRecording(text) };
  });
}

/** The events as lines: name, place, values. */
function lines({ runs }: Recording): readonly string[] {
  return runs.flatMap(({ events }) => {
    let stored = 0;
    return events.op.map((op, i) => {
      const name = eventNames[op]!;
      const values = events.values.slice(stored, (stored += events.stores[i]!)).map((value) => events.texts[value] ?? 'undefined');
      const place = (name === 'call' || name === 'return' ? events.owners : events.statements)[events.at[i]!]!;
      return [name, place, ...values].join(' ');
    });
  });
}

const policies = {
  'p/p.rego': 'package p\n\nallow if {\n  some x in input.xs\n  f(x)\n}\n\nf(x) if x > 2\n',
  'input.json': '{"xs": [1, 3], "password": "hunter22"}',
};
const given = ['-d', 'DIR/p', '-i', 'DIR/input.json'];

describe('eval --record', () => {
  test('records the events of the plan of policies, and prints the result as always', async () => {
    const { stdout, recording } = await recorded(policies, ...given, '-f', 'raw', 'data.p.allow');
    expect(stdout).toBe('true\n');
    const { query, runs, sources, result } = recording!;
    expect({ query, entrypoints: runs.map(({ entrypoint }) => entrypoint) }).toEqual({ query: 'data.p.allow', entrypoints: ['p/allow'] });
    expect(sources.map(({ file }) => file.split('/').at(-1))).toEqual(['p.rego']);
    expect(result).toMatchObject([{ expressions: [{ value: true }] }]);
    const events = lines(recording!);
    expect(events[0]).toBe('call p/allow');
    expect(events.at(-1)).toBe('return p/allow {"result": true}');
    expect(events.filter((line) => line.startsWith('round'))).toEqual([
      expect.stringMatching(/^round g0\.data\.p\.allow\/\S+ 0 1$/),
      expect.stringMatching(/^round g0\.data\.p\.allow\/\S+ 1 3$/),
    ]);
    expect(events.filter((line) => line.startsWith('call g0.data.p.f'))).toEqual(['call g0.data.p.f 1', 'call g0.data.p.f 3']);
  });

  test('names sources as the positions of the plan do', async () => {
    const { recording } = await recorded(policies, ...given, 'data.p.allow');
    const { sources, runs } = recording!;
    const files = runs[0]!.profile.statements.flatMap(({ location }) => location?.file ?? []).filter((file) => file.endsWith('.rego'));
    expect(files.length).toBeGreaterThan(5);
    expect(files.every((name) => sources.some(({ file }) => file === name))).toBe(true);
  });

  test('records a plan without sources, and all plans of a package', async () => {
    const { recording } = await recorded({}, '-b', 'fixtures/bundles/example', '-i', 'fixtures/bundles/example-input.json', 'data.authz');
    expect(recording!.runs.map(({ entrypoint }) => entrypoint)).toEqual(['authz/allow']);
    expect(recording!.sources).toEqual([]);
    expect(lines(recording!).at(-1)).toBe('return authz/allow {"result": true}');
  });

  test('has the policies beside a plan, if their lines are those of the plan, or the files that it names', async () => {
    const otherLines = 'package p\n\n\n\nallow   if { some x in input.xs;f( x ) }\n\nf(x) if x > 2\n';
    for (const [text, isThere, count] of [
      [policies['p/p.rego'].replaceAll('  ', '\t'), false, 1],
      [otherLines, false, 0],
      [otherLines, true, 1],
    ] as const) {
      const files = { ...policies, 'p/p.rego': text };
      await withFiles(files, async (directory) => {
        const [bundle, file] = [`${directory}/b.tar.gz`, `${directory}/r.writtrace`];
        await runCommand('build', '-t', 'plan', '-e', 'p/allow', '-o', bundle, `${directory}/p`);
        if (!isThere) rmSync(`${directory}/p/p.rego`);
        await runCommand('eval', '-b', bundle, '-i', `${directory}/input.json`, '--record', file, 'data.p.allow');
        expect(readRecording(readFileSync(file, 'utf8')).sources).toHaveLength(count);
      });
    }
  });

  test('records any query, and one without a result', async () => {
    const { recording } = await recorded(policies, ...given, 'x := data.p.allow; x == false');
    expect(recording!.runs[0]!.entrypoint).toBe('query');
    expect(recording!.result).toBeUndefined();
    expect(lines(recording!).at(-1)).toBe('return query');
  });

  test('records an evaluation up to its error', async () => {
    const conflict = { 'p.rego': 'package p\n\nx := 1 if input.a\n\nx := 2 if input.b\n', 'input.json': '{"a": true, "b": true}' };
    const { recording, exit } = await recorded(conflict, '-d', 'DIR/p.rego', '-i', 'DIR/input.json', 'data.p.x');
    expect(exit).toBe(2);
    expect(recording!.errors).toMatchObject([{ code: 'eval_conflict_error' }]);
    expect(recording!.runs[0]!.error).toContain('complete rules must not produce multiple outputs');
    expect(lines(recording!).at(-1)).toMatch(/^error g0\.data\.p\.x\/\S+ complete rules/);
  });

  test('has the random numbers and the time of the result', async () => {
    const random = { 'p.rego': 'package p\n\nx := [rand.intn("a", 1000000), time.now_ns()]\n' };
    const { stdout, recording } = await recorded(random, '-d', 'DIR/p.rego', '-f', 'raw', 'data.p.x');
    const [, result] = /"result": (\[.*\])/.exec(lines(recording!).at(-1)!)!;
    expect(result!.replaceAll(' ', '')).toBe(stdout.trim());
  });

  test('is cut after a number of events, which are counted on', async () => {
    const { recording } = await recorded(policies, ...given, '--events', '5', 'data.p.allow');
    const { events, profile } = recording!.runs[0]!;
    expect(events.op).toHaveLength(5);
    expect(events.total).toBeGreaterThan(20);
    const whole = await recorded(policies, ...given, '--events', '0', 'data.p.allow');
    expect(whole.recording!.runs[0]!.events.op).toHaveLength(events.total);
    expect(whole.recording!.runs[0]!.profile.count).toBe(profile.count);
  });

  test('cuts values', async () => {
    const { recording } = await recorded(policies, ...given, '--values', '3', 'data.p.allow');
    expect(lines(recording!)).toContainEqual(expect.stringMatching(/ \[1,…$/));
  });

  test('is not for partial evaluation', async () => {
    const { exit, stderr } = await recorded(policies, ...given, '--partial', 'data.p.allow');
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringContaining('--record or --partial') as unknown });
  });
});

describe('masked values', () => {
  const secret = {
    ...policies,
    'p/q.rego': 'package q\n\nx := concat("-", ["a", input.password])\n\ny := object.get(input, "password", "")\n',
    'input.json': '{"xs": [1, 3], "password": "hunter22", "deep": {"admin": true}}',
  };
  const mask = (name: string) => `package ${name}\n\nmask contains "/input/password"\n\nmask contains "/input/deep/admin"\n`;

  test.each([
    ['by the mask policy of the decision log', 'system.log', [] as string[]],
    ['by the policy that a flag names', 'ours', ['--mask-decision', 'data.ours.mask']],
    ['by the policy that a flag names as a path', 'ours', ['--mask-decision', '/ours/mask']],
  ])('are nowhere in the file, %s', async (_title, name, flags) => {
    const files = { ...secret, 'p/mask.rego': mask(name) };
    const { recording, text } = await recorded(files, ...given, ...flags, 'data.q');
    expect(text).not.toContain('hunter22');
    expect(recording!.masked).toEqual(['/input/deep/admin', '/input/password']);
    expect(recording!.input).toEqual({ xs: [1, 3], password: '[masked]', deep: { admin: '[masked]' } });
  });

  test('are where no policy masks them', async () => {
    expect((await recorded(secret, ...given, 'data.q')).text).toContain('hunter22');
  });

  test('truth values are masked by their place', async () => {
    const files = { ...secret, 'p/mask.rego': mask('system.log'), 'p/r.rego': 'package r\n\nx if input.deep.admin\n' };
    const { recording } = await recorded(files, ...given, 'data.r.x');
    const looked = lines(recording!).filter((line) => line.endsWith('[masked]'));
    expect(looked.length).toBeGreaterThan(0);
  });

  test('by the entrypoint of a plan', async () => {
    const files = { ...secret, 'p/mask.rego': mask('system.log') };
    await withFiles(files, async (directory) => {
      const bundle = `${directory}/bundle.tar.gz`;
      await runCommand('build', '-t', 'plan', '-e', 'q', '-e', 'system/log/mask', '-o', bundle, `${directory}/p`);
      const plan = await runCommand('inspect', bundle, '-f', 'json');
      expect(plan.exit).toBe(0);
      const file = `${directory}/run.writtrace`;
      expect((await runCommand('eval', '-b', bundle, '-i', `${directory}/input.json`, '--record', file, 'data.q')).exit).toBe(0);
      expect(readFileSync(file, 'utf8')).not.toContain('hunter22');
    });
  });

  test.each([
    ['mask := 1', 'unexpected rule format'],
    ['mask contains "input"', 'mask must be slash-prefixed'],
    ['mask := 1 if true\n\nmask := 2 if input', 'multiple outputs'],
  ])('nothing is recorded if the policy fails: %s', async (rule, reason) => {
    const files = { ...secret, 'p/mask.rego': `package system.log\n\n${rule}\n` };
    const { stderr, exit, text } = await recorded(files, ...given, 'data.q');
    expect({ exit, text }).toEqual({ exit: 2, text: '' });
    expect(stderr).toContain('the mask decision failed');
    expect(stderr).toContain(reason);
  });

  test('nothing is recorded if the policy of the flag is not there', async () => {
    const { stderr, exit, text } = await recorded(secret, ...given, '--mask-decision', 'data.none.mask', 'data.q');
    expect({ exit, text }).toEqual({ exit: 2, text: '' });
    expect(stderr).toContain('the mask decision data.none.mask is undefined');
  });
});

describe('a file that is no recording', () => {
  const bad: readonly (readonly [string, (recording: Record<string, unknown>) => unknown, string])[] = [
    ['an array', () => [], 'the document is no object'],
    ['another format', (recording) => ({ ...recording, format: 'x' }), 'the member "format"'],
    ['a later version', (recording) => ({ ...recording, version: 2 }), 'version 2 is not known'],
    ['no runs', (recording) => ({ ...recording, runs: undefined }), 'runs is no array'],
    ['a plan that is none', (recording) => ({ ...recording, policies: [{ plans: 1 }] }), 'invalid plan'],
    ['no policy', (recording) => ({ ...recording, policies: [] }), 'a run is of no policy'],
  ];
  test.each(bad)('is refused: %s', async (_title, change, reason) => {
    const { text } = await recorded(policies, ...given, 'data.p.allow');
    expect(() => readRecording(JSON.stringify(change(JSON.parse(text) as Record<string, unknown>)))).toThrow(reason);
  });

  const columns: readonly (readonly [string, string, unknown, string])[] = [
    ['an unknown event', 'op', (all: number[]) => all.with(0, 99), 'event 0 is out of range'],
    ['an event nowhere', 'at', (all: number[]) => all.with(3, 1e6), 'event 3 is out of range'],
    ['a shorter column', 'at', (all: number[]) => all.slice(1), 'differ in length'],
    ['other values', 'values', (all: number[]) => [...all, 0], 'other values than events store'],
    ['a value without a text', 'values', (all: number[]) => all.with(0, 1e6), 'a value has no text'],
    ['a text among numbers', 'op', (all: number[]) => ['x', ...all], 'of another type'],
    ['another statement', 'statements', () => ['x/0.0'], 'the plan does not have'],
  ];
  test.each(columns)('is refused: %s', async (_title, name, change, reason) => {
    const { text } = await recorded(policies, ...given, 'data.p.allow');
    const recording = JSON.parse(text) as { runs: { events: Record<string, unknown> }[] };
    const events = recording.runs[0]!.events;
    events[name] = (change as (all: unknown) => unknown)(events[name]);
    expect(() => readRecording(JSON.stringify(recording))).toThrow(reason);
  });

  test('is refused: no JSON', () => {
    expect(() => readRecording('{')).toThrow('invalid recording: it is no JSON');
  });
});
