import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type BuildOptions, type Metafile, transform } from 'esbuild';
import { packTar, unpackTar } from 'modern-tar';
import { scriptStyle } from './bundle.js';
import type { BuiltFile } from './bundle-library.js';
import { commandModules, modulesFrom, scriptOf } from './command-modules.js';
import { executedPlaces } from './joined/executed-places.js';
import { joinedScript } from './joined/joined-modules.js';

/**
 * The command as scripts in `command/`, and `main.js`, which loads them
 * (`scripts/build/launcher.cjs` and `loader.cjs`).
 */
export async function bundleCommand(
  entry: string,
  options: BuildOptions,
): Promise<{ readonly files: readonly BuiltFile[]; readonly metafile: Metafile }> {
  const { files: modules, metafile } = await commandModules(entry, options);
  const files = [...modules, { path: 'loader.js', contents: await short(sourceOf('loader.cjs')) }];
  const launcher = await short(sourceOf('launcher.cjs').replace('BUILD', digest(files)));
  const scripts = files.map(({ path, contents }) => ({ path: join('command', path), contents }));
  return { files: [...scripts, { path: 'main.js', contents: launcher }], metafile };
}

function sourceOf(script: string): string {
  return readFileSync(join(import.meta.dirname, script), 'utf8');
}

/** Each start compiles the launcher. */
async function short(source: string): Promise<string> {
  return (await transform(source, { ...scriptStyle, minifyIdentifiers: true, format: 'cjs' })).code;
}

function digest(files: readonly BuiltFile[]): string {
  const hash = createHash('sha256');
  for (const { contents } of files) hash.update(contents);
  return hash.digest('hex').slice(0, 16);
}

/**
 * The built-ins and statements are those that policies have most, so that what these need is at
 * hand. No run evaluates the last rule.
 */
const policy = `package a

roles := {"x": ["admin", "reader"]}

default allow := false

allow if {
	some role in roles[input.user]
	role in {"admin", "editor"}
}

names contains name if some name, _ in roles

denied contains sprintf("%v of %d", [name, limit(names)]) if {
	some name in names
	startswith(name, "x")
	object.get(input, name, 0) + 1 > 0
	is_string(name)
	array.concat([name], [name]) != []
}

admins := [name | some name, list in roles; list[_] == "admin"]

limit(list) := most if {
	most := count(list) * 2
	most < 10
}

parsed := json.unmarshal(input.text) if time.now_ns() > 0
`;
const tests = `package a_test

import data.a

test_a if a.allow with input as {"user": "x"}

roles := {"b": ["reader"]}

test_b if not a.allow with input as {"user": "b"} with data.a.roles as roles

test_c if count(a.denied) == count(a.admins) with input as {}

test_d if count(a.denied) == 0 with input as {} with data.a.roles as roles
`;
/** Loops over data, conditions on it, a chain of `else`. */
const grants = `package d

default allow := false

allow if "admin" in roles

allow if {
	input.method == "GET"
	some grant in data.grants
	grant.role == input.role
	grant.action == input.action
}

roles contains role if some role in data.users[input.user].roles

actions contains grant.action if {
	some role in roles
	some grant in data.grants_of[role]
}

denied contains "no user" if not input.user

level := "high" if input.amount + 1 > 100

else := "low"
`;
/** A decision that takes longer than a walk over its plan may. */
const report = `package e

total := sum([n | some n in numbers.range(1, 3000); n % 2 == 1])

named[name] := count(list) if some name, list in input.lists
`;
/** A test that is evaluated by its plan. */
const printingTests = `package b_test

import data.a

test_a if {
	print(input)
	count(a.denied) == 1 with input as {}
}
`;
const patterns = `package c

named if regex.match("^[a-z]+$", input.user)
`;
const patternTests = `package c_test

import data.c

test_a if c.named with input as {"user": "x"}

test_b if not c.named with input as {"user": "1"}
`;

/**
 * Typical runs, from which V8 learns the functions that commands need. Loading unneeded functions
 * takes time as well.
 */
