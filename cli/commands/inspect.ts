import { readFileSync } from 'node:fs';
import { type Bundle, emptyBundle } from '../../bundle/bundle.js';
import { filePath, systemProblem } from '../../bundle/disk/file-path.js';
import { readBundle } from '../../bundle/disk/file-source.js';
import { moduleAt } from '../../bundle/disk/loose-file.js';
import { cleanPath } from '../../bundle/paths.js';
import type { Policy } from '../../ir-schema/plan.js';
import { printPolicy, printSelected, selectByName } from '../../ir-schema/print.js';
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
import { plannedModules } from '../inspect/planned-modules.js';
import type { Io } from '../io.js';
import { errorText } from '../output/error-output.js';

export const inspectCommand: Command = {
  name: 'inspect',
  use: '<path> [entrypoint or function]',
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

    $ writ inspect plan.json --js authz/allow`,
  flags: [
    { name: 'annotations', short: 'a', type: 'bool', usage: 'show the annotations of policies' },
    { name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'layout of the output', default: 'pretty' },
    { name: 'builtins', type: 'bool', usage: 'show the built-ins that the plans call, and whether they are available' },
    { name: 'entrypoints', type: 'bool', usage: 'show the entrypoints and the functions of the plans' },
    { name: 'js', type: 'bool', usage: 'show the generated JavaScript of the plans, or of one entrypoint or function' },
    { name: 'listing', type: 'bool', usage: 'show the statements of the plans, or of one entrypoint or function' },
    { name: 'program', type: 'bool', usage: 'show the instructions of the plans, or of one entrypoint or function' },
    { name: 'sizes', type: 'bool', usage: 'show the sizes of the files and the plans' },
    { name: 'v0-compatible', type: 'bool', usage: 'take files to be of version 0 of the language where the bundle does not say' },
    {
      name: 'v1-compatible',
      type: 'bool',
      usage: 'take files to be of version 1 of the language where the bundle does not say',
      default: 'true',
    },
    yamlFlag,
  ],
  async run(args, io) {
    const { path, name } = pathAndName(args);
    try {
      await inspect(path, name, args, io);
    } catch (error) {
      throw new CommandError(`error: ${errorText(error, io)}`);
    }
    return exitCodes.ok;
  },
};

/** The flags that show the code of plans, in the order in which it is shown. */
const listingFlags = ['listing', 'program', 'js'] as const;

/**
 * The path, and with `--listing`, `--program` or `--js` the name of the plan or function to show:
 * after the switch or as the last argument.
 */
function pathAndName({ flags, positionals, before }: Arguments): { readonly path: string; readonly name: string | undefined } {
  const shows = listingFlags.filter((flag) => flags.on(flag));
  if (positionals.length === 2 && shows.length > 0) {
    const nameFirst = listingFlags.some((flag) => before.get(0) === flag);
    return nameFirst ? { path: positionals[1]!, name: positionals[0] } : { path: positionals[0]!, name: positionals[1] };
  }
  if (positionals.length !== 1) throw usageError('specify exactly one OPA bundle or path');
  return { path: positionals[0]!, name: undefined };
}

async function inspect(path: string, name: string | undefined, { flags }: Arguments, io: Io): Promise<void> {
  const version = flags.on('v0-compatible') ? 0 : 1;
  const bundle = await bundleAt(path);
  const plans = readPlans(bundle, io);
  const listings = listingFlags.filter((flag) => flags.on(flag));
  if (listings.length > 0) {
    const policies = plans.length > 0 ? plans : plannedPolicies(path, bundle, version, name);
    for (const flag of listings) io.stdout(flag === 'listing' ? listing(policies, name) : await programListing(policies, name, flag));
    return;
  }
  const found = inspectBundle(bundle, plans, parsedModules(path, bundle, version));
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
function readPlans({ plans }: Bundle, io: Io): readonly Policy[] {
  return plans.map(({ path, policy }) => {
    const unknown = new UnknownMembers();
    const plan = loadPlan(policy, unknown);
    for (const warning of unknown.warnings()) io.stderr(`warning: ${path}: ${warning}\n`);
    return plan;
  });
}

/** Of policies that were not built, a plan of their entrypoints. */
function plannedPolicies(path: string, bundle: Bundle, version: 0 | 1, name: string | undefined): readonly Policy[] {
  const modules = parsedModules(path, bundle, version);
  return modules.length === 0 ? [] : [plannedModules(modules, name)];
}

async function bundleAt(given: string): Promise<Bundle> {
  if (!given.endsWith('.rego')) return readBundle(given);
  const path = filePath(given);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(`error reading ${JSON.stringify(path)}: stat ${path}: ${systemProblem(error)}`, { cause: error });
  }
  const module = moduleAt(cleanPath(path), textOfFile(bytes), bytes);
  return { ...emptyBundle, modules: [module], files: new Map([[module.bundlePath, bytes]]) };
}

function listing(policies: readonly Policy[], name: string | undefined): string {
  return selected(policies, name, (policy) => (name === undefined ? printPolicy(policy) : printSelected(policy, name)));
}

/** The instructions of the functions that a name selects, or their JavaScript. */
async function programListing(policies: readonly Policy[], name: string | undefined, flag: 'program' | 'js'): Promise<string> {
  const [{ assemble }, { verify }, { listProgram }, { listJavaScript }, { builtins }] = await Promise.all([
    import('../../runtime/bytecode/assemble.js'),
    import('../../ir-schema/verify/verify.js'),
    import('../../runtime/bytecode/listing.js'),
    import('../../runtime/codegen/listing.js'),
    import('../../builtins/registry.js'),
  ]);
  return selected(policies, name, (policy) => {
    verify(policy, builtins);
    const chosen = name === undefined ? undefined : selectByName(policy, name);
    const list = flag === 'program' ? listProgram : listJavaScript;
    if (name === undefined) return list(assemble(policy));
    const [plans, funcs] = [chosen?.plans, chosen?.funcs].map((list) => new Set(list?.map((each) => each.name)));
    return chosen && list(assemble(policy), (func) => (func.kind === 'plan' ? plans! : funcs!).has(func.name));
  });
}

function selected(policies: readonly Policy[], name: string | undefined, show: (policy: Policy) => string | undefined): string {
  if (policies.length === 0) throw new Error('there is no plan to list, and no policy to plan');
  const shown = policies.map(show).filter((text) => text !== undefined);
  if (shown.length > 0) return shown.join('\n');
  const entrypoints = policies.flatMap((policy) => (policy.plans?.plans ?? []).map((plan) => plan.name));
  throw new Error(`no entrypoint or function ${JSON.stringify(name)}: entrypoints are ${entrypoints.join(', ') || 'none'}`);
}
