/** Policies between two versions. */
import type { VersionedMap } from '../../compiler/index.js';
import type { PolicyRecord } from '../version.js';

/** The id of a policy that came from a path. A URL cannot name one that begins with a slash. */
export function policyId(path: string): string {
  return path.replace(/^\/+/, '');
}

/** Changes over the policies of a version. */
export class PolicyDraft {
  readonly #before: VersionedMap<PolicyRecord>;
  readonly #changes = new Map<string, PolicyRecord | undefined>();

  constructor(before: VersionedMap<PolicyRecord>) {
    this.#before = before;
  }

  get(id: string): PolicyRecord | undefined {
    return this.#changes.has(id) ? this.#changes.get(id) : this.#before.get(id);
  }

  set(id: string, record: PolicyRecord): void {
    this.#changes.set(id, record);
  }

  delete(id: string): void {
    this.#changes.set(id, undefined);
  }

  /** Policies by id; undefined for deleted ones. */
  get changes(): ReadonlyMap<string, PolicyRecord | undefined> {
    return this.#changes;
  }

  /** All policies of the next version. Later changes do not change this map. */
  all(): VersionedMap<PolicyRecord> {
    return this.#before.with(this.#changes);
  }
}