const typicalRuns: readonly (readonly string[])[] = [
  ['version'],
  ['eval', '-b', 'bundle', '-i', 'input.json', 'data.authz.allow'],
  ['eval', '-d', 'policies', '-i', 'user.json', 'data.a.allow'],
  ['eval', '-d', 'policies', 'data.a.denied'],
  ['eval', '-d', 'grants', '-i', 'user.json', 'data.d'],
  ['fmt', 'policies'],
  ['check', 'policies', 'patterns'],
  ['test', 'policies'],
  ['build', '-t', 'plan', '-e', 'a/allow', '-e', 'a/denied', '-o', 'built.tar.gz', 'policies'],
  ['eval', '-b', 'unpacked/built', '-i', 'user.json', 'data.a.allow'],
  ['eval', '-b', 'unpacked/built', '-i', 'user.json', 'data.a.denied'],
  ['eval', '-b', 'built.tar.gz', '-i', 'user.json', 'data.a.allow'],
  ['eval', '-b', 'built.tar.gz', '-i', 'user.json', 'data.a.denied'],
  ['build', '-t', 'plan', '-e', 'd/allow', '-e', 'd/actions', '-o', 'grants.tar.gz', 'grants'],
  ['eval', '-b', 'unpacked/grants', '-i', 'user.json', 'data.d.actions'],
  ['eval', '-b', 'grants.tar.gz', '-i', 'user.json', 'data.d.actions'],
  ['build', '-t', 'plan', '-e', 'e/total', '-e', 'e/named', '-o', 'report.tar.gz', 'report'],
  ['inspect', 'built.tar.gz'],
  ['inspect', 'policies'],
  ['inspect', 'bundle'],
  ['exec', '-b', 'bundle', '--decision', 'authz/allow', 'input.json'],
  ['exec', '-b', 'plans/built', '--decision', 'a/allow', 'user.json'],
  ['exec', '-b', 'plans/built', '--decision', 'a/denied', 'user.json'],
  ['exec', '-b', 'plans/grants', '--decision', 'd/actions', 'user.json'],
  ['exec', '-b', 'plans/built.tar.gz', '--decision', 'a/allow', 'user.json'],
  ['exec', '-b', 'plans/built.tar.gz', '--decision', 'a/denied', 'user.json'],
  ['exec', '-b', 'plans/grants.tar.gz', '--decision', 'd/actions', 'user.json'],
  ['test', '-b', 'policies'],
  ['check', '-b', 'policies'],
  ['build', '-b', 'policies', '-o', 'again.tar.gz'],
  ['deps', '-d', 'policies', 'data.a.allow'],
  ['parse', 'policies/a.rego'],
  ['sign', '--signing-alg', 'HS256', '--signing-key', 'secret', '-b', 'policies', '-o', '.'],
  ['capabilities'],
  ['--help'],
  ['run', '--server', '--addr', 'unix://server.sock', 'policies'],
];

/**
 * Runs that need more scripts than most, by the script that the others are loaded after: each makes
 * an extension of a pack.
 */
const rarerRuns: readonly { readonly begin: string; readonly args: readonly string[] }[] = [
  { begin: 'cli/eval/source-eval.js', args: ['eval', '-b', 'policies', '-i', 'user.json', 'data.a.denied'] },
  { begin: 'cli/eval/source-eval.js', args: ['eval', '-b', 'again.tar.gz', '-i', 'user.json', 'data.a.denied'] },
  { begin: 'runtime/bytecode/assemble.js', args: ['eval', '-b', 'unpacked/report', 'data.e.total'] },
  { begin: 'runtime/bytecode/assemble.js', args: ['eval', '-b', 'report.tar.gz', 'data.e.total'] },
  { begin: 'runtime/builtins/families/patterns.js', args: ['eval', '-d', 'patterns/c.rego', '-i', 'user.json', 'data.c.named'] },
  { begin: 'runtime/builtins/families/patterns.js', args: ['test', 'patterns'] },
  { begin: 'engine/plan-program.js', args: ['test', 'policies', 'printing'] },
  { begin: 'engine/policies/bundle-modules.js', args: ['exec', '-b', 'unpacked/built', '--decision', 'a/allow', 'user.json'] },
  { begin: 'engine/policies/bundle-modules.js', args: ['exec', '-b', 'built.tar.gz', '--decision', 'a/allow', 'user.json'] },
  { begin: 'runtime/bytecode/assemble.js', args: ['exec', '-b', 'plans/report', '--decision', 'e/total', 'user.json'] },
  { begin: 'runtime/bytecode/assemble.js', args: ['exec', '-b', 'plans/report.tar.gz', '--decision', 'e/total', 'user.json'] },
  { begin: 'cli/exec/server-configuration.js', args: ['exec', '-b', 'plans/built', '--set', 'default_decision=a/allow', 'user.json'] },
  {
    begin: 'cli/exec/server-configuration.js',
    args: ['exec', '-b', 'plans/built.tar.gz', '--set', 'default_decision=a/allow', 'user.json'],
  },
  { begin: 'packages/ajv-dist-2020.js.js', args: ['run', '--server', '--addr', 'unix://server.sock', '--set', 'default_decision=a/allow'] },
];

