/** Evaluation in place: values, reasons, tests, the debugger, and the stages of a policy. */

import { documentText, packageSegments, plan, printModule } from '../../../compiler/index.js';
import { explanationText } from '../../../engine/index.js';
import { toPlain } from '../../../values/index.js';
import { testHolds } from '../evaluation/test-value.js';
import { type TestOfPolicy, testsOf } from '../evaluation/tests.js';
import type { Evaluated } from '../evaluation/workspace-engine.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { pathOfUri } from '../workspace/uris.js';
import type { Workspace } from '../workspace/workspace.js';
import { errorsOf } from './diagnostics/diagnostics.js';
import { packagePathText, pathOfRule } from './lenses.js';
import { parsedArgument, type RequestContext, RequestError, type RequestFamily } from './request.js';

interface RunTestsParams {
  readonly uri: string;
  readonly package: string;
  readonly name: string;
}

export const commandRequests: RequestFamily = {
  capabilities: {
    experimental: { explorerProvider: true, inlineEvalProvider: true, debugProvider: true, opaTestProvider: true },
  },
  requests: { 'regal/runTests': (context, params: RunTestsParams) => runTests(context, params) },
  commands: {
    'regal.eval': (context, [argument]) => evaluate(context, argument, false),
    'writ.why': (context, [argument]) => evaluate(context, argument, true),
    'regal.debug': (context, [argument]) => startDebugging(context, argument),
    'regal.explorer': (context, [argument]) => explore(context, argument),
    'writ.test': (context, [argument]) => runOneTest(context, argument),
    'writ.coverage': (context, [argument]) => tellCoverage(context, argument),
  },
};

/** `MessageType` of the protocol. */
const messageTypes = { error: 1, info: 3 } as const;

interface Asked {
  readonly policy: PolicyFile;
  /** `data.shop.allow`. */
  readonly path: string;
  readonly row: number;
}

function askedOf({ workspace }: RequestContext, argument: unknown): Asked {
  const { target, query, path = query, row } = parsedArgument(argument);
  const policy = typeof target === 'string' ? workspace.policy(target) : undefined;
  if (policy === undefined) throw new RequestError('the command names no policy that is known');
  return { policy, path: typeof path === 'string' ? path : '', row: typeof row === 'number' ? row : 1 };
}

