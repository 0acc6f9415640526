/** Policies that clients write and delete. */
import type { Steps } from '../../values/index.js';
import type { Change, CommitOptions } from '../change.js';
import { PolicyError } from '../policy-error.js';
import type { Version } from '../version.js';
import { checkPolicyOwnership } from './bundles/bundle-roots.js';
import { parsePolicySteps } from './compile-policies.js';
import type { Reading } from './language.js';
import type { PolicyDraft } from './policy-draft.js';

interface GivenPolicy {
  readonly id: string;
  /** Undefined deletes. */
  readonly raw: string | undefined;
  /** Its name in the locations of errors. */
  readonly file: string;
}

/** Writes the policies of a change. Returns whether a policy has to be compiled. */
export function* changePolicies(
  records: PolicyDraft,
  { policies, files }: Change,
  { active }: Version,
  reading: Reading,
  options: CommitOptions,
): Steps<boolean> {
  let touched = false;
  for (const [id, raw] of policies ?? []) {
    const isTouched = yield* changePolicy(records, { id, raw, file: files?.get(id) ?? id }, active, reading, options);
    touched ||= isTouched;
    yield;
  }
  return touched;
}

function* changePolicy(
  records: PolicyDraft,
  { id, raw, file }: GivenPolicy,
  active: Version['active'],
  reading: Reading,
  options: CommitOptions,
): Steps<boolean> {
  const existing = records.get(id);
  const checks = options.ignoreRoots !== true;
  if (existing !== undefined && checks) checkPolicyOwnership(existing, active);
  if (raw === undefined) {
    if (existing === undefined && options.fills === true) return false;
    if (existing === undefined)
      throw new PolicyError('storage_not_found_error', `storage_not_found_error: policy id ${JSON.stringify(id)}`);
    records.delete(id);
    return true;
  }
  if (existing?.raw === raw) return false;
  const record = yield* parsePolicySteps({ id, raw, file }, reading, options.metrics);
  if (checks) checkPolicyOwnership(record, active);
  records.set(id, record);
  return true;
}
