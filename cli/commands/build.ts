import { existsSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type OptimizationLevel, rulesAtPath, undefinedEntrypoint } from '../../compiler/index.js';
import { debugInfoPath, partOf, planBytes, writeBundle } from '../../engine/index.js';
import type { ModuleFormat } from '../../runtime/index.js';
import type { PassRecorder } from '../../views/index.js';
import type { Arguments } from '../args.js';
import { type BuildRequest, type Built, buildBundle } from '../bundles/build-bundle.js';
import {
  bundleVerification,
  signingConfig,
  signingFlags,
  skipVerifyFlag,
  verificationFlags,
} from '../bundles/signing.js';
import type { Command } from '../command.js';
import {
  bundleModeFlag,
  capabilitiesFlag,
  givenCapabilities,
  ignoreFlag,
  languageVersion,
  loadSchemas,
  schemaFlag,
  v0Flag,
  v1Flag,
  yamlFlag,
} from '../compile-flags.js';
import { exitCodes, usageError } from '../exit.js';
import { type FlagValues, group } from '../flags.js';
import type { Io } from '../io.js';
import { type ModuleOutput, moduleOutput } from '../modules/module-output.js';
import { errorsJson, errorText } from '../output/error-output.js';
import { outputErrors } from '../output/failures.js';
import { noteNoPolicies } from '../output/no-policies.js';
import { orderedJson } from '../output/ordered-json.js';
import type { OutputError } from '../output/output.js';
import { writeFile } from '../output/write-file.js';

const addons = ['unplanned_rules'];

export const buildCommand: Command = {
  name: 'build',
  use: '<path> [<path> [...]]',
  long: `Builds a bundle of policies and data: a gzipped tar archive. In a folder, all files are loaded. With -b the paths are bundles: their manifests are kept, and several are merged into one.

The targets (-t):

    rego    policies and data
    plan    also plan.json: what the entrypoints compile to, for this engine
            and others. If the output ends in .json, the plan alone
    js      a JavaScript module of the entrypoints and the data, for Node,
            browsers and workers, with its declarations for TypeScript

Entrypoints are the rules that programs ask for. -e names them, or 'entrypoint: true' in a METADATA comment does. Rules that read an entrypoint are planned too, unless --prune-unused is given.

Bundles are signed with --signing-key, and verified when they are read with --verification-key; both need -b. A signed bundle is refused if no key verifies it, unless --skip-verify is given.`,
  examples: [
    ['Build a bundle of a folder', 'writ build policies data.json'],
    ['Give it a revision and a name', 'writ build -r v1.2.0 -o authz.tar.gz policies data.json'],
    ['Build a bundle with a plan, optimized', 'writ build -t plan -O 1 -e authz/allow policies data.json'],
    ['Write the plan alone', 'writ build -t plan -e authz/allow -o plan.json policies'],
    ['Write a JavaScript module', 'writ build -t js -e authz/allow -o policy.js policies data.json'],
    ['Sign a bundle', 'writ build -b --signing-key key.pem -o signed.tar.gz bundle.tar.gz'],
    ['Show what each step of optimizing changed', 'writ build -t plan -O 2 --explain-passes -e authz/allow policies'],
  ],
  flags: [
    ...group(
      'Sources',
      bundleModeFlag,
      ignoreFlag,
      { name: 'follow-symlinks', type: 'bool', usage: 'read files that symbolic links point to' },
      capabilitiesFlag,
      schemaFlag,
      v0Flag,
      v1Flag,
      yamlFlag,
    ),
    ...group(
      'Output',
      { name: 'output', short: 'o', type: 'string', usage: 'file to write', default: 'bundle.tar.gz' },
      {
        name: 'target',
        short: 't',
        type: ['rego', 'wasm', 'plan'],
        ownWords: ['js'],
        usage: 'what to build, see above; wasm is an error',
        default: 'rego',
      },
      {
        name: 'entrypoint',
        short: 'e',
        type: 'string',
        repeated: true,
        usage: 'path of a rule to plan, with slashes: authz/allow',
      },
      { name: 'revision', short: 'r', type: 'string', usage: 'revision of the bundle' },
      {
        name: 'format',
        short: 'f',
        type: ['pretty', 'json'],
        usage: 'form of errors and of --explain-passes',
        default: 'pretty',
      },
      { name: 'debug', type: 'bool', usage: 'show the size of the plan, and entrypoints that are not optimized' },
    ),
    ...group(
      'Optimizing',
      { name: 'optimize', short: 'O', type: 'int', usage: 'level of optimization: 0, 1 or 2', default: '0' },
      {
        name: 'max-growth',
        type: 'float',
        usage: 'how many times as many statements a plan may get; 0: any number',
        default: '2',
      },
      {
        name: 'partial-namespace',
        type: 'string',
        usage: 'package of the rules that optimizing adds',
        default: 'partial',
      },
      { name: 'prune-unused', type: 'bool', usage: 'do not plan the rules that read an entrypoint' },
      { name: 'explain-passes', type: 'bool', usage: 'show what each step of optimizing changed' },
    ),
    ...group(
      'Plan and module',
      {
        name: 'debug-info',
        type: ['places', 'sources'],
        bare: 'places',
        usage: 'write debug.json beside the plan: the place of each statement, or also the texts of the policies',
      },
      {
        name: 'plan-addons',
        type: 'strings',
        usage: `add to the plan what is not needed to run it: ${addons.join(', ')}`,
      },
      {
        name: 'plan-locals',
        type: ['frame', 'unique'],
        usage: 'numbers of locals: per function, or unique in the plan for engines that need it',
        default: 'frame',
      },
      {
        name: 'js-format',
        type: ['es', 'commonjs'],
        usage: 'form of a JavaScript module (default: by the name of the output)',
      },
      {
        name: 'wasm-include-print',
        type: 'bool',
        usage: 'keep print calls in WebAssembly',
        ignored: 'only WebAssembly reads it; plans print',
      },
    ),
    ...group(
      'Signatures',
      ...signingFlags,
      ...verificationFlags,
      { name: 'scope', type: 'string', usage: 'scope that the signature of a bundle must have' },
      {
        name: 'exclude-files-verify',
        type: 'strings',
        usage: 'files of a bundle that need no signature: names or shell patterns',
      },
      skipVerifyFlag,
    ),
  ],
  showsProgress: true,
  async run(args, io) {
    validate(args);
    try {
      await build(args, io);
      return exitCodes.ok;
    } catch (error) {
      const asJson = args.flags.text('format') === 'json';
      io.stdout(asJson ? errorsJson(errorList(error)) : `error: ${errorText(error, io, 'stdout')}\n`);
      return exitCodes.failure;
    }
  },
};

