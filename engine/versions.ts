/** The versions of an engine: the one that decisions begin with, and the policies of each. */

import type { Compiled } from '../compiler/index.js';
import type { PolicySettings } from './policies/next-policies.js';
import { type CompiledPolicies, firstVersion, type Version } from './version.js';

export class Versions {
  /** The version of the last commit. */
  now: Version = firstVersion();
  readonly settings: PolicySettings;
  /** Whether `data.system` is the engine's own, and left out of `data`. */
  readonly hidesSystem: boolean;
  #withoutPolicies: Promise<CompiledPolicies> | undefined;

  constructor(settings: PolicySettings, hidesSystem: boolean) {
    this.settings = settings;
    this.hidesSystem = hidesSystem;
  }

  /**
   * The policies of a version; a version without any has empty ones, for queries. An engine without
   * policies compiles nothing before it has to plan a query.
   */
  policiesOf({ policies, records }: Version): CompiledPolicies | Promise<CompiledPolicies> {
    if (policies !== undefined) return policies;
    this.#withoutPolicies ??= import('./policies/next-policies.js').then(({ nextPolicies }) =>
      nextPolicies(undefined, { records, changes: new Map() }, () => false, this.settings),
    );
    return this.#withoutPolicies;
  }

  /** The policies of a version, compiled: by default of the version of now. */
  async compiled(version = this.now): Promise<Compiled> {
    return await (await this.policiesOf(version)).compiled();
  }
}
