/** The compiled policies of an engine's next version. */

import type { Compiled, CompileOptions } from '../../compiler/index.js';
import { type Builtin, inSlices, type Steps } from '../../values/index.js';
import type { CommitOptions } from '../change.js';
import { inTime } from '../commit-deadline.js';
import type { PlanLoading } from '../load-program.js';
import type { CompiledPolicies, PolicyRecord } from '../version.js';
import { recompilePolicies } from './compile-policies.js';
import type { Occupied } from './data-conflicts.js';
import type { ProgramSnapshot } from './program-snapshot.js';
import { Programs, type ProgramsOptions } from './programs.js';
import { RestoredPrograms } from './restored-programs.js';

/** How an engine compiles its policies. */
export interface PolicySettings extends ProgramsOptions, PlanLoading {
  readonly compile: CompileOptions;
  /**
   * Whether a commit loads the libraries of the built-ins that policies name, so that decisions can
   * be made without waiting.
   */
  readonly loadsLibraries: boolean;
}

/** Policies after a change. */
interface ChangedPolicies {
  readonly records: ReadonlyMap<string, PolicyRecord>;
  /** Policies by id; undefined for those that are gone. */
  readonly changes: ReadonlyMap<string, PolicyRecord | undefined>;
}

/** Compiles policies. Unchanged ones are taken from before. Rejects with CompileErrors. */
export async function nextPolicies(
  before: CompiledPolicies | undefined,
  { records, changes }: ChangedPolicies,
  occupied: Occupied,
  settings: PolicySettings,
  options: CommitOptions = {},
): Promise<CompiledPolicies> {
  const previous = before?.atOnce;
  const old = before && previous && { compiled: await before.compiled(), changes };
  const during = <Result>(steps: Steps<Result>) => inTime(options, steps);
  const made = await recompilePolicies(records, occupied, settings.compile, {
    metrics: options.metrics,
    before: old,
    during,
  });
  if (settings.loadsLibraries)
    await Promise.all(
      (await inSlices(during(librariesOf(changes.values(), settings.builtins)))).map(({ load }) => load?.()),
    );
  const programs = new Programs(made, settings, previous);
  return { compiled: async () => made, programs, atOnce: programs };
}

/**
 * The programs of a snapshot of the same policies; undefined where documents are in the place of
 * rules, which compiling reports.
 */
export function restoredPolicies(
  snapshot: ProgramSnapshot,
  records: ReadonlyMap<string, PolicyRecord>,
  occupied: Occupied,
  settings: PolicySettings,
): CompiledPolicies | undefined {
  let made: Promise<Compiled> | undefined;
  // Documents are checked here and with each write.
  const compiled = () => (made ??= recompilePolicies(records, () => false, settings.compile));
  const programs = new RestoredPrograms(
    snapshot,
    settings.builtins,
    async () => new Programs(await compiled(), settings),
  );
  return programs.meetsDocuments(occupied) ? undefined : { compiled, programs, atOnce: undefined };
}

/** Built-ins with libraries that policies name. A name in a comment counts too. */
function* librariesOf(
  changed: Iterable<PolicyRecord | undefined>,
  builtins: ReadonlyMap<string, Builtin>,
): Steps<Builtin[]> {
  const heavy = new Set([...builtins.values()].filter(({ load }) => load !== undefined));
  const named: Builtin[] = [];
  for (const record of changed) {
    for (const builtin of heavy) {
      if (record?.raw.includes(builtin.name) !== true) continue;
      named.push(builtin);
      heavy.delete(builtin);
    }
    yield;
  }
  return named;
}