/** The errors of the sources, if a sentence about loading stands around them. */
function errorList(error: unknown): readonly OutputError[] {
  const inner = outputErrors((error as Error).cause ?? error);
  return inner.some(({ location }) => location !== undefined) ? inner : outputErrors(error);
}

function validate({ flags, positionals }: Arguments): void {
  if (positionals.length === 0) throw usageError('expected at least one path');
  const target = flags.text('target') ?? 'rego';
  const level = flags.number('optimize') ?? 0;
  if (target === 'js') validateModule(flags);
  else for (const name of ['js-format', 'schema']) if (flags.has(name)) throw usageError(`--${name} needs --target js`);
  for (const name of ['debug-info', 'plan-locals'])
    if (target !== 'plan' && flags.has(name)) throw usageError(`--${name} needs --target plan`);
  if (target === 'wasm') throw usageError('--target wasm is not supported: policies compile to plans (-t plan)');
  const namespace = flags.text('partial-namespace') ?? 'partial';
  if (!/^[A-Za-z_]\w*$/.test(namespace)) throw usageError('--partial-namespace must be a name');
  const growth = flags.number('max-growth') ?? 2;
  if (growth !== 0 && !(growth >= 1)) throw usageError('--max-growth must be 0, or 1 and more');
  if (level < 0 || level > 2) throw usageError('--optimize must be 0, 1 or 2');
  const unknown = flags.all('plan-addons').find((addon) => !addons.includes(addon));
  if (unknown !== undefined)
    throw usageError(`--plan-addons: there is no ${JSON.stringify(unknown)}, only ${addons.join(', ')}`);
}

function validateModule(flags: FlagValues): void {
  jsOutput(flags);
  if (flags.has('plan-addons')) throw usageError('--plan-addons: a module has no plan');
  if (flags.has('signing-key')) throw usageError('--signing-key: a module cannot be signed');
}

function jsOutput(flags: FlagValues): ModuleOutput {
  return moduleOutput(flags.text('output') ?? 'policy.js', flags.text('js-format') as ModuleFormat | undefined);
}

