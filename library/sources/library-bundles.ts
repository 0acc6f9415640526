/** The bundles that a library's engine was opened with: answered by their plans or compiled. */

import type { Compiled, CompileOptions } from '../../compiler/index.js';
import type { Change, NamedBundle, Reading } from '../../engine/index.js';
import { Entrypoints, loadEntrypoints, type PlanLoading } from '../../engine/index.js';
import type { Builtin } from '../../values/index.js';
import { EngineError } from '../errors/engine-error.js';

export class LibraryBundles {
  readonly #bundles: readonly NamedBundle[];
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #reading: Reading;
  readonly #loading: PlanLoading;
  #plans: Entrypoints | undefined;
  #sources: Promise<Compiled | undefined> | undefined;

  /**
   * @param builtins the built-ins that plans may call
   */
  constructor(
    bundles: readonly NamedBundle[],
    builtins: ReadonlyMap<string, Builtin>,
    reading: Reading,
    loading: PlanLoading,
  ) {
    // Without their documents, which change, and the bytes of their files.
    this.#bundles = bundles.map(({ name, bundle }) => ({ name, bundle: { ...bundle, data: {}, files: new Map() } }));
    this.#builtins = builtins;
    this.#reading = reading;
    this.#loading = loading;
  }

  get isEmpty(): boolean {
    return this.#bundles.length === 0;
  }

  /** Whether a bundle has policies and no plan. */
  get mustCompile(): boolean {
    return this.#bundles.some(({ bundle }) => bundle.modules.length > 0 && bundle.plans.length === 0);
  }

  /**
   * All plans answer, and nothing is compiled. Rejects with a PlanError, a VerifyError or an
   * EngineError.
   */
  async planned(): Promise<Change> {
    this.#plans = await this.#entrypoints(this.#bundles);
    return { plans: this.#plans };
  }

  /** Whether only these plans answer for the bundles. */
  arePlanned(plans: Entrypoints): boolean {
    return plans === this.#plans;
  }

  /** Policies of bundles and some texts are compiled; plans answer of bundles without policies. */
  async compiled(texts: ReadonlyMap<string, string>): Promise<Change> {
    const plans = await this.#entrypoints(this.#bundles.filter(({ bundle }) => bundle.modules.length === 0));
    const { parseSources } = await import('./parse-sources.js');
    return { plans, parsed: parseSources(this.#bundles, texts, this.#reading) };
  }

  /** The policies beside the plans, compiled for explanations; undefined where there are none. */
  sources(compile: CompileOptions): Promise<Compiled | undefined> {
    this.#sources ??= this.#compile(compile);
    return this.#sources;
  }

  async #compile(compile: CompileOptions): Promise<Compiled | undefined> {
    const withModules = this.#bundles.filter(({ bundle }) => bundle.modules.length > 0);
    if (withModules.length === 0) return undefined;
    const { parseSources } = await import('./parse-sources.js');
    const { recompilePolicies } = await import('../../engine/policies/compile-policies.js');
    return await recompilePolicies(parseSources(withModules, new Map(), this.#reading), () => false, compile);
  }

  async #entrypoints(bundles: readonly NamedBundle[]): Promise<Entrypoints> {
    const conflict = (message: string) => new EngineError('entrypoint_conflict', message);
    const targets = await loadEntrypoints(
      bundles.map(({ bundle }) => bundle),
      this.#builtins,
      conflict,
      this.#loading,
    );
    return new Entrypoints(targets);
  }

  /** The names of all plans, also of unused ones. */
  get planNames(): readonly string[] {
    return this.#bundles.flatMap(({ bundle }) => bundle.plans.flatMap(({ policy }) => namesIn(policy)));
  }
}

/** Names of the plans in a plan document, which need not be well formed. */
function namesIn(policy: unknown): readonly string[] {
  const plans = (policy as { plans?: { plans?: unknown } | null } | null)?.plans?.plans;
  if (!Array.isArray(plans)) return [];
  return plans.map((plan) => (plan as { name?: unknown } | null)?.name).filter((name) => typeof name === 'string');
}
