import { existsSync, readFileSync } from 'node:fs';
import { isGzip } from '../../bundle/archive/archive.js';
import { type Bundle, emptyBundle } from '../../bundle/bundle.js';
import { filePath, systemProblem } from '../../bundle/disk/file-path.js';
import { readBundle, readBytes } from '../../bundle/disk/file-source.js';
import { moduleAt } from '../../bundle/disk/loose-file.js';
import { cleanPath } from '../../bundle/paths.js';
import { UnknownMembers } from '../../ir-schema/unknown-members.js';
import { loadPlan } from '../../ir-schema/validate.js';
import { textOfFile } from '../../values/text/utf8.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { yamlFlag } from '../compile-flags.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import { inspectBundle } from '../inspect/inspection.js';
import { parsedModules } from '../inspect/modules.js';
import { inspectionJson, inspectionText, type ShownParts } from '../inspect/output.js';
import { type InspectedPlan, planFlags, viewFlags } from '../inspect/plan-flags.js';
import { plannedModules } from '../inspect/planned-modules.js';
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

Show the statements of a plan, with their source positions; with a name, those of one entrypoint and what it calls, or of one function

    $ writ inspect plan.json --listing
    $ writ inspect plan.json --listing authz/allow
    $ writ inspect policies --listing authz/allow

Show the instructions that a plan becomes

    $ writ inspect plan.json --program authz/allow

Show the JavaScript that it becomes once it has run often

    $ writ inspect plan.json --js authz/allow

Show the plan beside its source in a browser, and evaluate it there

    $ writ inspect bundle.tar.gz --web
    $ writ inspect bundle.tar.gz --web --output plan.html`,
  flags: [
    { name: 'annotations', short: 'a', type: 'bool', usage: 'show the annotations of policies' },
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
      await inspect(path, names, args, io);
    } catch (error) {
      throw new CommandError(`error: ${errorText(error, io)}`);
    }
    return exitCodes.ok;
  },
};

/**
 * The path, and the names of plans and functions to show: behind it, or one before it directly
 * behind the switch of a view.
 */
function pathAndNames({ flags, positionals, before }: Arguments): { readonly path: string; readonly names: readonly string[] } {
  const [first, second, ...others] = positionals;
  const views = [...viewFlags, 'web'].filter((flag) => flags.on(flag));
  if (first === undefined || (second !== undefined && views.length === 0)) throw usageError('specify exactly one OPA bundle or path');
  if (second === undefined) return { path: first, names: [] };
  const isNameFirst = views.some((flag) => before.get(0) === flag) && first !== '-' && !existsSync(filePath(first));
  return isNameFirst ? { path: second, names: [first, ...others] } : { path: first, names: [second, ...others] };
}

async function inspect(path: string, names: readonly string[], { flags }: Arguments, io: Io): Promise<void> {
  const version = flags.on('v0-compatible') ? 0 : 1;
  const bundle = await bundleAt(path, io);
  const plans = readPlans(bundle, io);
  if (flags.on('web')) {
    const { showPage } = await import('../inspect/show-page.js');
    const policies = plans.length > 0 ? plans : plannedPolicies(path, bundle, version, names);
    return showPage(path, bundle, policies, flags, io);
  }
  if (viewFlags.some((flag) => flags.on(flag))) {
    const { showPlans } = await import('../inspect/show-plans.js');
    const policies = plans.length > 0 ? plans : plannedPolicies(path, bundle, version, names);
    return showPlans(policies, names, flags, io);
  }
  const found = inspectBundle(
    bundle,
    plans.map(({ policy }) => policy),
    parsedModules(path, bundle, version),
  );
  const shown = shownParts(bundle, flags);
  io.stdout(flags.text('format') === 'json' ? inspectionJson(found, shown, io) : inspectionText(found, shown));
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

/** The plans of a bundle; warns of members that it ignores. */
function readPlans({ plans }: Bundle, io: Io): readonly InspectedPlan[] {
  return plans.map(({ path, policy }) => {
    const unknown = new UnknownMembers();
    const plan = loadPlan(policy, unknown);
    for (const warning of unknown.warnings()) io.stderr(`warning: ${path}: ${warning}\n`);
    return { path, policy: plan };
  });
}

/** Of policies that were not built, a plan of their entrypoints. */
function plannedPolicies(path: string, bundle: Bundle, version: 0 | 1, names: readonly string[]): readonly InspectedPlan[] {
  const modules = parsedModules(path, bundle, version);
  return modules.length === 0 ? [] : [{ path, policy: plannedModules(modules, names) }];
}

async function bundleAt(given: string, io: Io): Promise<Bundle> {
  if (given === '-') {
    const bytes = io.stdin();
    return isText(bytes) ? policyAlone('stdin.rego', bytes) : readBytes('stdin', bytes);
  }
  if (!given.endsWith('.rego')) return readBundle(given);
  const path = filePath(given);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(`error reading ${JSON.stringify(path)}: stat ${path}: ${systemProblem(error)}`, { cause: error });
  }
  return policyAlone(path, bytes);
}

/** Whether bytes are neither an archive nor a plan. */
function isText(bytes: Uint8Array): boolean {
  return !isGzip(bytes) && !/^\s*\{/.test(textOfFile(bytes.subarray(0, 100)));
}

function policyAlone(path: string, bytes: Uint8Array): Bundle {
  const module = moduleAt(cleanPath(path), textOfFile(bytes), bytes);
  return { ...emptyBundle, modules: [module], files: new Map([[module.bundlePath, bytes]]) };
}
