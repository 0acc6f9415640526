/** Debug sessions from the command line: loads files, compiles, plans. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Compiled, CompileOptions } from '../../compiler/index.js';
import { compileErrors, compileModules, hintsOf, recordedOrigins } from '../../compiler/index.js';
import { type Bundle, createContext, debugInfoOf, debugInfoPath, type PlanFile } from '../../engine/index.js';
import { type DebugInfo, loadPlan } from '../../ir-schema/index.js';
import { builtins, type PlainObject, textOfFile, type Value, withDeclared } from '../../values/index.js';
import { nodeHost, systemProblem } from '../../values/node.js';
import type {
  DebugProgram,
  DebugSurroundings,
  Launch,
  LaunchArguments,
  SourceText,
  WrittenPolicies,
} from '../../views/index.js';
import { DebugError, openSession, planDebugProgram, queryProgram } from '../../views/index.js';
import { compileOptions, languageVersion } from '../compile-flags.js';
import { type EvalSources, loadSources, readInput } from '../eval/eval-sources.js';
import { askedPlans, isPlanned } from '../eval/plan-results.js';
import { parseAll, readQueryText } from '../eval/read-sources.js';
import { Timers } from '../eval/timers.js';
import { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { modulesByFile, type ParsedFile } from '../load-policies.js';
import { withAuthorsFiles } from '../sources/authors-files.js';
import { foldersOf, planSources, type SourcePlaces } from '../sources/plan-sources.js';
import { sourceRoots } from '../sources/source-roots.js';
import { discoverTests } from '../tester/discover.js';
import { type LoggedDecision, readLoggedDecision } from './logged-decision.js';

/** Launches for the command and for the adapter of editors. */
export function launcher(io: Io): Launch {
  return async (args, options) => openSession(await debugProgram(args, io), options);
}

async function debugProgram(args: LaunchArguments, io: Io): Promise<DebugProgram> {
  const asked = (['query', 'test', 'decision', 'plan'] as const).filter((name) => args[name] !== undefined);
  if (asked.length !== 1)
    throw new DebugError('invalid_launch', 'name one thing to evaluate: a query, a test, a decision or a plan');
  const flags = flagsOf(args);
  const { sources, formatted } = withAuthors(await loadSources(flags, new Timers()), args);
  const given = await compileOptions(flags);
  const decision = args.decision === undefined ? undefined : readLoggedDecision(textOf(args.decision), args.decisionId);
  const query = args.query ?? decision?.query;
  const context = createContext(
    { host: nodeHost },
    {
      runtime: { env: { ...io.env } as PlainObject },
      ...(given.capabilities?.allow_net && { allowNet: given.capabilities.allow_net }),
    },
  );
  const surroundings: DebugSurroundings = {
    context,
    builtins: withDeclared(builtins, given.capabilities),
    data: sources.bundle.data,
    input: await inputOf(args, decision, flags, io),
    sources: [],
    ...(args.strictBuiltinErrors === true && { strictBuiltinErrors: true }),
    ...(decision && { known: decision.known, timeNs: decision.timeNs }),
    ...(decision?.result !== undefined && { logged: decision.result }),
  };
  if (args.plan !== undefined) return await ofPlan(args, { args, sources, surroundings });
  const isPlanAlone = sources.bundle.modules.length + (sources.loose?.modules.length ?? 0) === 0;
  if (query !== undefined && (isPlanAlone || isOptimized(sources.bundle))) {
    const [planned] = isPlanned(query, sources, flags) ? askedPlans(query, sources, flags) : [];
    if (planned !== undefined) return await ofPlan({ entrypoint: planned.name }, { args, sources, surroundings });
  }
  return await ofQuery(query, { args, flags, sources, surroundings, given, formatted });
}

/** Whether a plan's debug information knows the authors' policies, which do not stand beside it. */
function isOptimized({ plans }: Bundle): boolean {
  return plans.some((plan) => isOfOptimized(debugInfoBeside(plan)));
}

function isOfOptimized(info: DebugInfo | undefined): boolean {
  return info?.sources.some(({ generated }) => generated === true) === true;
}

