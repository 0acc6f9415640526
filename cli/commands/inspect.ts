import { existsSync, readFileSync } from 'node:fs';
import type { Bundle } from '../../engine/index.js';
import { filePath } from '../../engine/node.js';
import { builtins, lenientTextOfFile, withDeclared } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import type { ReadProfile } from '../../views/index.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { givenCapabilities, v0Flag, v1Flag, yamlFlag } from '../compile-flags.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import { type FlagValues, group } from '../flags.js';
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
  long: `Shows what is in a bundle (an archive or a folder), a plan, or a policy: manifest, signatures, the files by package or path of data.

Names choose what a plan shows: an entrypoint with all that it calls, a function, a package, a pattern, or a place in the source.`,
  examples: [
    ['Show what is in a bundle', 'writ inspect bundle.tar.gz'],
    ['Show the annotations of policies', 'writ inspect -a policies'],
    ['Show the statements of a plan', 'writ inspect plan.json --listing'],
    ['Show the source with the statements below each line', 'writ inspect policies --listing --source authz/allow'],
    ['Show the statements of a line', 'writ inspect policies --at policies/authz.rego:7'],
    ['Show the instructions and the generated JavaScript', 'writ inspect plan.json --program --js authz/allow'],
    [
      'Draw the paths through a function with Graphviz',
      'writ inspect plan.json --cfg data.authz.allow | dot -Tsvg > allow.svg',
    ],
    ['Find what another engine refuses in a plan', 'writ inspect plan.json --verify --for any'],
    ['Show what optimizing changes', 'writ inspect --diff policies -O 2'],
    ['Show the plan beside its source in a browser', 'writ inspect bundle.tar.gz --web --output plan.html'],
  ],
  flags: [
    ...group(
      'Output',
      { name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'form of the output', default: 'pretty' },
      {
        name: 'annotations',
        short: 'a',
        type: 'bool',
        usage: 'show the annotations of policies; with --listing, whole addresses',
      },
      { name: 'entrypoints', type: 'bool', usage: 'show the entrypoints and functions of the plans' },
      { name: 'builtins', type: 'bool', usage: 'show the built-ins that the plans call, and which of them writ has' },
      { name: 'sizes', type: 'bool', usage: 'show the sizes of files and plans' },
    ),
    ...planFlags,
    ...group(
      'Browser',
      { name: 'web', type: 'bool', usage: 'show the plans in a browser: prints the address of a page' },
      { name: 'output', short: 'o', type: 'string', usage: 'with --web: file to write the page to' },
      {
        name: 'trace',
        type: 'string',
        usage: 'with --web: show a recording, the file of eval --record; no path is needed',
      },
    ),
    ...group(
      'Policies',
      { ...v0Flag, usage: 'read files as version 0 of Rego if the bundle does not say' },
      { ...v1Flag, usage: 'read files as version 1 of Rego if the bundle does not say' },
      yamlFlag,
    ),
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
function pathAndNames({ flags, positionals, before }: Arguments): {
  readonly path: string;
  readonly names: readonly string[];
} {
  const [first, second, ...others] = positionals;
  if (first === undefined && isRecording(flags)) return { path: '', names: [] };
  const views = [...viewFlags, 'web'].filter((flag) => flags.has(flag));
  if (first === undefined || (second !== undefined && views.length === 0))
    throw usageError('specify exactly one OPA bundle or path');
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
    const profilePath = flags.text('profile');
    const profile = profilePath === undefined ? undefined : await profileAt(profilePath);
    // Policies are planned for the profiled entrypoints.
    const wanted = names.length > 0 ? names : (profile?.entrypoints ?? []);
    const plans = inspectedPlans({ path, bundle, version, names: wanted }, io, { capabilities, available });
    return showPlans(plans, names, { available, profile }, flags, io);
  }
  const modules = parsedModules(path === '-' ? 'stdin.rego' : path, bundle, version);
  const plans = plansOf({ bundle, path }, () => modules, io);
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
  const { readProfile } = await import('../../views/recording/read-profile.js');
  let text: string;
  try {
    text = lenientTextOfFile(readFileSync(filePath(path)));
  } catch (error) {
    throw new Error(`open ${path}: ${systemProblem(error)}`, { cause: error });
  }
  try {
    return readProfile(text);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}
