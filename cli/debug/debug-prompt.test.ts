/** Sessions of `writ debug`, line by line. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { debugInfoPath } from '../../engine/bundle/bundle-paths.js';
import { runCommand, withFiles } from '../../test/harness/command.js';
import type { LaunchArguments } from '../../views/debug/session.js';
import type { Io } from '../io.js';
import { explanationStyle } from '../output/color.js';
import { DebugPrompt } from './debug-prompt.js';
import { launcher } from './launch.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const io: Io = { stdin: () => new Uint8Array(), stdout: () => undefined, stderr: () => undefined, env: {}, color: false };

/** What the lines of a session are answered, with `> ` before each line. */
async function sessionOf(args: LaunchArguments, lines: readonly string[]): Promise<string> {
  let printed = '';
  const session = await launcher(io)(args, { onOutput: ({ kind, text }) => void (printed += `${kind}: ${text}\n`) });
  const prompt = new DebugPrompt(session, (text) => void (printed += text));
  await prompt.start();
  for (const line of lines) {
    printed += `(debug) ${line}\n`;
    if (!(await prompt.line(line))) break;
  }
  session.dispose();
  return printed;
}

const policy = `package authz

default allow := false

may(role, action) if {
	some grant in data.roles[role]
	grant == action
}

blocked contains name if {
	some name in data.blocked
	not startswith(name, "test")
}

allow if {
	input.method == "GET"
	role := input.user.role
	may(role, input.action)
	not input.user.name in blocked
}

allow if {
	input.method == "POST"
	large := [x | some x in input.list; x > 1]
	count(large) > 2
}

test_allow if allow with input as {"method": "GET", "action": "read", "user": {"name": "eve", "role": "admin"}}

test_print if {
	print("here", input)
	1 / 0
}

two := 1 if input.x

two := 2 if input.y

roll := rand.intn("n", 1000)
`;

const files = {
  'authz.rego': policy,
  'data.json': '{"roles": {"admin": ["read", "write"]}, "blocked": ["bob", "testy"]}',
  'input.json': '{"method": "GET", "action": "write", "user": {"name": "alice", "role": "admin"}, "list": [1, 2, 3, 4]}',
};