async function ofPlan(
  { entrypoint, plan: path }: Pick<LaunchArguments, 'entrypoint' | 'plan'>,
  { args, sources, surroundings }: Pick<Asked, 'args' | 'sources' | 'surroundings'>,
): Promise<DebugProgram> {
  const { bundle } = sources;
  const [first] = bundle.plans;
  if (first === undefined) throw new DebugError('invalid_launch', 'there is no plan in what was named');
  const holds = ({ policy }: { readonly policy: unknown }) =>
    loadPlan(policy).plans?.plans?.some(({ name }) => name === entrypoint) === true;
  const plan = entrypoint === undefined ? first : (bundle.plans.find(holds) ?? first);
  const info = debugInfoBeside(plan, path);
  const policy = loadPlan(plan.policy);
  return await planDebugProgram(policy, entrypoint, {
    ...surroundings,
    sources: textsOf({ policy, debug: info }, sources, args),
    info,
    compiled: undefined,
  });
}

interface Asked {
  readonly args: LaunchArguments;
  readonly flags: FlagValues;
  readonly sources: EvalSources;
  readonly surroundings: DebugSurroundings;
  readonly given: CompileOptions;
  /** Modules whose text is not the author's, by their paths. */
  readonly formatted: ReadonlySet<string>;
}

/** Authors' files in the place of the formatted ones of bundles. */
function withAuthors(
  sources: EvalSources,
  args: LaunchArguments,
): { readonly sources: EvalSources; readonly formatted: ReadonlySet<string> } {
  const { roots, folders } = placesOf(sources, args);
  const restored = sources.bundles.map(({ name, bundle }) => ({
    name,
    ...withAuthorsFiles(bundle, { roots, folders }),
  }));
  const bundles = restored.map(({ name, bundle }) => ({ name, bundle }));
  const modules = bundles.flatMap(({ bundle }) => bundle.modules);
  return {
    sources: { ...sources, bundles, bundle: { ...sources.bundle, modules } },
    formatted: new Set(restored.flatMap((one) => [...one.formatted])),
  };
}

function placesOf({ bundle, loose }: EvalSources, args: LaunchArguments): SourcePlaces {
  const given = [...(args.plan === undefined ? [] : [args.plan]), ...(args.bundle ?? []), ...(args.data ?? [])];
  return {
    beside: () => [...bundle.modules, ...(loose?.modules ?? [])].map(({ path, text }) => ({ file: path, text })),
    roots: sourceRoots(args.sourceRoots ?? []),
    folders: foldersOf(given),
  };
}

/** The texts that fit a plan. */
function textsOf(
  plan: Parameters<typeof planSources>[0],
  sources: EvalSources,
  args: LaunchArguments,
): readonly SourceText[] {
  return planSources(plan, placesOf(sources, args)).map(
    ({ file, text, path }): SourceText => ({ name: file, path, kind: 'policy', text }),
  );
}

async function ofQuery(
  query: string | undefined,
  { args, flags, sources, surroundings, given, formatted }: Asked,
): Promise<DebugProgram> {
  const load = { version: languageVersion(flags), capabilities: given.capabilities };
  const parsed = parseAll(sources, load);
  const compiled = compileModules({ modules: modulesByFile(parsed), options: { ...given, print: true } });
  if (compiled.diagnostics.length > 0) throw compileErrors(compiled.diagnostics, hintsOf(compiled));
  const texts = parsed.map((file) => sourceOf(file, formatted));
  const text = query ?? testNamed(args.test ?? '', parsed);
  const around = { ...surroundings, sources: texts };
  return await ofText(text, compiled, {
    flags,
    load,
    surroundings: around,
    written: writtenPolicies(sources, parsed, args),
  });
}

/** The policies that `build -O` wrote, by the debug information of a bundle's plan. */
function writtenPolicies(
  sources: EvalSources,
  parsed: readonly ParsedFile[],
  args: LaunchArguments,
): WrittenPolicies | undefined {
  const plans = sources.bundle.plans.map((plan) => ({ plan, info: debugInfoBeside(plan) }));
  const { plan, info } = plans.find((one) => isOfOptimized(one.info)) ?? {};
  if (plan === undefined || info === undefined) return undefined;
  const texts = textsOf({ policy: loadPlan(plan.policy), debug: info }, sources, args);
  const names = new Set(info.sources.filter(({ generated }) => generated === true).map(({ file }) => file));
  const authors = texts.filter(({ name }) => !names.has(name));
  const own = new Map(parsed.map(({ module }) => [module.source.file, module]));
  const unchanged = texts.filter(({ name, text }) => names.has(name) && own.get(name)?.source.text === text);
  const generated = new Map(unchanged.map(({ name }) => [name, own.get(name)!]));
  const origins = recordedOrigins(info, new Map(authors.map(({ name, text }) => [name, text])), generated);
  return origins && { origins, authors };
}

