import { readFileSync } from 'node:fs';
import type { Policy } from '../../ir-schema/plan.js';
import { printPolicy, printSelected } from '../../ir-schema/print.js';
import { type Bundle, emptyBundle } from '../../runtime/bundle/bundle.js';
import { filePath, systemProblem } from '../../runtime/bundle/disk/file-path.js';
import { readBundle } from '../../runtime/bundle/disk/file-source.js';
import { moduleAt } from '../../runtime/bundle/disk/loose-file.js';
import { cleanPath } from '../../runtime/bundle/paths.js';
import { textOfFile } from '../../runtime/values/text/utf8.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import { type Inspection, inspectBundle } from '../inspect/inspection.js';
import { inspectionJson, inspectionText } from '../inspect/output.js';
import type { Io } from '../io.js';
import { errorText } from '../output/errors.js';

export const inspectCommand: Command = {
  name: 'inspect',
  use: '<path> [entrypoint or function]',
  short: 'Show the content of bundles and plans',
  long: `Shows the content of a bundle (an archive or a directory), of a plan, or of one policy:

* manifest and signature data
* packages that are contributed by .rego files, and data locations defined by data files
* built-ins that the plans need, and whether they are available
* entrypoints, functions with their parameters, and sizes

Example:

    $ writ inspect bundle.tar.gz

Show the statements of a plan, with their source positions; with a name, those of one entrypoint and what it calls, or of one function

    $ writ inspect plan.json --listing
    $ writ inspect plan.json --listing authz/allow

Show the instructions that a plan becomes

    $ writ inspect plan.json --program authz/allow`,
  flags: [
    { name: 'annotations', short: 'a', type: 'bool', usage: 'show the annotations of policies' },
    { name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'layout of the output', default: 'pretty' },
    { name: 'listing', type: 'bool', usage: 'show the statements of the plans, or of one entrypoint or function' },
    { name: 'program', type: 'bool', usage: 'show the instructions of the plans, or of one entrypoint or function' },
    { name: 'v0-compatible', type: 'bool', usage: 'take files to be of version 0 of the language where the bundle does not say' },
    {
      name: 'v1-compatible',
      type: 'bool',
      usage: 'take files to be of version 1 of the language where the bundle does not say',
      default: 'true',
    },
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

/**
 * The path, and with `--listing` or `--program` the name of the plan or function to show: after the
 * switch or as the last argument.
 */
function pathAndName({ flags, positionals, before }: Arguments): { readonly path: string; readonly name: string | undefined } {
  const shows = flags.on('listing') || flags.on('program');
  if (positionals.length === 2 && shows) {
    const nameFirst = before.get(0) === 'listing' || before.get(0) === 'program';
    return nameFirst ? { path: positionals[1]!, name: positionals[0] } : { path: positionals[0]!, name: positionals[1] };
  }
  if (positionals.length !== 1) throw usageError('specify exactly one OPA bundle or path');
  return { path: positionals[0]!, name: undefined };
}

async function inspect(path: string, name: string | undefined, { flags }: Arguments, io: Io): Promise<void> {
  const version = flags.on('v0-compatible') ? 0 : 1;
  const bundle = await bundleAt(path);
  const withAnnotations = flags.on('annotations');
  const bare = inspectBundle(bundle, version);
  const found = withAnnotations && bundle.modules.length > 0 ? await withModuleAnnotations(path, bare, version) : bare;
  if (flags.on('listing')) io.stdout(listing(found.policies, name));
  if (flags.on('program')) io.stdout(await programListing(found.policies, name));
  if (flags.on('listing') || flags.on('program')) return;
  io.stdout(flags.text('format') === 'json' ? inspectionJson(found, withAnnotations, io) : inspectionText(found, withAnnotations));
}

async function withModuleAnnotations(path: string, found: Inspection, version: 0 | 1): Promise<Inspection> {
  const { moduleAnnotations } = await import('../inspect/module-annotations.js');
  return { ...found, annotations: [...moduleAnnotations(path, found.bundle, version), ...found.annotations] };
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

async function programListing(policies: readonly Policy[], name: string | undefined): Promise<string> {
  const [{ assemble }, { verify }, { listProgram }, { builtins }] = await Promise.all([
    import('../../runtime/bytecode/assemble.js'),
    import('../../runtime/lowering/verify/verify.js'),
    import('../../runtime/bytecode/listing.js'),
    import('../../runtime/builtins/registry.js'),
  ]);
  return selected(policies, name, (policy) => {
    verify(policy, builtins);
    return listProgram(assemble(policy), name);
  });
}

function selected(policies: readonly Policy[], name: string | undefined, show: (policy: Policy) => string | undefined): string {
  if (policies.length === 0) throw new Error('there is no plan to list');
  const shown = policies.map(show).filter((text) => text !== undefined);
  if (shown.length > 0) return shown.join('\n');
  const entrypoints = policies.flatMap((policy) => (policy.plans?.plans ?? []).map((plan) => plan.name));
  throw new Error(`no entrypoint or function ${JSON.stringify(name)}: entrypoints are ${entrypoints.join(', ') || 'none'}`);
}