/** Requests to the server as soon as it listens, since its routes are loaded by requests. */
const requests = `const { request } = require('node:http');
const end = Date.now() + 3000;
function ask(method, path, body) {
  request({ socketPath: 'server.sock', method, path }, (response) => response.resume())
    .on('error', () => { if (Date.now() < end) setTimeout(ask, 20, method, path, body); })
    .end(body);
}
ask('GET', '/health');
for (let i = 0; i < 3; i++) ask('POST', '/v1/data/a/allow', '{"input":{"user":"x"}}');
ask('GET', '/v1/data/a');
ask('PUT', '/v1/data/b', '{"names":["x"]}');`;

/**
 * A server would not end; it is told to after so many milliseconds. Other commands take that long
 * only on a machine with much other work.
 */
const serverRun = 3000;

/** Kinds of runs that end at once. The modules that they need are joined to one script. */
const shortRuns = /^(?:eval|exec|inspect|check|fmt|test|build)\b/;

/**
 * Writes the joined scripts of the command, and the packs of typical runs, to where `dist/main.js`
 * looks for them.
 */
export async function cacheCommand(entry: string, dist: string, options: BuildOptions): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'writ-build-'));
  writeCases(scratch, options.absWorkingDir!);
  const learner = join(dist, 'learn.js');
  writeFileSync(learner, readFileSync(join(dist, 'main.js')));
  await joinScripts(entry, dist, options, scratch, (args, variables) => learn(learner, args, scratch, variables));
  // A second round learns with all scripts at hand that the first one found.
  for (const args of [...typicalRuns, ...typicalRuns]) learn(learner, args, scratch);
  for (const { begin, args } of [...rarerRuns, ...rarerRuns]) learn(learner, args, scratch, { WRIT_EXTENSION: begin });
  rmSync(learner);
  rmSync(scratch, { recursive: true });
}

function writeCases(scratch: string, root: string): void {
  for (const [file, text] of Object.entries({
    'policies/a.rego': policy,
    'policies/a_test.rego': tests,
    'patterns/c.rego': patterns,
    'patterns/c_test.rego': patternTests,
    'printing/b_test.rego': printingTests,
    'policies/data.json': '{"limits": {"x": 1}}',
    'grants/d.rego': grants,
    'report/e.rego': report,
    'grants/data.json':
      '{"users": {"x": {"roles": ["y"]}}, "grants": [{"role": "y", "action": "read"}], "grants_of": {"y": [{"action": "read"}]}}',
    'user.json': '{"user": "x", "method": "GET", "role": "y", "action": "read", "amount": 3}',
  })) {
    mkdirSync(join(scratch, dirname(file)), { recursive: true });
    writeFileSync(join(scratch, file), text);
  }
  cpSync(join(root, 'fixtures/bundles/example'), join(scratch, 'bundle'), { recursive: true });
  cpSync(join(root, 'fixtures/bundles/example-input.json'), join(scratch, 'input.json'));
}

/**
 * Joins for each kind of short runs the scripts that at least half of its typical runs load.
 * @param run a typical run, with variables for the learner
 */