/** The keys of a path below `data`, as policies write it. */
export function keysOf(path: string): readonly string[] {
  const keys: string[] = [];
  for (const [, plain, quoted] of path.matchAll(/([^.["\]]+)|\["((?:[^"\\]|\\.)*)"\]/g))
    keys.push(plain ?? (JSON.parse(`"${quoted}"`) as string));
  return keys[0] === 'data' ? keys.slice(1) : keys;
}

async function evaluate(context: RequestContext, argument: unknown, why: boolean): Promise<unknown> {
  const { workspace, client, engine } = context;
  const { policy, path, row } = askedOf(context, argument);
  const keys = keysOf(path);
  const fault = faultOf(policy, row, workspace);
  if (fault !== undefined) {
    client.notify('window/showMessage', { type: messageTypes.error, message: fault });
    return {};
  }
  const evaluated = await engine.evaluate(keys, engine.inputOf(policy), why);
  if (evaluated.error !== undefined) {
    client.notify('window/showMessage', { type: messageTypes.error, message: evaluated.error });
    return {};
  }
  const result = shownResult(evaluated, workspace);
  const explained = evaluated.explanation && explanationText(evaluated.explanation);
  if (client.initializationOptions.evalCodelensDisplayInline === true && !why) {
    const own = packagePathText(policy.module!);
    const heads = policy.module!.rules.filter((rule) => `${own}${pathOfRule(rule)}` === path);
    await client.request('regal/showEvalResult', {
      line: row,
      target: heads.length === 0 ? 'package' : path.slice(own.length).replace(/^\./, ''),
      package: own.replace(/^data\./, ''),
      rule_head_locations: heads.map(({ head }) => ({ row: head.ref[0].loc.row, col: head.ref[0].loc.col })),
      result,
    });
  } else {
    const text = result.isUndefined ? 'undefined' : JSON.stringify(result.value, undefined, 2);
    client.notify('window/showMessage', {
      type: messageTypes.info,
      message: `${path} = ${text}${explained ? `\n${explained}` : ''}`,
    });
  }
  return { result, ...(explained !== undefined && { why: explained }) };
}

/** The error of the rule that is asked for: the compiler has replaced it. */
function faultOf(policy: PolicyFile, row: number, workspace: Workspace): string | undefined {
  const start = policy.source.lineStarts[row - 1];
  if (start === undefined || !workspace.isFaulty(policy, start)) return undefined;
  const rule = policy.module?.rules.find(({ loc }) => start >= loc.start && start < loc.end);
  const error = errorsOf(policy, workspace).find(({ span }) => span && rule?.loc.includes(span));
  return error && `${policy.name}:${error.location?.row ?? row}: ${error.message}`;
}

function shownResult({ value, printed }: Evaluated, workspace: Workspace) {
  const printOutput: Record<string, Record<string, string[]>> = {};
  for (const { line, place } of printed) {
    const [, name = '', row = '0'] = /^(.*):(\d+)$/.exec(place ?? '') ?? [];
    const policy = workspace.policyNamed(name);
    const file = policy === undefined ? name : workspace.editorUri(policy.uri);
    const rows = (printOutput[file] ??= {});
    (rows[row] ??= []).push(line);
  }
  return { value: value === undefined ? null : toPlain(value), isUndefined: value === undefined, printOutput };
}

function textOfBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}

/** The bytes of a text, as JSON has bytes. */
function base64Of(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

async function runTests({ workspace, engine }: RequestContext, asked: RunTestsParams): Promise<unknown> {
  const policy = workspace.policy(asked.uri);
  const all = policy === undefined ? [] : testsOf(policy);
  const isAsked = ({ name, packagePath }: TestOfPolicy): boolean =>
    (asked.name === '' || asked.name === undefined || name === asked.name) &&
    (asked.package === undefined || asked.package === '' || asked.package === documentText(packagePath));
  const results: unknown[] = [];
  for (const test of all.filter(isAsked)) {
    const { rule, name, packagePath, path, isSkipped } = test;
    const at = {
      location: { file: policy!.name, row: rule.loc.row, col: rule.loc.col },
      package: documentText(packagePath),
      name,
    };
    if (isSkipped) {
      results.push({ ...at, skip: true, duration: 0 });
      continue;
    }
    const fault = faultOf(policy!, rule.loc.row, workspace);
    const evaluated = fault === undefined ? await engine.evaluate(path, undefined) : undefined;
    const error = fault ?? evaluated?.error;
    const output = evaluated?.printed.map(({ line }) => `${line}\n`).join('') ?? '';
    const isPassed = error === undefined && testHolds(evaluated?.value);
    results.push({
      ...at,
      // Editors look at `fail` first: a test with an error has not passed.
      ...(!isPassed && { fail: true }),
      ...(error !== undefined && { error: { code: 'eval_error', message: error } }),
      ...(output !== '' && { output: base64Of(output) }),
      duration: evaluated?.nanoseconds ?? 0,
    });
  }
  return results;
}

/** Runs the test above which a lens is, and tells its result. */
async function runOneTest(context: RequestContext, argument: unknown): Promise<unknown> {
  const { policy, path } = askedOf(context, argument);
  const test = testsOf(policy).find((each) => each.path.join('.') === keysOf(path).join('.'));
  if (test === undefined) throw new RequestError(`${policy.name} has no test ${path}`);
  const { name, packagePath } = test;
  const [result] = (await runTests(context, { uri: policy.uri, package: documentText(packagePath), name })) as {
    readonly skip?: boolean;
    readonly fail?: boolean;
    readonly error?: { readonly message: string };
    readonly output?: string;
  }[];
  const { error, fail, skip } = result ?? {};
  const output = textOfBase64(result?.output ?? '');
  const state = error ? `ERROR: ${error.message}` : fail ? 'FAIL' : skip ? 'SKIPPED' : 'PASS';
  const type = error || fail ? messageTypes.error : messageTypes.info;
  context.client.notify('window/showMessage', { type, message: `${path}: ${state}\n${output}`.trimEnd() });
  return result;
}

/** Tells the lines of a policy that the tests of the workspace reach. */
async function tellCoverage(context: RequestContext, argument: unknown): Promise<unknown> {
  const { workspace, client, engine } = context;
  const { policy } = askedOf(context, argument);
  const tests = [...workspace.policies].flatMap((each) =>
    testsOf(each).filter(({ rule }) => faultOf(each, rule.loc.row, workspace) === undefined),
  );
  const paths = tests.filter(({ isSkipped }) => !isSkipped).map(({ path }) => path);
  const { covered, missing } = await engine.coverage(policy, paths);
  const all = covered.length + missing.length;
  const percent = all === 0 ? 100 : Math.round((covered.length / all) * 1000) / 10;
  const uri = workspace.editorUri(policy.uri);
  client.notify('writ/showCoverage', { uri, covered, missing, percent });
  const rest = missing.length === 0 ? '' : `, not ${missing.length === 1 ? 'line' : 'lines'} ${rowsText(missing)}`;
  const message = `${policy.name}: tests reach ${covered.length} of ${all} lines (${percent} %)${rest}`;
  client.notify('window/showMessage', { type: messageTypes.info, message });
  return { covered, missing, percent };
}

/** `3-5, 9` */
function rowsText(rows: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const row of rows) {
    const last = parts.at(-1);
    if (last?.[1] === row - 1) last[1] = row;
    else parts.push([row, row]);
  }
  return parts.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

async function startDebugging(context: RequestContext, argument: unknown): Promise<unknown> {
  const { policy, path } = askedOf(context, argument);
  const { client, engine, debugPort } = context;
  if (debugPort === undefined) throw new RequestError('there is no debugger here');
  const input = engine.inputFile(policy);
  await client.request('regal/startDebugging', {
    type: 'opa-debug',
    name: path,
    request: 'launch',
    command: 'eval',
    query: path,
    enablePrint: true,
    stopOnEntry: true,
    ...(input !== undefined && { inputPath: pathOfUri(input.uri) }),
    port: await debugPort(),
  });
  return {};
}

/** Sends the stages of a policy: as it was read, compiled, and planned. */
async function explore(context: RequestContext, argument: unknown): Promise<unknown> {
  const { workspace, client } = context;
  const { policy } = askedOf(context, argument);
  const { module, name } = policy;
  const errors = errorsOf(policy, workspace).map(({ message }) => message);
  const compiled = workspace.compiled.modules.get(name);
  const stages = [
    {
      name: 'ParseModule',
      output: module === undefined ? errors.join('\n') : printModule(module),
      error: module === undefined,
    },
    ...(compiled === undefined || module === undefined
      ? []
      : [
          {
            name: 'Compile',
            output: printModule({ ...module, rules: compiled.rules.map(({ rule }) => rule) }),
            error: false,
          },
        ]),
    ...(errors.length > 0 && module !== undefined ? [{ name: 'Errors', output: errors.join('\n'), error: true }] : []),
  ];
  await client.request('regal/showExplorerResult', { stages, ...planOf(policy, workspace) });
  return {};
}

function planOf({ module }: PolicyFile, workspace: Workspace): { plan?: string } {
  if (module === undefined) return {};
  const path = packageSegments(module);
  return { plan: JSON.stringify(plan(workspace.compiled, [{ name: path.join('/'), path }]), undefined, 2) };
}