async function ofText(
  text: string,
  compiled: Compiled,
  asked: {
    readonly flags: FlagValues;
    readonly load: Parameters<typeof readQueryText>[1];
    readonly surroundings: DebugSurroundings;
    readonly written: WrittenPolicies | undefined;
  },
): Promise<DebugProgram> {
  const { query: body, package: pkg, imports } = readQueryText(text, asked.load, asked.flags);
  return await queryProgram(compiled, { body, text, package: pkg, imports }, asked.surroundings, asked.written);
}

/** A file of its own, or of a bundle that is a directory, has a path on disk. */
function sourceOf({ module, file }: ParsedFile, formatted: ReadonlySet<string>): SourceText {
  return {
    name: module.source.file,
    path: existsSync(file.path) ? file.path : undefined,
    kind: 'policy',
    text: file.text,
    ...(formatted.has(file.path) && { note: formattedNote }),
  };
}

const formattedNote = "the bundle's text is formatted and has other lines than the author's file, which was not found";

/** The ref of a test's rule: `data.authz_test.test_owner`. */
function testNamed(name: string, parsed: readonly ParsedFile[]): string {
  const tests = discoverTests(parsed, () => true).filter(({ isFunction }) => !isFunction);
  const found = tests.filter(({ fullName }) => fullName === name || fullName.endsWith(`.${name}`));
  const [only, ...others] = new Set(found.map(({ fullName }) => fullName));
  if (only !== undefined && others.length === 0) return only;
  if (parsed.length === 0)
    throw new DebugError('invalid_launch', `there is no test ${name}: no policy is loaded, -d policies/ does`);
  const all = (only === undefined ? tests.map(({ fullName }) => fullName) : [only, ...others]).join(', ');
  throw new DebugError(
    'invalid_launch',
    only === undefined ? `there is no test ${name}; tests are ${all}` : `${name} names several tests: ${all}`,
  );
}

async function inputOf(
  args: LaunchArguments,
  decision: LoggedDecision | undefined,
  flags: FlagValues,
  io: Io,
): Promise<Value | undefined> {
  if (args.input !== undefined) return args.input;
  return args.inputPath === undefined ? decision?.input : await readInput(flags, io);
}

function textOf(path: string): string {
  try {
    return textOfFile(readFileSync(path));
  } catch (error) {
    throw new DebugError('invalid_launch', `${path} cannot be read: ${systemProblem(error)}`);
  }
}

/** The arguments of a launch as flags of `eval`, by which files are loaded. */
function flagsOf(args: LaunchArguments): FlagValues {
  const values = new Map<string, (string | boolean)[]>();
  const add = (name: string, given: readonly (string | boolean)[] | undefined) => {
    if (given !== undefined && given.length > 0) values.set(name, [...given]);
  };
  add('data', args.data);
  add('bundle', [...(args.bundle ?? []), ...(args.plan === undefined ? [] : [args.plan])]);
  add('ignore', args.ignore);
  add('import', args.imports);
  if (args.inputPath !== undefined) add('input', [args.inputPath]);
  if (args.package !== undefined) add('package', [args.package]);
  if (args.capabilities !== undefined) add('capabilities', [args.capabilities]);
  if (args.v0Compatible === true) add('v0-compatible', [true]);
  if (args.v1Compatible === true) add('v1-compatible', [true]);
  return new FlagValues(values);
}

/**
 * @param path of the plan, if it is a file of its own
 * @throws DebugError for debug information of another plan
 */
function debugInfoBeside(plan: PlanFile, path?: string): DebugInfo | undefined {
  const beside = path === undefined ? undefined : debugInfoPath(path);
  const hasFile = plan.debugInfo === undefined && beside !== undefined && existsSync(beside);
  try {
    return debugInfoOf(hasFile ? { ...plan, debugInfo: readFileSync(beside) } : plan, sha256);
  } catch (error) {
    throw new DebugError('invalid_launch', `${beside ?? plan.path}: ${(error as Error).message}`);
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