async function joinScripts(
  entry: string,
  dist: string,
  options: BuildOptions,
  scratch: string,
  run: (args: readonly string[], variables: Readonly<Record<string, string>>) => void,
): Promise<void> {
  const inputs = await modulesFrom(entry, options);
  const folder = join(dist, 'command/joined');
  mkdirSync(folder);
  const kinds = new Map<string, { readonly args: readonly string[]; readonly loaded: readonly string[] }[]>();
  // In their order: some runs read what others wrote.
  for (const args of typicalRuns.filter(([command]) => shortRuns.test(command!))) {
    const loaded = survey(scratch, (variables) => run(args, variables));
    if (args[0] === 'build') await unpack(scratch, args[args.indexOf('-o') + 1]!);
    kinds.set(kindOf(args), [...(kinds.get(kindOf(args)) ?? []), { args, loaded }]);
  }
  for (const [kind, runs] of kinds) {
    const loaded = runs.map((one) => one.loaded);
    const isCommon = (script: string) => 2 * loaded.filter((scripts) => scripts.includes(script)).length >= loaded.length;
    const scripts = [...new Set(loaded.flat())].filter(isCommon);
    const file = join(folder, `${kind}.js`);
    const usageOf = (text: string, start: number) => {
      writeFileSync(file, text);
      const executed = runs.map(({ args }) => executedPlaces(file, scriptHead, scratch, (variables) => run(args, variables)));
      return {
        isExecuted: (place: number) => executed.some((places) => places[start + place] === 1),
        isNeeded: (module: string) => loaded.every((scripts) => scripts.includes(scriptOf(module))),
      };
    };
    writeFileSync(file, await joinedScript({ entry, inputs }, scripts, options, usageOf));
  }
}

/** The kind of a run, as the launcher names it. */
function kindOf(args: readonly string[]): string {
  const command = args[0]!;
  if (/^(?:eval|exec|inspect)$/.test(command) && args.some((argument) => argument.endsWith('.tar.gz'))) return `${command}-archive`;
  return args.includes('-b') ? `${command}-bundle` : command;
}

/**
 * Writes the files of `NAME.tar.gz` to `unpacked/NAME/`, and those beside its policies to
 * `plans/NAME/` and `plans/NAME.tar.gz`.
 */
async function unpack(scratch: string, archive: string): Promise<void> {
  const files = (await unpackTar(gunzipSync(readFileSync(join(scratch, archive))))).map(({ header: { name }, data }) => ({
    header: { name, size: data?.length ?? 0 },
    body: data ?? new Uint8Array(),
  }));
  const plan = files.filter(({ header }) => !header.name.endsWith('.rego'));
  for (const [folder, written] of [
    ['unpacked', files],
    ['plans', plan],
  ] as const)
    for (const { header, body } of written) {
      const file = join(scratch, folder, archive.replace('.tar.gz', ''), header.name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, body);
    }
  writeFileSync(join(scratch, 'plans', archive), gzipSync(await packTar(plan)));
}

/** What the loader puts before the text of a script. */
const scriptHead = '(function(exports,require,module,__dirname){';

/** The scripts that a run loads. */
function survey(scratch: string, run: (variables: Readonly<Record<string, string>>) => void): readonly string[] {
  const file = join(scratch, 'loaded.json');
  run({ WRIT_SURVEY: file });
  return JSON.parse(readFileSync(file, 'utf8')) as readonly string[];
}

/**
 * The flags that `bin/writ` gives V8 for a command: V8 takes functions only under the flags that
 * they were learned with.
 */
export function launchFlags(command: string): readonly string[] {
  const script = readFileSync(join(import.meta.dirname, '../../bin/writ'), 'utf8');
  const [, flags] = new RegExp(`^ *(?:\\w+ \\| )*${command}(?: \\| \\w+)*\\) flags='(.*)' ;;$`, 'm').exec(script) ?? [];
  return flags?.split(' ') ?? [];
}

/** @param variables of the environment, for the learner */
function learn(learner: string, args: readonly string[], cwd: string, variables: Readonly<Record<string, string>> = {}): void {
  if (args[0] === 'run') spawn(process.execPath, ['-e', requests], { cwd, stdio: 'ignore' });
  const env = { ...process.env, ...variables };
  const timeout = args[0] === 'run' ? serverRun : 10 * serverRun;
  const done = spawnSync(process.execPath, [...launchFlags(args[0]!), learner, ...args], { cwd, env, encoding: 'utf8', timeout });
  if (done.status !== 0)
    console.error(`build: 'writ ${args.join(' ')}' failed, so such commands will start slowly:\n${done.stdout}${done.stderr}`);
}
