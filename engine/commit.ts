/** The next version of an engine: policies, bundles and plans after a change. */

import { type DataOperation, StoreError, type Transaction } from '../runtime/index.js';
import { inSlices, visitSteps } from '../values/index.js';
import type { Bundle } from './bundle/bundle.js';
import { BundleError } from './bundle/bundle-error.js';
import { rootsContain } from './bundle/roots.js';
import type { Change, CommitOptions } from './change.js';
import { inTime } from './commit-deadline.js';
import { loadEntrypoints } from './load-program.js';
import { Entrypoints } from './paths/entrypoints.js';
import { checkDataConflicts } from './policies/data-conflicts.js';
import type { PolicySettings } from './policies/next-policies.js';
import { PolicyDraft } from './policies/policy-draft.js';
import type { ProgramSnapshots } from './program-snapshots.js';
import type { ActiveBundle, CompiledPolicies, Version } from './version.js';

/** How policies become programs. */
interface Planning {
  readonly settings: PolicySettings;
  readonly snapshots: ProgramSnapshots | undefined;
}

/** The version after a change. Its documents are those of the transaction. */
export async function nextVersion(
  before: Version,
  change: Change,
  documents: Transaction,
  { settings, snapshots }: Planning,
  options: CommitOptions,
): Promise<Version> {
  const records = new PolicyDraft(before.records);
  const bundles = new Map(before.bundles);
  const changesPolicies = await changeRecords(before, change, { records, documents, bundles }, settings, options);
  await write(documents, change.data ?? [], options);
  let { policies } = before;
  if (changesPolicies)
    policies = await policiesOf(before, change, { records, documents, bundles }, { settings, snapshots }, options);
  else if (policies !== undefined) await checkDocuments(policies, change.data ?? [], documents);
  const number = before.number + 1;
  const next = { ...before, number, records: records.all(), policies, plans: change.plans ?? before.plans };
  if (change.bundles === undefined) return next;
  return { ...next, bundles, active: activeBundles(bundles), plans: await plansOf(bundles, settings) };
}

/**
 * Planning ahead takes no longer than the compilation did, so that an activation takes twice as
 * long at most, or this many milliseconds.
 */
const leastAheadMs = 50;

interface Draft {
  readonly records: PolicyDraft;
  readonly documents: Transaction;
  readonly bundles: Map<string, Bundle>;
}

/** Returns whether a policy has to be compiled. */
async function changeRecords(
  before: Version,
  change: Change,
  draft: Draft,
  { language, compile }: PolicySettings,
  options: CommitOptions,
): Promise<boolean> {
  const { maxStatementTokens } = options;
  const reading = { language, capabilities: compile.capabilities, maxStatementTokens };
  if (change.bundles !== undefined) {
    const { applyBundles } = await import('./policies/bundles/bundle-changes.js');
    const target = { ...draft, transferred: change.bundlesTransferred === true };
    await inSlices(inTime(options, applyBundles(target, change.bundles, reading, options.metrics)));
  }
  for (const [id, record] of change.parsed ?? []) draft.records.set(id, record);
  // Bundles of plans alone need no compiler.
  const hasPolicies = before.policies !== undefined || draft.records.changes.size > 0;
  let changed = (change.bundles !== undefined && hasPolicies) || change.parsed !== undefined;
  if (change.policies !== undefined) {
    const { changePolicies } = await import('./policies/policy-changes.js');
    const touched = await inSlices(inTime(options, changePolicies(draft.records, change, before, reading, options)));
    changed ||= touched;
  }
  return changed;
}

async function policiesOf(
  before: Version,
  change: Change,
  { records, documents, bundles }: Draft,
  { settings, snapshots }: Planning,
  options: CommitOptions,
): Promise<CompiledPolicies> {
  const { nextPolicies, restoredPolicies } = await import('./policies/next-policies.js');
  const occupied = (path: readonly string[]) => documents.occupied(path);
  const all = records.all();
  const snapshot = change.bundles === undefined ? undefined : snapshots?.take({ records: all, bundles });
  const restored = snapshot && restoredPolicies(snapshot, all, occupied, settings);
  if (restored !== undefined) return restored;
  const isUpdate = change.bundles !== undefined && before.policies !== undefined;
  const started = isUpdate ? performance.now() : 0;
  const policies = await nextPolicies(
    before.policies,
    { records: all, changes: records.changes },
    occupied,
    settings,
    options,
  );
  options.check?.([...all.values()]);
  // The client of a write waits for its end; nobody waits for a bundle.
  if (isUpdate) {
    const now = performance.now();
    await policies.atOnce?.planAhead(now + Math.max(leastAheadMs, now - started));
  }
  return policies;
}

/** Throws a PolicyError where a written document meets a rule. */
async function checkDocuments(
  { compiled, programs }: CompiledPolicies,
  operations: readonly DataOperation[],
  documents: Transaction,
): Promise<void> {
  const written = operations.filter(({ op }) => op !== 'remove').map(({ path }) => path);
  if (!programs.mayMeetRules(written)) return;
  const { ruleTree } = await compiled();
  checkDataConflicts(ruleTree, (path) => documents.occupied(path), written);
}

/** Where a bundle has modules, those answer; its plan is for engines without a compiler. */
async function plansOf(
  bundles: ReadonlyMap<string, Bundle>,
  { builtins, endsSoon, onWarning }: PolicySettings,
): Promise<Entrypoints> {
  const planned = [...bundles].filter(([, { modules }]) => modules.length === 0);
  const owning = planned.map(([name, bundle]) => ({
    plans: bundle.plans,
    answers: (entrypoint: string) => mayAnswer(name, bundle, entrypoint, bundles),
  }));
  const conflict = (message: string) => new BundleError('conflict', message);
  return new Entrypoints(await loadEntrypoints(owning, builtins, conflict, { endsSoon, onWarning }));
}

/**
 * An entrypoint within the roots of another bundle is that one's: a plan without a bundle does not
 * answer there, and a bundle with roots of its own is refused.
 */
function mayAnswer(name: string, bundle: Bundle, entrypoint: string, bundles: ReadonlyMap<string, Bundle>): boolean {
  const [owner] =
    [...bundles].find(([other, { manifest }]) => other !== name && rootsContain(manifest.roots, entrypoint)) ?? [];
  if (owner === undefined) return true;
  if (bundle.manifest.roots.length === 0) return false;
  throw new BundleError(
    'roots',
    `bundle ${name}: entrypoint ${entrypoint} of its plan is within the roots of bundle ${owner}`,
  );
}

/** The operations of a commit above which others have their turns in between. */
const manyOperations = 256;

async function write(
  documents: Transaction,
  operations: readonly DataOperation[],
  options: CommitOptions,
): Promise<void> {
  const write = options.fills === true ? fill : put;
  if (operations.length < manyOperations) for (const operation of operations) write(operation, documents);
  else
    await inSlices(
      inTime(
        options,
        visitSteps(operations, manyOperations, (operation) => write(operation, documents)),
      ),
    );
}

function put(operation: DataOperation, documents: Transaction): void {
  documents.write(operation);
}

/** See `CommitOptions.fills`. */
function fill(operation: DataOperation, documents: Transaction): void {
  try {
    documents.write(operation);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'storage_not_found_error') throw error;
    if (operation.op !== 'remove') documents.write({ ...operation, op: 'write' });
  }
}

function activeBundles(bundles: ReadonlyMap<string, Bundle>): readonly ActiveBundle[] {
  return [...bundles]
    .map(([name, { manifest }]) => ({ name, revision: manifest.revision, roots: manifest.roots }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
