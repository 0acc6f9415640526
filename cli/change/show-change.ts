/** Compares two versions and writes the report: `writ diff`. */
import { writeFileSync } from 'node:fs';
import { CompileErrors } from '../../compiler/index.js';
import { buildInfo } from '../../engine/index.js';
import { filePath, loadFiles } from '../../engine/node.js';
import type { PlainObject, Value } from '../../values/index.js';
import type { ChangeReport, LogProblem } from '../../views/index.js';
import { changeGithub, changeMarkdown, changePretty, changeSarif, compareVersions } from '../../views/index.js';
import type { Arguments } from '../args.js';
import { givenCapabilities, loadSchemas } from '../compile-flags.js';
import { CommandError, usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { errorText } from '../output/error-output.js';
import { orderedJson } from '../output/ordered-json.js';
import { logEvents } from './log-files.js';
import { type OpenedVersion, openVersion, type VersionOptions } from './open-version.js';
import { RevisionData } from './revision-data.js';
import { Solver } from './solver.js';

/** Exit codes of `diff`: those of `diff` for files, and one for an open question. */
const exits = { same: 0, differs: 1, failed: 2, unknown: 3 } as const;

interface OpenedPair {
  readonly old: OpenedVersion;
  readonly new: OpenedVersion;
}

export async function showChange({ positionals, flags }: Arguments, io: Io): Promise<number> {
  const [old, next, ...others] = positionals;
  if (old === undefined || next === undefined) throw usageError('specify two versions: writ diff OLD NEW');
  if (others.length > 0) throw usageError(`specify two versions, not ${positionals.length}`);
  const bound = flags.number('bound');
  if (bound !== undefined && !(bound >= 1 && bound <= 20)) throw usageError('--bound must be from 1 to 20');
  const slower = flags.number('slower');
  if (slower !== undefined && !(slower > 1)) throw usageError('--slower must be more than 1');
  const options = await versionOptions(flags, io);
  const oldOptions: VersionOptions = flags.on('old-v0-compatible') ? { ...options, regoVersion: 'v0' } : options;
  const open = async (documents?: PlainObject) => ({
    old: await opened('old', old, { ...oldOptions, documents }, io),
    new: await opened('new', next, { ...options, documents }, io),
  });
  const pair = await open();
  const sources = {
    bundles: flags.all('revision-data'),
    writes: flags.has('writes') ? flags.text('writes') : undefined,
  };
  const revisions = new RevisionData(sources, open, io);
  const log = flags.all('log');
  const solver = provesSome(flags) ? new Solver(process.cwd(), io) : undefined;
  const report = await compareVersions(pair, {
    schemas: schemasOf(flags),
    prove: solver && {
      solve: solver.solve,
      paths: flags.on('prove') || flags.on('implies') ? searchedPaths(pair, flags) : [],
      implies: flags.on('implies'),
      never: flags.all('never'),
      bound: flags.number('bound'),
      ms: flags.number('timeout'),
    },
    events: log.length === 0 ? undefined : logEvents(log, io),
    searched: (log.length === 0 && solver === undefined) || flags.on('search') ? searchedPaths(pair, flags) : [],
    search: { tries: flags.number('tries'), seed: flags.number('seed') },
    replay: {
      paths: flags.has('entrypoint') ? searchedPaths(pair, flags) : undefined,
      slower,
      versionsOf: revisions.isEmpty ? undefined : (event) => revisions.versionsOf(event),
      onProblem: flags.on('strict') ? refuse : undefined,
    },
  }).finally(() => solver?.close());
  write(await textOf(report, pair, flags, io), flags, io);
  return report.outcome === 'unknown' && !flags.on('strict') ? exits.same : exits[report.outcome];
}

/** The entrypoints of plans that a page shows. */
function shownPaths({ search, replay }: ChangeReport, pair: OpenedPair, flags: FlagValues): readonly string[] {
  const found = [...new Set((replay?.groups ?? []).map(({ path }) => path))];
  return found.length > 0 ? found : (search?.paths ?? searchedPaths(pair, flags));
}

function provesSome(flags: FlagValues): boolean {
  return flags.on('prove') || flags.on('implies') || flags.has('never');
}

/** `authz/allow`, also where it is named as in policies: `data.authz.allow`. */
function namedPaths(flags: FlagValues): readonly string[] {
  return flags
    .all('entrypoint')
    .map((name) => (name.startsWith('data.') ? name.slice('data.'.length).replaceAll('.', '/') : name));
}

/** The entrypoints that are named, or those of either version. */
function searchedPaths(pair: OpenedPair, flags: FlagValues): readonly string[] {
  const named = namedPaths(flags);
  const paths = named.length > 0 ? named : [...new Set([...pair.old.entrypoints, ...pair.new.entrypoints])];
  if (paths.length === 0) {
    const rules = [...new Set([pair.old, pair.new].flatMap(({ library }) => library.rules()))];
    const some = rules.slice(0, 5).join(', ');
    throw usageError(`name the decisions to compare with -e, as no rule is annotated as an entrypoint: ${some}`);
  }
  const missing = paths.find((path) => !pair.old.library.has(path) && !pair.new.library.has(path));
  if (missing !== undefined) throw failure(`neither version has anything at ${missing}`);
  return paths;
}

function schemasOf(flags: FlagValues): ReadonlyMap<string, Value> | undefined {
  try {
    return loadSchemas(flags.text('schema') ?? '');
  } catch (error) {
    throw failure(`--schema: ${(error as Error).message}`);
  }
}

async function versionOptions(flags: FlagValues, io: Io): Promise<VersionOptions> {
  const capabilities = await givenCapabilities(flags);
  return {
    data: flags.has('data') ? await dataOf(flags) : undefined,
    regoVersion: flags.on('v0-compatible') ? 'v0' : 'v1',
    ignore: flags.all('ignore'),
    ...(capabilities && { capabilities }),
    onWarning: (warning) => io.stderr(`warning: ${warning}\n`),
  };
}

async function dataOf(flags: FlagValues): Promise<PlainObject> {
  const isData = (name: string) => !name.endsWith('.rego') && !name.endsWith('.tar.gz');
  try {
    return (await loadFiles(flags.all('data'), flags.all('ignore'), isData)).data;
  } catch (error) {
    throw failure(`--data: ${(error as Error).message}`);
  }
}

/** Opens a version. Throws a CommandError that names the version. */
async function opened(which: 'old' | 'new', given: string, options: VersionOptions, io: Io): Promise<OpenedVersion> {
  try {
    return await openVersion(given, options);
  } catch (error) {
    const what = error instanceof CompileErrors ? 'does not compile' : 'cannot be opened';
    throw failure(`the ${which} version, ${given}, ${what}:${causeOf(error, io)}`);
  }
}

function causeOf(error: unknown, io: Io): string {
  return error instanceof CompileErrors ? `\n${errorText(error, io).trimEnd()}` : ` ${(error as Error).message}`;
}

function refuse({ file, line, problem }: LogProblem): never {
  throw failure(`${file}:${line}: ${problem}`);
}

function failure(message: string): CommandError {
  return new CommandError(`error: ${message}`, exits.failed);
}

async function textOf(report: ChangeReport, pair: OpenedPair, flags: FlagValues, io: Io): Promise<string> {
  switch (flags.text('format') ?? 'pretty') {
    case 'html':
      return (await import('./change-page.js')).changePage(pair, report, shownPaths(report, pair, flags));
    case 'json':
      return orderedJson(report);
    case 'markdown':
      return changeMarkdown(report);
    case 'github':
      return changeGithub(report);
    case 'sarif':
      return orderedJson(changeSarif(report, buildInfo.version));
    default:
      return changePretty(report, io.color && !flags.has('output'));
  }
}

function write(text: string, flags: FlagValues, io: Io): void {
  const output = flags.text('output') ?? '';
  if (output === '') io.stdout(text);
  else writeFileSync(filePath(output), text);
}