/** A session over the policy; the directory is left out of what it prints. */
async function sessionOver(args: LaunchArguments, lines: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> {
  return await withFiles({ ...files, ...more }, async (directory) => {
    const paths = (given: readonly string[] | undefined) => given?.map((path) => join(directory, path));
    const path = (given: string | undefined) => (given === undefined ? undefined : join(directory, given));
    const named = Object.entries({
      ...args,
      data: paths(args.data ?? (args.plan === undefined && args.bundle === undefined ? ['authz.rego', 'data.json'] : [])),
      bundle: paths(args.bundle),
      inputPath: path(args.inputPath ?? (args.decision === undefined ? 'input.json' : undefined)),
      decision: path(args.decision),
      plan: path(args.plan),
    }).filter(([, value]) => value !== undefined);
    const printed = await sessionOf(Object.fromEntries(named) as LaunchArguments, lines);
    return printed.replaceAll(`${directory}/`, '');
  });
}

async function answers(lines: readonly string[], args: LaunchArguments = { query: 'data.authz.allow' }): Promise<readonly string[]> {
  const printed = await sessionOver(args, lines);
  return printed.split(/^\(debug\) .*\n/m).slice(1);
}

test('the session of docs/debug.md is as it is written there', async () => {
  const page = readFileSync(join(root, 'docs/debug.md'), 'utf8');
  const [, shown] = /\n {4}\$ writ debug -d fixtures\/example.*\n((?: {4}.*\n)+)/.exec(page)!;
  const expected = shown!.replace(/^ {4}/gm, '');
  const lines = [...expected.matchAll(/^\(debug\) (.*)$/gm)].map(([, line]) => line!);
  const args = { query: 'data.authz.allow', data: ['fixtures/example'], inputPath: 'fixtures/example-input.json' };
  expect(await sessionOf(args, lines)).toBe(expected);
});

test('the command reads lines from a pipe', () => {
  const lines = 'break authz.rego:16\nc\np role\nback\nwhere\nq\n';
  const args = ['debug', '-d', 'fixtures/example', '-i', 'fixtures/example-input.json', 'data.authz.allow'];
  const { stdout, status } = spawnSync(join(root, 'bin/writ'), args, { cwd: root, input: lines, encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain('"reader"\nstep, in data.authz.allow at fixtures/example/authz.rego:15\n');
});

describe('where a with has replaced functions, so it is for expressions', () => {
  const mocked = `package p

double(x) := x * 2

triple(x) := x * 3

twice(x) := double(x) + 0

limit := 10

under if {
	n := twice(input.n)
	n < limit
}

shout(x) := upper(x)

plain if twice(1) == 2

test_mocks if {
	some v in [100, 200]
	under with double as v with data.p.limit as 1000 with input.n as 5
	under with double as triple with input.n as 1
	shout("a") == "b" with upper as "b"
	shout("A") == "a" with upper as lower
	plain
}
`;
  const session = (lines: readonly string[]) => sessionOver({ test: 'test_mocks', data: ['p.rego'] }, lines, { 'p.rego': mocked });
  const printed = async (lines: readonly string[]) => (await session(lines)).split(/^\(debug\) .*\n/m).slice(1);

  test.each([
    ['a value that is known when the test runs', 'p.rego:13', 0, ['100', '100', '1000', '3', '"Z"']],
    ['a function', 'p.rego:13', 1, ['21', '21', '10', '3', '"Z"']],
    ['a value in place of a built-in', 'p.rego:16', 0, ['14', '14', '10', '3', '"b"']],
    ['another built-in', 'p.rego:16', 1, ['14', '14', '10', '3', '"z"']],
    ['nothing', 'p.rego:18', 0, ['14', '14', '10', '3', '"Z"']],
  ])('%s', async (_title, place, later, expected) => {
    const expressions = ['double(7)', 'twice(7)', 'limit', 'double(1) with double as triple', 'upper("z")'];
    const moves = [`break ${place}`, ...Array.from({ length: later + 1 }, () => 'c')];
    const found = await printed([...moves, ...expressions.map((text) => `p ${text}`)]);
    expect(found.slice(moves.length).map((line) => line.trimEnd())).toEqual(expected);
  });

  test('of conditions and log points too', async () => {
    const [, , first] = await printed(['break p.rego:13 log {double(1)} {twice(1)}', 'break p.rego:13 if double(1) == 3', 'c']);
    expect(first).toMatch(/^log: 100 100\nlog: 3 3\nbreakpoint 2, in data\.p\.under at p\.rego:13\n/);
  });
});

describe('moving', () => {
  test('steps go into calls, over them, out of them and back', async () => {
    const [, , into, out, back, over, end] = await answers([
      'until authz.rego:18',
      'print role',
      'step may',
      'out',
      'back',
      'next',
      'continue',
    ]);
    const inside = 'step, in data.authz.may(role, action) at authz.rego:6\n> 6 | \tsome grant in data.roles[role]\n';
    expect(into).toBe(`${inside}  role = "admin"\n  action = "write"\n`);
    const returned = '  data.authz.may(role, action) is true\n';
    expect(out).toBe(`step, in data.authz.allow at authz.rego:19\n> 19 | \tnot input.user.name in blocked\n${returned}`);
    expect(back).toBe(inside);
    expect(over).toBe('step, in data.authz.may(role, action) at authz.rego:7\n> 7 | \tgrant == action\n  grant = "read"\n');
    expect(end).toBe('end: true\n');
  });

  test('a run to a place is no step: going back from there is a step back', async () => {
    const printed = await answers(['until authz.rego:7', 'back', 'until authz.rego:19', 'next', 'back', 'back']);
    const places = printed.map((text) => / at (\S+)\n/.exec(text)?.[1]);
    expect(places).toEqual(['authz.rego:7', 'authz.rego:6', 'authz.rego:19', 'authz.rego:15', 'authz.rego:19', 'authz.rego:18']);
  });

  test('steps pass rules or statements', async () => {
    const [, rule, , statement, plan] = await answers(['by rule', 'step', 'by statement', 'step', 'plan 1']);
    expect(rule).toBe('step, in data.authz.allow at authz.rego:23\n> 23 | \tinput.method == "POST"\n');
    expect(statement).toBe(rule);
    expect(plan).toContain('> g0.data.authz.allow/0.1  Equal l4 == "POST"   (guard)\n');
  });

  test('the same stops are found on the way back', async () => {
    const lines = ['break 7', 'c', 'c', 'c', 'rc', 'rc', 'rc'];
    const [, first, second, end, back, again, start] = await answers(lines.with(0, 'break authz.rego:7'));
    expect(first).toBe('breakpoint 1, in data.authz.may(role, action) at authz.rego:7\n> 7 | \tgrant == action\n');
    expect(second).toBe(first);
    expect(end).toBe('end: true\n');
    expect([back, again]).toEqual([second, first]);
    expect(start).toBe('start, in query at <query>:1\n> 1 | data.authz.allow\n');
  });

  test('a step back from the first expression stays there', async () => {
    const [next, ...back] = await answers(['step', 'back', 'back', 'back']);
    expect(next).toContain('step, in data.authz.allow');
    expect(back).toEqual(['step', 'start', 'start'].map((reason) => `${reason}, in query at <query>:1\n> 1 | data.authz.allow\n`));
  });
});

describe('where a value comes from', () => {
  test('a variable is followed back to its last write', async () => {
    const [, back, second] = await answers(['until authz.rego:19', 'back role', 'print role']);
    expect(back).toBe('step: role gets its value here, in data.authz.allow at authz.rego:17\n> 17 | \trole := input.user.role\n');
    expect(second).toBe('undefined\n');
  });

  test('of a loop to the round that has given it', async () => {
    const [, back, value, again] = await answers(['until authz.rego:12', 'back name', 'print name', 'back name']);
    expect(back).toMatch(/^error: name has got its value here, by the round of the loop\n/);
    expect([value, again]).toEqual(['"bob"\n', back]);
  });

  test('a rule, too', async () => {
    const [, back] = await answers(['c', 'back data.authz.blocked']);
    expect(back).toContain('step: data.authz.blocked gets its value here, in data.authz.blocked at authz.rego:10\n');
  });

  test.each(['nosuch', 'data.authz.nosuch', 'large'])('%s has none', async (name) => {
    const [, back, where] = await answers(['until authz.rego:19', `back ${name}`, 'where']);
    expect(back).toMatch(/^error: /);
    expect(where).toContain('* 0 data.authz.allow at authz.rego:19\n');
  });

  test('a watched variable stops where it gets a value', async () => {
    const [set, first, second, end] = await answers(['break value grant', 'c', 'c', 'c']);
    expect(set).toBe('breakpoint 1 at grant\n');
    expect(first).toContain('data breakpoint 1: grant is "read", in data.authz.may(role, action) at authz.rego:7\n');
    expect(second).toContain('data breakpoint 1: grant is "write", in data.authz.may(role, action) at authz.rego:7\n');
    expect(end).toBe('end: true\n');
  });

  test('under a condition only then', async () => {
    const [, first, end] = await answers(['break value grant if grant == "write"', 'c', 'c']);
    expect(first).toContain('grant is "write"');
    expect(end).toBe('end: true\n');
  });
});

test('errors of built-ins are told, also where they are only undefined', async () => {
  const [run, again] = await answers(['c', 'rc'], { query: 'data.authz.test_print' });
  expect(run).toContain('error: div: divide by zero\n');
  expect(again).not.toContain('div: divide by zero');
});

test('a rule has its value by the end of its name, where no variable has that name', async () => {
  const [, back] = await answers(['c', 'back blocked']);
  expect(back).toBe((await answers(['c', 'back data.authz.blocked']))[1]!.replaceAll('data.authz.blocked gets', 'blocked gets'));
  const [set, stop] = await answers(['break value blocked', 'c']);
  expect(set).not.toContain('stops nowhere');
  expect(stop).toContain('in data.authz.blocked');
});

test('an expression says why it is undefined', async () => {
  expect(await answers(['print 1 / 0', 'print input.nothing'])).toEqual(['undefined: div: divide by zero\n', 'undefined\n']);
});

describe('at a terminal', () => {
  const open = async (options?: ConstructorParameters<typeof DebugPrompt>[2]) => {
    let printed = '';
    const session = await launcher(io)({ query: 'data.authz.allow', data: ['fixtures/example'], inputPath: 'fixtures/example-input.json' });
    const prompt = new DebugPrompt(session, (text) => void (printed += text), options);
    await prompt.start();
    const line = async (text: string) => {
      printed = '';
      await prompt.line(text);
      return printed;
    };
    return { prompt, line };
  };

  test('an empty line repeats the last movement, and no other command', async () => {
    const { line } = await open({ repeats: true });
    const [first, second] = [await line('step'), await line('')];
    expect(second).toMatch(/^step, in data\.authz\.allow at /);
    expect(second).not.toBe(first);
    await line('locals');
    expect(await line('')).toBe('');
    expect(await (await open()).line('')).toBe('');
  });

  test.each([
    ['unt', ['until'], 'unt'],
    ['by ', ['expression', 'rule', 'statement'], ''],
    ['break auth', ['authz.rego:'], 'auth'],
    ['break data.authz.al', ['data.authz.allow'], 'data.authz.al'],
    ['print input.us', ['user'], 'us'],
    ['break authz.rego:9 if input.ac', ['action'], 'ac'],
    ['locals x', [], 'x'],
    ['break al', ['allow'], 'al'],
    ['break value data.authz.al', ['data.authz.allow'], 'data.authz.al'],
  ])('%j is completed', async (line, found, end) => {
    expect((await open()).prompt.complete(line)).toEqual([found, end]);
  });

  test('rules of the package and variables are completed where the evaluation is', async () => {
    const { prompt, line } = await open();
    await line('step');
    expect(prompt.complete('print allo')).toEqual([['allow'], 'allo']);
    expect(prompt.complete('break value ro')).toEqual([['role'], 'ro']);
  });

  test('the stop and its line have colours', async () => {
    const { line } = await open({ style: explanationStyle });
    expect(await line('step')).toMatch(/^\u001b\[1mstep, in .*\u001b\[22m\n\u001b\[32m> 15 \| /);
    expect(await line('fly')).toBe('\u001b[31merror: there is no command fly: see help\u001b[39m\n');
  });
});

describe('breakpoints', () => {
  test.each([
    ['break authz.rego:7 if grant == "write"', '"write"'],
    ['break authz.rego:7 hit 2', '"write"'],
    ['break authz.rego:7 hit %2', '"write"'],
    ['break may', 'undefined'],
    ['break data.authz.may if role == "admin"', 'undefined'],
    ['break authz.rego:5', 'undefined'],
    ['break authz.rego:4', 'undefined'],
  ])('%s', async (line, grant) => {
    const [set, , printed] = await answers([line, 'c', 'print grant']);
    expect(set).toMatch(/^breakpoint 1 at authz\.rego:\d/);
    expect(printed).toBe(`${grant}\n`);
  });

  test('in a file that several names end with are in none of them', async () => {
    const more = { 'a/p.rego': 'package a\nx := 1 if input', 'b/p.rego': 'package b\ny := data.a.x' };
    const printed = await sessionOver({ query: 'data.b.y', data: ['a', 'b'] }, ['break p.rego:2', 'break b/p.rego:2'], more);
    expect(printed).toContain('breakpoint 1 stops nowhere: p.rego names several policies: ');
    expect(printed).toContain('breakpoint 2 at b/p.rego:2\n');
  });

  test('that log do not stop', async () => {
    const [, run] = await answers(['break authz.rego:7 log {grant} is {grant == action}', 'c']);
    expect(run).toBe('log: read is false\nlog: write is true\nend: true\n');
  });

  test.each([
    ['log "{grant} of \\"{role}\\"" hit 2', 'write of "admin"'],
    ['hit 2 log "if {grant}"', 'if write'],
    ['if grant == "write" log "{grant}" hit 1', 'write'],
    ['log "{grant}" if grant == "write"', 'write'],
    ['if grant == "write" log "a" and {grant}', '"a" and write'],
    ['if grant == "write" log if {grant} hit 1', 'if write hit 1'],
  ])('whose text is in quotes where more follows: %s', async (options, logged) => {
    const [, run] = await answers([`break authz.rego:7 ${options}`, 'c']);
    expect(run).toMatch(/^(?:log: .*\n)+end: true\n$/);
    expect(run).toContain(`log: ${logged}\nend: true\n`);
  });

  test('of values stop where a rule or a key gets one', async () => {
    const [, rule, , , key] = await answers(['break value data.authz.allow', 'c', 'delete 1', 'break value data.authz.blocked.bob', 'rc']);
    expect(rule).toBe('data breakpoint 1: data.authz.allow is true, in data.authz.allow at authz.rego:15\n> 15 | allow if {\n');
    expect(key).toBe(
      'data breakpoint 2: data.authz.blocked is {"bob"}, in data.authz.blocked at authz.rego:10\n> 10 | blocked contains name if {\n',
    );
  });

  test('of values have the variables of the rules that give them', async () => {
    const [, run] = await answers(['break value data.authz.may log {role} may {grant}', 'c']);
    expect(run).toBe('log: admin may write\nend: true\n');
    const [, other] = await answers(['break value data.authz.blocked if name == "bob"', 'c']);
    expect(other).toMatch(/^data breakpoint 1: /);
    const [none] = await answers(['break value data.authz.blocked if grant == "bob"']);
    expect(none).toBe('error: there is no variable grant here\n');
  });

  test('of addresses stop at the statement', async () => {
    const [, run] = await answers(['break g0.data.authz.allow/1.8', 'c']);
    expect(run).toContain('breakpoint 1, in data.authz.allow at authz.rego:18\n');
  });

  test.each([
    ['break nowhere.rego:1', 'breakpoint 1 stops nowhere: no policy that is evaluated has the name nowhere.rego\n'],
    ['break authz.rego:9999', 'breakpoint 1 stops nowhere: nothing is evaluated at line 9999 of authz.rego or below it\n'],
    ['break nobody', 'breakpoint 1 stops nowhere: no rule that is evaluated has the name nobody\n'],
    ['break p/0.0', 'breakpoint 1 stops nowhere: the plan has no statement p/0.0\n'],
    ['break value data.x.y', 'breakpoint 1 stops nowhere: no rule gives data.x.y a value\n'],
    ['break authz.rego:7 if nope(', 'error: '],
    ['break authz.rego:7 if other > 1', 'error: there is no variable other here\n'],
    ['break authz.rego:7 hit many', 'error: a hit count is a number, or >, >=, <, <= or % with a number, not many\n'],
    ['delete 7', 'error: there is no breakpoint 7\n'],
    ['delete x', 'error: there is no breakpoint x\n'],
    ['frame 9', 'error: there is no frame 9: see where\n'],
    ['fly', 'error: there is no command fly: see help\n'],
    ['until nowhere', 'error: no rule that is evaluated has the name nowhere\n'],
    ['by magic', 'error: a step passes an expression, a rule or a statement\n'],
    ['print', 'error: print takes an expression\n'],
    ['input.x.y[z] = 1', 'error: '],
    ['input = nope(1)', 'error: '],
    ['list many', 'error: many is no number of lines\n'],
    ['fail now', 'error: fail takes nothing, or if EXPRESSION\n'],
    ['step may', 'error: may is not called here: data.authz.allow\n'],
  ])('%s is answered', async (line, answer) => {
    const [first] = await answers([line]);
    expect(first!.startsWith(answer)).toBe(true);
    expect(first!.endsWith('\n')).toBe(true);
  });
});

describe('where a rule exits', () => {
  test.each([
    ['the second rule', { method: 'POST', list: [2, 3, 4] }, 'authz.rego:22', ['large = [2, 3, 4]']],
    ['the first rule', { method: 'GET', action: 'read', user: { name: 'eve', role: 'admin' } }, 'authz.rego:15', ['role = "admin"']],
    ['the default rule', { method: 'PUT' }, 'authz.rego:3', []],
  ])('%s is shown that gave the value', async (_title, input, place, locals) => {
    const moves = ['c', 'locals', 'c', 'locals', 'c', 'locals'];
    const shown = await answers([`input = ${JSON.stringify(input)}`, 'exit', ...moves]);
    const at = shown.findIndex((text) => text.startsWith('rule-exit: data.authz.allow is '));
    expect(shown[at]!.split('\n')[0]).toMatch(new RegExp(` in data\\.authz\\.allow at ${place}$`));
    for (const local of locals) expect(shown[at + 1]).toContain(local);
  });
});

describe('filters', () => {
  test.each([
    ['fail', 'fail: input.method is "GET", not "POST", in data.authz.allow at authz.rego:23'],
    ['skipped', 'skipped: input.method is "GET", the rule needs "POST", in data.authz.allow at authz.rego:23'],
    ['exit', 'rule-exit: data.authz.may is true, in data.authz.may(role, action) at authz.rego:5'],
    ['exit if result == {"bob"}', 'rule-exit: data.authz.blocked is {"bob"}, in data.authz.blocked at authz.rego:10'],
    ['fail if grant == "read"', 'fail: grant is "read", and action is "write", in data.authz.may(role, action) at authz.rego:7'],
  ])('%s', async (line, headline) => {
    const [told, stopped] = await answers([line, 'c']);
    expect(told).toMatch(/^stops where /);
    expect(stopped!.split('\n')[0]).toBe(headline);
  });

  test.each([
    ['undefined', { query: 'data.authz.allow' }, ['input = {"method": "GET"}'], 'undefined: input.user is undefined'],
    ['conflict', { query: 'data.authz.two' }, ['input = {"x": 1, "y": 1}'], 'conflict: complete rules must not produce multiple outputs'],
    ['error', { query: 'data.authz.test_print' }, [], 'error: div: divide by zero'],
    ['undefined', { query: 'data.authz.test_print' }, [], 'undefined: 1 / 0 is undefined'],
  ])('%s stops %o', async (filter, args, before, start) => {
    const found = await answers([filter, ...before, 'c'], args);
    expect(found.at(-1)!.replace(/^print: .*\n/, '')).toContain(start);
  });

  test('are turned off by the same line', async () => {
    const [, off, run] = await answers(['fail', 'fail', 'c']);
    expect(off).toBe('stops no more where an expression fails\n');
    expect(run).toBe('end: true\n');
  });
});

describe('what is shown', () => {
  test('variables, rules, the stack and expressions are those of the frame', async () => {
    const lines = ['until authz.rego:12', 'locals', 'where', 'print startswith(name, "b")', 'rules', 'frame 1', 'print role', 'locals'];
    const [, locals, where, printed, rules, , role, outer] = await answers(lines);
    expect(locals).toBe('name = "bob"\n');
    expect(where).toBe('* 0 data.authz.blocked at authz.rego:12\n  1 data.authz.allow at authz.rego:19\n  2 query at <query>:1\n');
    expect(printed).toBe('true\n');
    expect(rules).toBe('data.authz.blocked = set(), so far\n');
    expect(role).toBe('"admin"\n');
    expect(outer).toBe('role = "admin"\n');
  });

  test('a comprehension is a frame of its own', async () => {
    const [, , where, locals] = await answers(['input.method = "POST"', 'until authz.rego:24:30', 'where', 'locals']);
    expect(where).toMatch(
      /^\* 0 comprehension large := \[x \| some x in input\.list; x > 1\] at authz\.rego:24\n {2}1 data\.authz\.allow at authz\.rego:24\n/,
    );
    expect(locals).toBe('x = 1\nlarge = undefined\n');
  });

  test('bodies and links of else have the names of their rules', async () => {
    const policy = 'package p\n\nsize(x) := n if {\n\tn := data.n[x]\n} else := x\n\nr if every x in [1] {\n\tsize(x) == 1\n\tx > 0\n}\n';
    const lines = ['until p.rego:5', 'where'];
    const printed = await sessionOver({ query: 'data.p.r', data: ['p.rego'] }, lines, { 'p.rego': policy });
    const names = [...printed.split('(debug) where\n')[1]!.matchAll(/^[* ] \d (.*) at /gm)].map(([, name]) => name);
    expect(names).toEqual(['data.p.size(x)', 'every x in [1] { … }', 'data.p.r', 'query']);
  });

  test('watched expressions are printed at each stop', async () => {
    const [first, next, , after] = await answers(['watch input.action', 'step', 'unwatch', 'step']);
    expect(first).toBe('  input.action = "write"\n');
    expect(next!.endsWith('  input.action = "write"\n')).toBe(true);
    expect(after).not.toContain('input.action = ');
  });

  test.each([
    ['a variable of another rule', 'large', 'large has no value here\n', '  large has no value here\n'],
    ['in a call', 'count(large) > 2', 'large has no value here\n', '  count(large) > 2: large has no value here\n'],
    ['two variables', 'large == name', 'large and name have no value here\n', '  large == name: large and name have no value here\n'],
    ['a variable without a value yet', 'role', 'undefined\n', '  role = undefined\n'],
    [
      'a name that nothing has',
      'nosuch',
      'error: there is no variable nosuch here\n',
      '  nosuch = error: there is no variable nosuch here\n',
    ],
  ])('a name out of its scope has no value: %s', async (_title, text, printed, watched) => {
    expect((await answers(['until authz.rego:17', `print ${text}`, `watch ${text}`])).slice(1)).toEqual([printed, watched]);
  });

  test('why tells what failed and what was skipped', async () => {
    const [, why] = await answers(['until authz.rego:19', 'why']);
    expect(why).toBe(
      'what failed last: authz.rego:7: grant is "read", and action is "write"\n' +
        'skipped data.authz.allow at authz.rego:22: input.method is "GET", the rule needs "POST"\n',
    );
  });

  test('what a negated expression denies has not failed', async () => {
    const [, why] = await answers(['until authz.rego:10', 'why']);
    expect(why!.split('\n')[0]).toBe('what failed last: authz.rego:7: grant is "read", and action is "write"');
  });

  test('a package is a frame with its path', async () => {
    const [, where] = await answers(['until may', 'where'], { query: 'data.authz' });
    expect(where).toMatch(/\n {2}\d data\.authz at <query>:1\n {2}\d query at <query>:1\n$/);
  });

  test('the second expression of a line is marked', async () => {
    const [printed] = await answers(['next'], { query: 'x := 1; x == 1' });
    expect(printed).toBe('step, in query at <query>:1\n> 1 | x := 1; x == 1\n    |         ^^^^^^\n  x = 1\n');
  });

  test('another input begins again', async () => {
    const [entry, run] = await answers(['input.user.role = "guest"', 'c']);
    expect(entry).toContain('restart, in query');
    expect(run).toBe('end: false\n');
  });

  test('another document of data, too', async () => {
    const [, run] = await answers(['data.blocked = ["alice"]', 'c']);
    expect(run).toBe('end: false\n');
  });

  test('the help names each command', async () => {
    const [help] = await answers(['help']);
    for (const word of ['step', 'rcontinue', 'until', 'skipped', 'watch', 'frame', 'input =']) expect(help).toContain(word);
  });
});

describe('launching', () => {
  test('a test by the end of its name', async () => {
    const [run] = await answers(['c'], { test: 'test_allow' });
    expect(run).toBe('end: true\n');
  });

  test('with replacements of the input', async () => {
    const [, shown] = await answers(['until authz.rego:18', 'print input.user.name'], { test: 'data.authz.test_allow' });
    expect(shown).toBe('"eve"\n');
  });

  test('a logged decision with its recorded built-ins', async () => {
    const event = {
      path: 'authz/roll',
      input: {},
      result: 7,
      nd_builtin_cache: { 'rand.intn': { '["n",1000]': 7 } },
      timestamp: '2026-01-02T03:04:05Z',
    };
    const printed = await sessionOver({ decision: 'event.json' }, ['c'], { 'event.json': JSON.stringify(event) });
    expect(printed).toContain('end: 7, as logged\n');
    const other = await sessionOver({ decision: 'event.json' }, ['c'], { 'event.json': `${JSON.stringify({ ...event, result: 8 })}\n` });
    expect(other).toContain('end: 7, but logged was 8\n');
  });

  test('an event of several, by its id or its place', async () => {
    const event = (id: string, result: number) => ({
      decision_id: id,
      path: 'authz/roll',
      result,
      nd_builtin_cache: { 'rand.intn': { '["n",1000]': result } },
    });
    const events = [event('a-1', 7), event('b-2', 8), event('3', 9)];
    const lines = `${events.map((one) => JSON.stringify(one)).join('\nlevel=info msg="another log"\n')}\n`;
    for (const text of [lines, JSON.stringify(events)]) {
      const ended = (decisionId: string) => sessionOver({ decision: 'event.json', decisionId }, ['c'], { 'event.json': text });
      expect(await ended('b-2')).toContain('end: 8, as logged\n');
      expect(await ended('1')).toContain('end: 7, as logged\n');
      expect(await ended('3')).toContain('end: 9, as logged\n');
      await expect(ended('4')).rejects.toThrow('the file has no event 4: it has 1 a-1, 2 b-2, 3 3');
      await expect(ended('0')).rejects.toThrow('no event 0');
    }
  });

  describe('a rule whose value is computed', () => {
    const rules = `package heads

inner := {"x": [y | some y in input.list], "n": twice(input.n)}

twice(x) := x * 2

chain := twice(input.n) if input.on
else := [x | some x in input.list] if input.other
else := 5

set contains [x | x := input.list[_]] if input.on

each[k] := {"v": [x | x := v]} if some k, v in input.list

either := [1 | input.on] if { input.on; not input.other }

either := twice(input.n) if input.other
`;
    const input = { list: [1, 2], n: 4, on: true, other: true };
    test.each([
      ['inner', input, ['3']],
      ['chain', input, ['7']],
      ['chain', { ...input, on: false }, ['7', '8']],
      ['chain', { ...input, on: false, other: false }, ['7', '8', '9']],
      ['set', input, ['11']],
      ['each', input, ['13']],
      ['either', { ...input, other: false }, ['17', '15']],
      ['twice', input, ['5']],
    ])('%s is stopped at once', async (name, given, lines) => {
      const query = name === 'twice' ? 'data.heads.inner' : `data.heads.${name}`;
      const more = { 'heads.rego': rules, 'heads.json': JSON.stringify(given) };
      const printed = await sessionOver(
        { query, data: ['heads.rego'], inputPath: 'heads.json' },
        [`break ${name}`, 'c', 'c', 'c', 'c', 'c'],
        more,
      );
      const stops = [...printed.matchAll(/^breakpoint 1, in .* at .*heads\.rego:(\d+)$/gm)].map(([, line]) => line);
      expect(stops).toEqual(lines);
    });
  });

  test('a query that binds variables ends with these', async () => {
    const [end] = await answers(['c'], { query: 'x := 1; y := x + 1' });
    expect(end).toContain('end: {"x": 1, "y": 2}\n');
  });

  test('a plan without its source, by lines and statements', async () => {
    await withFiles(files, async (directory) => {
      const out = join(directory, 'plan.json');
      const built = await runCommand(
        'build',
        '-t',
        'plan',
        '-e',
        'authz/allow',
        '-o',
        out,
        join(directory, 'authz.rego'),
        join(directory, 'data.json'),
      );
      expect(built).toMatchObject({ exit: 0 });
      const args = { plan: out, entrypoint: 'authz/allow', data: [join(directory, 'data.json')], inputPath: join(directory, 'input.json') };
      const printed = (
        await sessionOf(args, ['break authz.rego:7', 'c', 'locals', 'print l8 == l3', 'by statement', 'step', 'back', 'c', 'c'])
      ).replaceAll(`${directory}/`, '');
      expect(printed).toContain('breakpoint 1, in data.authz.may at authz.rego:7\n');
      expect(printed).toContain('= "admin"\n');
      expect(printed.endsWith('end: true\n')).toBe(true);
    });
  });

  test('a plan with its debug information, and the texts that this was made of', async () => {
    await withFiles(files, async (directory) => {
      const [out, source] = [join(directory, 'plan.json'), join(directory, 'authz.rego')];
      await runCommand('build', '-t', 'plan', '-e', 'authz/allow', '--debug-info', '-o', out, source);
      const args = {
        plan: out,
        entrypoint: 'authz/allow',
        data: [source, join(directory, 'data.json')],
        inputPath: join(directory, 'input.json'),
      };
      const lines = ['break data.authz.may', 'c', 'n', 'locals'];
      const printed = (await sessionOf(args, lines)).replaceAll(`${directory}/`, '');
      expect(printed).toContain('> 6 | \tsome grant in data.roles[role]\n');
      expect(printed).toContain('role = "admin"\naction = "write"\ngrant = "read"\n');
      writeFileSync(source, `# another text\n${policy}`);
      const changed = (await sessionOf(args, lines)).replaceAll(`${directory}/`, '');
      expect(changed).not.toContain('some grant');
      expect(changed).toContain('role = "admin"\naction = "write"\ngrant = "read"\n');
      writeFileSync(out, `${readFileSync(out, 'utf8')} `);
      await expect(sessionOf(args, lines)).rejects.toThrow('debug information is that of another plan');
    });
  });

  test.each([
    ['a name that is a pattern', /"grant"/g, '"(grant+)+$"'],
    ['a name that is a wrong pattern', /"grant"/g, '"grant("'],
    ['a file whose name is too long', /"file":"[^"]*"/g, `"file":"${'x'.repeat(5000)}.rego"`],
    ['a file whose name no file can have', /"file":"[^"]*"/g, '"file":"\\u0000.rego"'],
    ['a folder in the place of a file', /"file":"[^"]*"/g, '"file":"/"'],
  ])('debug information with %s', async (_title, found, other) => {
    await withFiles(files, async (directory) => {
      const [out, source] = [join(directory, 'plan.json'), join(directory, 'authz.rego')];
      await runCommand('build', '-t', 'plan', '-e', 'authz/allow', '--debug-info', '-o', out, source);
      const beside = debugInfoPath(out);
      const text = readFileSync(beside, 'utf8');
      expect(text.replaceAll(found, other)).not.toBe(text);
      writeFileSync(beside, text.replaceAll(found, other));
      const args = {
        plan: out,
        entrypoint: 'authz/allow',
        data: [source, join(directory, 'data.json')],
        inputPath: join(directory, 'input.json'),
      };
      expect(await sessionOf(args, ['break data.authz.may', 'c', 'n', 'locals', 'why'])).toContain('action = "write"\n');
    });
  });

  test.each([
    [{}, 'name one thing to evaluate'],
    [{ query: 'true', test: 'x' }, 'name one thing to evaluate'],
    [{ test: 'nothing' }, 'there is no test nothing; tests are data.authz.test_allow, data.authz.test_print'],
    [{ decision: 'none.json' }, 'cannot be read'],
    [{ decision: 'input.json' }, 'the event cannot be decided again: it has neither the path of a decision nor a query'],
    [{ query: 'data.authz.allow; x' }, 'var x is unsafe'],
  ])('%j is refused', async (args, message) => {
    await expect(sessionOver(args, [])).rejects.toThrow(message);
  });

  test.each([[[]], [['true', '--test', 'x']], [['a', 'b']]])('the command line %j is wrong', async (args) => {
    expect(await runCommand('debug', ...args)).toMatchObject({ exit: 1, stdout: '' });
  });

  test('policies that do not compile end the command', async () => {
    await withFiles({ 'p.rego': 'package p\nq if { x > 1 }' }, async (directory) => {
      const { exit, stderr } = await runCommand('debug', '-d', directory, 'data.p.q');
      expect(exit).toBe(2);
      expect(stderr).toContain('var x is unsafe');
    });
  });
});
