/** Programs as bytes, from which an engine's next start restores them instead of compiling. */
import type { HostCrypto } from '../values/index.js';
import type { Bundle } from './bundle/bundle.js';
import type { PolicySettings } from './policies/next-policies.js';
import { fingerprint, type ProgramSnapshot, packSnapshot, unpackSnapshot } from './policies/program-snapshot.js';
import type { PolicyRecord, Version } from './version.js';

export class ProgramSnapshots {
  readonly #crypto: HostCrypto;
  readonly #settings: PolicySettings;
  readonly #version: () => Version;
  /** Programs of an earlier run. */
  #offered: ProgramSnapshot | undefined;
  /** The state that was packed last: the policies, and the number of programs. */
  #packed = '';

  constructor(crypto: HostCrypto, settings: PolicySettings, version: () => Version) {
    this.#crypto = crypto;
    this.#settings = settings;
    this.#version = version;
  }

  /** The programs of the current policies; undefined where none was planned since the last call. */
  async pack(): Promise<Uint8Array | undefined> {
    const version = this.#version();
    if (version.policies === undefined) return undefined;
    const { programs } = version.policies;
    const made = programs.made();
    const mark = this.#fingerprint(version);
    const state = `${mark} ${made.size}`;
    if (state === this.#packed) return undefined;
    this.#packed = state;
    return await packSnapshot({ fingerprint: mark, outline: programs.outline() }, made);
  }

  /**
   * Programs that were packed before. If bundles then load the same policies, these need not be
   * compiled. Bytes of other policies are ignored.
   */
  async offer(bytes: Uint8Array): Promise<void> {
    this.#offered = await unpackSnapshot(bytes);
  }

  /** The snapshot that was offered of these policies, which is then used up. */
  take(
    draft: Pick<Version, 'bundles'> & { readonly records: ReadonlyMap<string, PolicyRecord> },
  ): ProgramSnapshot | undefined {
    const snapshot = this.#offered;
    if (snapshot === undefined || snapshot.fingerprint !== this.#fingerprint(draft)) return undefined;
    this.#offered = undefined;
    return snapshot;
  }

  #fingerprint({
    records,
    bundles,
  }: {
    readonly records: ReadonlyMap<string, PolicyRecord>;
    readonly bundles: ReadonlyMap<string, Bundle>;
  }): string {
    const { compile, language } = this.#settings;
    const { builtins, ...options } = compile;
    return fingerprint(records, bundles, this.#settings.builtins, { ...options, language }, this.#crypto);
  }
}
