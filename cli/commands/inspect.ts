import { existsSync, readFileSync } from 'node:fs';
import { withDeclared } from '../../builtins/declared.js';
import { builtins } from '../../builtins/registry.js';
import type { Bundle } from '../../bundle/bundle.js';
import { filePath, systemProblem } from '../../bundle/disk/file-path.js';
import type { ReadProfile } from '../../engine/recording/read-profile.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { givenCapabilities, yamlFlag } from '../compile-flags.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import { inspectBundle } from '../inspect/inspection.js';
import { parsedModules } from '../inspect/modules.js';
import { inspectionJson, inspectionText, type ShownParts } from '../inspect/output.js';
import { planFlags, viewFlags } from '../inspect/plan-flags.js';
import { bundleAt, inspectedPlans, plansOf } from '../inspect/plan-inputs.js';
import type { Io } from '../io.js';
import { errorText } from '../output/error-output.js';

export const inspectCommand: Command = {
  name: 'inspect',
  use: '<path> [entrypoint, function, package, pattern or place ...]',
  short: 'Show the content of bundles and plans',
  long: `Shows the content of a bundle (an archive or a directory), of a plan, or of one policy:

* manifest and signature data
* packages that are contributed by .rego files, and data locations defined by data files
* annotations of packages and rules, with --annotations
* built-ins and features that the policies need, with --format json

and on request entrypoints and functions, built-ins that the plans call, and sizes.

Example:

    $ writ inspect bundle.tar.gz

Show the statements of a plan, by their addresses and with their source positions; a name chooses an entrypoint and all that it
calls, a function, a package, a pattern or a place in the source

    $ writ inspect plan.json --listing
    $ writ inspect policies --listing --source authz/allow
    $ writ inspect policies --at policies/authz.rego:17

Show the instructions that a plan becomes, and the JavaScript once it has run often

    $ writ inspect plan.json --program --js authz/allow

Show calls, the ways through the statements, and rules that entrypoints do without

    $ writ inspect plan.json --calls
    $ writ inspect plan.json --callers data.authz.roles
    $ writ inspect plan.json --cfg data.authz.allow | dot -Tsvg > allow.svg
    $ writ inspect policies --unplanned

Show all problems of a plan, also for another engine, and the differences of two plans

    $ writ inspect plan.json --verify --for any
    $ writ inspect --diff old.json new.json
    $ writ inspect --diff policies -O 2

Show the plan beside its source in a browser, and evaluate it there

    $ writ inspect bundle.tar.gz --web
    $ writ inspect bundle.tar.gz --web --output plan.html`,
  flags: [
    { name: 'annotations', short: 'a', type: 'bool', usage: 'show the annotations of policies; with --listing, whole addresses' },
    { name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'layout of the output', default: 'pretty' },
    { name: 'builtins', type: 'bool', usage: 'show the built-ins that the plans call, and whether they are available' },
    { name: 'entrypoints', type: 'bool', usage: 'show the entrypoints and the functions of the plans' },
    { name: 'output', short: 'o', type: 'string', usage: 'write the page of --web to a file' },
    { name: 'sizes', type: 'bool', usage: 'show the sizes of the files and the plans' },
    { name: 'v0-compatible', type: 'bool', usage: 'take files to be of version 0 of the language where the bundle does not say' },
    {
      name: 'v1-compatible',
      type: 'bool',
      usage: 'take files to be of version 1 of the language where the bundle does not say',
      default: 'true',
    },
    ...planFlags,
    { name: 'web', type: 'bool', usage: 'show the plans in a browser: prints the address of a page, or writes it to a file with --output' },
    yamlFlag,
  ],
  async run(args, io) {
    const { path, names } = pathAndNames(args);
    try {
      return await inspect(path, names, args, io);
    } catch (error) {
      throw new CommandError(`error: ${errorText(error, io)}`);
    }
  },
};

/**
 * The path, and the names of plans and functions to show: behind it, or one before it directly
 * behind the switch of a view.
 */
function pathAndNames({ flags, positionals, before }: Arguments): { readonly path: string; readonly names: readonly string[] } {
  const [first, second, ...others] = positionals;
  if (first === undefined && isRecording(flags)) return { path: '', names: [] };
  const views = [...viewFlags, 'web'].filter((flag) => flags.has(flag));
  if (first === undefined || (second !== undefined && views.length === 0)) throw usageError('specify exactly one OPA bundle or path');
  if (second === undefined) return { path: first, names: [] };
  const isNameFirst = views.some((flag) => before.get(0) === flag) && first !== '-' && !existsSync(filePath(first));
  return isNameFirst ? { path: second, names: [first, ...others] } : { path: first, names: [second, ...others] };
}

/** A recording has its plan in it. */
function isRecording(flags: FlagValues): boolean {
  return flags.on('web') && (flags.text('trace') ?? '') !== '';
}

async function inspect(path: string, names: readonly string[], { flags }: Arguments, io: Io): Promise<number> {
  const version = flags.on('v0-compatible') ? 0 : 1;
  if (flags.on('web')) {
    const { showPage } = await import('../inspect/show-page.js');
    await showPage(path, names, flags, io);
    return exitCodes.ok;
  }
  if (['trace', 'output'].some((flag) => flags.has(flag))) throw usageError('--trace and --output need --web');
  if (flags.on('diff')) {
    const { showDiff } = await import('../inspect/show-diff.js');
    return showDiff(path, names, flags, io);
  }
  const bundle = await bundleAt(path, io);
  if (viewFlags.some((flag) => flags.has(flag))) {
    const { showPlans } = await import('../inspect/show-plans.js');
    const capabilities = await givenCapabilities(flags);
    const available = withDeclared(builtins, capabilities);
    const profile = flags.has('profile') ? await profileAt(flags.text('profile')!) : undefined;
    // Policies are planned for what was profiled.
    const wanted = names.length > 0 ? names : (profile?.entrypoints ?? []);
    const plans = inspectedPlans(path, bundle, version, wanted, io, { capabilities, available });
    return showPlans(plans, names, { available, profile }, flags, io);
  }
  const modules = parsedModules(path === '-' ? 'stdin.rego' : path, bundle, version);
  const plans = plansOf(bundle, () => modules, io);
  const found = inspectBundle(
    bundle,
    plans.map(({ policy }) => policy),
    modules,
  );
  const shown = shownParts(bundle, flags);
  io.stdout(flags.text('format') === 'json' ? inspectionJson(found, shown, io) : inspectionText(found, shown));
  return exitCodes.ok;
}

/** The parts that the flags ask for; of a plan alone there is nothing else to show. */
function shownParts({ files, plans }: Bundle, flags: FlagValues): ShownParts {
  const isPlan = plans.length === 1 && files.size === 1;
  const shows = (flag: string) => isPlan || flags.on(flag);
  return {
    annotations: flags.on('annotations'),
    entrypoints: shows('entrypoints'),
    builtins: shows('builtins'),
    sizes: shows('sizes'),
  };
}

async function profileAt(path: string): Promise<ReadProfile> {
  const { readProfile } = await import('../../engine/recording/read-profile.js');
  let text: string;
  try {
    text = readFileSync(filePath(path), 'utf8');
  } catch (error) {
    throw new Error(`open ${path}: ${systemProblem(error)}`, { cause: error });
  }
  try {
    return readProfile(text);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}
