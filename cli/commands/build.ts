import { existsSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { debugInfoPath } from '../../bundle/paths.js';
import { planBytes, writeBundle } from '../../bundle/write.js';
import type { OptimizationLevel } from '../../compiler/optimize/pipeline.js';
import type { PassRecorder } from '../../inspect/passes.js';
import type { ModuleFormat } from '../../runtime/codegen/module/module-exports.js';
import type { Arguments } from '../args.js';
import { type BuildRequest, buildBundle } from '../bundles/build-bundle.js';
import { bundleVerification, signingConfig, signingFlags, skipVerifyFlag, verificationFlags } from '../bundles/signing.js';
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
import type { FlagValues } from '../flags.js';
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
  short: 'Make a bundle or a plan of policies and data',
  long: `Makes a bundle of policies and data: a gzipped tar archive. Of a directory, all
files below it are loaded.

    $ writ build -b policies/

With -b the paths are existing bundles, files or directories; their manifests are
kept, and several are merged into one.

Targets (-t):

    rego    The default: policies and data, as they are but for their format.
    plan    Policies, data, and beside them a plan.json: what the entrypoints compile
            to, for this engine and any other that runs plans. With an output whose
            name ends in .json, the plan alone.
            With --debug-info a debug.json beside it says what its statements serve.
    js      A JavaScript module of the entrypoints, with the data, for Node, browsers and
            workers; it needs nothing else. Beside it, its declarations for TypeScript.

Entrypoints are named by -e, or by 'entrypoint: true' in a METADATA comment. Rules that
read an entrypoint are planned as well, unless --prune-unused is given; a module has
the named ones only.

    $ writ build -t plan -e authz/allow -o bundle.tar.gz policies/
    $ writ build -t plan -e authz/allow -o plan.json policies/
    $ writ build -t js -e authz/allow -o policy.js policies/

With --explain-passes it prints what each step of -O 1 and -O 2 changed in the plan:
the statements by address, and why.

    $ writ build -t plan -O 2 --explain-passes -e authz/allow policies/

Bundles are signed with --signing-key and verified, as they are read, with --verification-key; both need -b.
A signed bundle is refused where no key verifies it, unless --skip-verify is given.`,
  flags: [
    bundleModeFlag,
    capabilitiesFlag,
    {
      name: 'debug-info',
      type: ['places', 'sources'],
      bare: 'places',
      usage: 'write debug.json beside the plan: what its statements serve, and on request the texts of the sources',
    },
    { name: 'debug', type: 'bool', usage: 'show the size of the plan, and entrypoints that stay as they are' },
    { name: 'entrypoint', short: 'e', type: 'string', repeated: true, usage: 'path of a rule to plan, with slashes: authz/allow' },
    { name: 'exclude-files-verify', type: 'strings', usage: 'files of a bundle that need no signature: names or shell patterns' },
    { name: 'explain-passes', type: 'bool', usage: 'show what each step of optimizing changed; with -f json as JSON' },
    { name: 'follow-symlinks', type: 'bool', usage: 'read files that symbolic links point to' },
    { name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'layout of errors and explanations', default: 'pretty' },
    ignoreFlag,
    { name: 'js-format', type: ['es', 'commonjs'], usage: 'format of a JavaScript module; without it, by the extension of the output' },
    { name: 'max-growth', type: 'float', usage: 'how many times as many statements -O may make of a plan; 0: any number', default: '2' },
    { name: 'optimize', short: 'O', type: 'int', usage: 'optimization level: 0, 1 or 2', default: '0' },
    { name: 'output', short: 'o', type: 'string', usage: 'file to write', default: 'bundle.tar.gz' },
    {
      name: 'partial-namespace',
      type: 'string',
      usage: 'package of rules that optimizing adds',
      default: 'partial',
    },
    { name: 'plan-addons', type: 'strings', usage: `add to the plan what is not needed to run it: ${addons.join(', ')}` },
    {
      name: 'plan-locals',
      type: ['frame', 'unique'],
      usage: 'numbers of locals: anew in each function, or none twice, for engines whose functions share registers',
      default: 'frame',
    },
    { name: 'prune-unused', type: 'bool', usage: 'plan the entrypoints without the rules that refer to them' },
    { name: 'revision', short: 'r', type: 'string', usage: 'revision of the bundle' },
    { name: 'scope', type: 'string', usage: "scope that a bundle's signature must have" },
    ...signingFlags,
    skipVerifyFlag,
    schemaFlag,
    {
      name: 'target',
      short: 't',
      type: ['rego', 'wasm', 'plan'],
      ownWords: ['js'],
      usage: 'what the bundle holds: policies or a plan; or a JavaScript module',
      default: 'rego',
    },
    v0Flag,
    v1Flag,
    yamlFlag,
    ...verificationFlags,
    {
      name: 'wasm-include-print',
      type: 'bool',
      usage: 'keep print calls in WebAssembly',
      ignored: 'only WebAssembly reads it; plans print',
    },
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
  if (unknown !== undefined) throw usageError(`--plan-addons: there is no ${JSON.stringify(unknown)}, only ${addons.join(', ')}`);
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
  if (hasKey && !asBundle) throw new Error('enable bundle mode (ie. --bundle) to verify or sign bundle files or directories');
  const signing = signingConfig(flags, flags.text('verification-key-id') ?? 'default');
  if (!asBundle) warnOfManifests(positionals, io);
  const target = (flags.text('target') ?? 'rego') as BuildRequest['target'];
  const recorder = flags.on('explain-passes') ? new (await import('../../inspect/passes.js')).PassRecorder() : undefined;
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
    partialNamespace: flags.text('partial-namespace') ?? 'partial',
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
  if (bundle.modules.length + bundle.plans.length + Object.keys(bundle.data).length === 0) noteNoPolicies(io);
  const output = flags.text('output') ?? 'bundle.tar.gz';
  if (target === 'plan' && output.endsWith('.json')) {
    const [plan] = bundle.plans;
    writeFile(output, planBytes(plan!));
    if (plan!.debugInfo !== undefined) writeFile(debugInfoPath(output), plan!.debugInfo);
    return;
  }
  writeFile(output, await writeBundle(bundle, async (bytes) => gzipSync(bytes)));
}

async function explainPasses({ passes }: PassRecorder, flags: FlagValues, io: Io): Promise<void> {
  const { passesJson, passesText } = await import('../../inspect/passes.js');
  io.stdout(flags.text('format') === 'json' ? orderedJson(passesJson(passes)) : passesText(passes));
}

/** A manifest in a directory that is not loaded as a bundle is probably a mistake. */
function warnOfManifests(paths: readonly string[], io: Io): void {
  for (const path of paths) {
    if (!existsSync(path) || !statSync(path).isDirectory() || !existsSync(`${path}/.manifest`)) continue;
    io.stderr(`Warning: .manifest file found in ${JSON.stringify(path)} but -b flag not specified. Manifest will be ignored.\n`);
  }
}