async function build({ flags, positionals }: Arguments, io: Io): Promise<void> {
  const asBundle = flags.on('bundle');
  const hasKey = ['signing-key', 'verification-key'].some((name) => (flags.text(name) ?? '') !== '');
  if (hasKey && !asBundle)
    throw new Error('enable bundle mode (ie. --bundle) to verify or sign bundle files or directories');
  const signing = signingConfig(flags, flags.text('verification-key-id') ?? 'default');
  if (!asBundle) warnOfManifests(positionals, io);
  const target = (flags.text('target') ?? 'rego') as BuildRequest['target'];
  const recorder = flags.on('explain-passes')
    ? new (await import('../../views/inspect/passes.js')).PassRecorder()
    : undefined;
  const request: BuildRequest = {
    paths: positionals,
    asBundle,
    target,
    entrypoints: flags.all('entrypoint'),
    version: languageVersion(flags),
    capabilities: await givenCapabilities(flags),
    schemas: loadSchemas(flags.text('schema') ?? ''),
    ignore: flags.all('ignore'),
    followSymlinks: flags.on('follow-symlinks'),
    optimization: (flags.number('optimize') ?? 0) as OptimizationLevel,
    maxGrowth: flags.number('max-growth'),
    partialNamespace: flags.text('partial-namespace'),
    pruneUnused: target === 'js' || flags.on('prune-unused'),
    unplannedRules: flags.all('plan-addons').includes('unplanned_rules'),
    uniqueLocals: flags.text('plan-locals') === 'unique',
    ...(flags.has('debug-info') && { debugInfo: flags.text('debug-info') as 'places' | 'sources' }),
    revision: flags.text('revision'),
    verification: bundleVerification(flags),
    signing,
    ...(flags.on('debug') && { debug: (line: string) => io.stderr(`${line}\n`) }),
    ...(recorder && { onPass: recorder.onPass }),
    progress: io.progress,
  };
  const built = await buildBundle(request);
  io.progress?.stage('writing');
  if (recorder) await explainPasses(recorder, flags, io);
  if (target === 'js') {
    const { moduleFiles } = await import('../modules/module-files.js');
    for (const [path, text] of moduleFiles(built, jsOutput(flags))) writeFile(path, text);
    return;
  }
  const { bundle } = built;
  if (target === 'rego') warnOfEntrypoints(built, io);
  if (bundle.modules.length + bundle.plans.length + Object.keys(bundle.data).length === 0) noteNoPolicies(io);
  const output = flags.text('output') ?? 'bundle.tar.gz';
  const [plan] = target === 'plan' && output.endsWith('.json') ? bundle.plans : [];
  if (plan !== undefined) {
    writeFile(output, planBytes(plan));
    if (plan.debugInfo !== undefined) writeFile(debugInfoPath(output), plan.debugInfo);
    return;
  }
  writeFile(output, await writeBundle(bundle, async (bytes) => gzipSync(bytes)));
}

async function explainPasses({ passes }: PassRecorder, flags: FlagValues, io: Io): Promise<void> {
  const { passesJson, passesText } = await import('../../views/inspect/passes.js');
  io.stdout(flags.text('format') === 'json' ? orderedJson(passesJson(passes)) : passesText(passes));
}

/** The reference builds a bundle of policies with entrypoints that nothing has. */
function warnOfEntrypoints({ entrypoints, compiled, bundle }: Built, io: Io): void {
  for (const { name, path } of entrypoints) {
    if (rulesAtPath(compiled, path).length > 0 || partOf(bundle.data, path) !== undefined) continue;
    const text = undefinedEntrypoint(compiled, name, path);
    // In a pipe the reference is silent: there only a name that is misspelt is told.
    if (io.isTerminal?.('stderr') || text.includes('did you mean'))
      io.stderr(`warning: unresolved-entrypoint: ${text}\n`);
  }
}

/** A manifest in a directory that is not loaded as a bundle is probably a mistake. */
function warnOfManifests(paths: readonly string[], io: Io): void {
  for (const path of paths) {
    if (!existsSync(path) || !statSync(path).isDirectory() || !existsSync(`${path}/.manifest`)) continue;
    io.stderr(
      `Warning: .manifest file found in ${JSON.stringify(path)} but -b flag not specified. Manifest will be ignored.\n`,
    );
  }
}
