/** What the commands make of a policy: bundles, plans, modules, tests. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Engine } from '../../../library/index.js';
import type { ModulePolicy } from '../../../runtime/codegen/module/module-policy.js';
import { toJson } from '../../../values/json/json.js';
import { runCommand } from '../../harness/command.js';
import { type Answer, canonical, errorAnswer } from '../answers.js';
import { planName, refText, type Subject } from '../policy-case.js';
import { decideText } from './library.js';
import { vm } from './programs.js';
import { instructions, noPlainInput, plainInputs, type Way } from './way.js';

/** A folder with the policies and data. */
function written({ modules, data }: Subject, more: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'writ-fuzz-'));
  const files = { ...Object.fromEntries(modules), 'data.json': toJson(data), ...more };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

async function withFolder<T>(subject: Subject, use: (folder: string) => Promise<T>, more?: Readonly<Record<string, string>>): Promise<T> {
  const folder = written(subject, more);
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A rule: packages have other entrypoints in them. */
function isEntrypoint({ modules, paths }: Subject, path: readonly string[]): boolean {
  const isPackage = [...modules.values()].some((text) => text.startsWith(`package ${path.join('.')}\n`));
  return !isPackage && !paths.some((other) => other !== path && planName(other).startsWith(`${planName(path)}/`));
}

function hasEntrypoint(subject: Subject): boolean {
  return subject.isOrdinary && subject.paths.some((path) => isEntrypoint(subject, path));
}

const noEntrypoint: Answer = { skipped: 'packages are no entrypoints here' };

function versionFlags({ regoVersion }: Subject): readonly string[] {
  return regoVersion === 'v0' ? ['--v0-compatible'] : [];
}

/** Runs `build` over the folder. Its entrypoints are the paths of rules. */
async function build(subject: Subject, folder: string, output: string, ...flags: string[]): Promise<string | undefined> {
  const entrypoints = subject.paths.filter((path) => isEntrypoint(subject, path)).flatMap((path) => ['-e', planName(path)]);
  const { exit, stdout, stderr } = await runCommand(
    'build',
    ...versionFlags(subject),
    ...entrypoints,
    '-o',
    join(folder, output),
    ...flags,
    folder,
  );
  return exit === 0 ? undefined : `build ${flags.join(' ')}: ${stderr}${stdout}`;
}

/** A bundle that is built, and opened. */
function built(name: string, share: number, isProgram: boolean, output: string, ...flags: string[]): Way {
  return {
    name,
    isProgram,
    share,
    prepare: async (subject) => {
      if (!hasEntrypoint(subject)) return undefined;
      return await withFolder(subject, async (folder) => {
        const problem = await build(subject, folder, output, ...flags);
        if (problem !== undefined) return { problem };
        const plan = output.endsWith('.json');
        const isPlan = flags.includes('plan');
        const engine = await Engine.open(plan ? [join(folder, output), { data: subject.data }] : [join(folder, output)]);
        const inputs = subject.inputs.map((input) => (input === undefined ? undefined : toJson(input)));
        return (path, input) =>
          isPlan && !isEntrypoint(subject, subject.paths[path]!)
            ? noEntrypoint
            : decideText(engine, planName(subject.paths[path]!), inputs[input]);
      });
    },
  };
}

export const plans: readonly Way[] = [
  built('plan', 10, true, 'plan.json', '-t', 'plan'),
  built('plan of -O 1', 8, false, 'bundle.tar.gz', '-t', 'plan', '-O', '1'),
  built('plan of -O 2', 8, false, 'plan.json', '-t', 'plan', '-O', '2'),
  built('bundle of -O 1', 10, false, 'bundle.tar.gz', '-O', '1'),
  built('bundle of -O 2', 10, false, 'bundle.tar.gz', '-O', '2'),
];

/** `build -t js`. */
export const modules: Way = {
  name: 'module',
  isProgram: true,
  share: 15,
  prepare: async (subject) => {
    if (!hasEntrypoint(subject)) return undefined;
    return await withFolder(subject, async (folder) => {
      const problem = await build(subject, folder, 'policy.cjs', '-t', 'js');
      if (problem?.includes('cannot go into a module')) return undefined;
      if (problem !== undefined) return { problem };
      const exported = {} as { readonly policy: ModulePolicy };
      new Function('exports', readFileSync(join(folder, 'policy.cjs'), 'utf8'))(exported);
      const inputs = plainInputs(subject);
      return (path, input) => {
        if (!isEntrypoint(subject, subject.paths[path]!)) return noEntrypoint;
        if (inputs[input] === noPlainInput) return noPlainInput;
        try {
          const result = exported.policy.decide(planName(subject.paths[path]!), inputs[input], { instructions: 10 * instructions });
          return { json: result === undefined ? undefined : JSON.stringify(result), isDouble: true };
        } catch (error) {
          return errorAnswer(error);
        }
      };
    });
  },
};

interface TestResult {
  readonly name: string;
  readonly fail?: boolean;
  readonly error?: { readonly code?: string; readonly message: string };
}

/** The tests that say what the VM answers. */
export const tests: Way = {
  name: 'test',
  isProgram: false,
  share: 15,
  prepare: async (subject) => {
    if (!subject.isOrdinary) return undefined;
    const decide = await vm.prepare(subject);
    const wanted: Answer[][] = [];
    const rules: string[] = [];
    for (const [i, path] of subject.paths.entries()) {
      wanted.push([]);
      for (const [j, input] of subject.inputs.entries()) {
        const answer = await decide(i, j);
        wanted[i]!.push(answer);
        const value = 'value' in answer && answer.value !== undefined ? `[${canonical(answer.value)}]` : '[]';
        const given = input === undefined ? '' : ` with input as ${toJson(input)}`;
        // `object.get` has no type, so that the compiler tells nothing about the comparison.
        rules.push(`test_${i}_${j} if { values := [value | value := ${refText(path)}]${given}; object.get({}, "", values) == ${value} }`);
      }
    }
    const module = `package fuzz_test\n\nimport rego.v1\n\n${rules.join('\n\n')}\n`;
    const results = await withFolder(subject, (folder) => runCommand('test', ...versionFlags(subject), '-f', 'json', folder), {
      'fuzz_test.rego': module,
    });
    const found = new Map<string, TestResult>();
    try {
      for (const one of JSON.parse(results.stdout) as TestResult[]) found.set(one.name, one);
    } catch {
      return { problem: `test: ${results.stderr}${results.stdout}` };
    }
    return (path, input) => {
      const result = found.get(`test_${path}_${input}`);
      if (result === undefined) return { problem: 'there is no result of the test' };
      if (result.error !== undefined) return { error: result.error.code ?? '', detail: result.error.message };
      const answer = wanted[path]![input]!;
      if (result.fail === true) return { problem: 'the test of the answer fails' };
      return 'error' in answer ? { problem: 'the test has no error' } : answer;
    };
  },
};
