/**
 * Searches for inputs that two versions decide otherwise, without a log: from the constants of both
 * at the places that they read, from values near them, from logged inputs, and combinations.
 */
import { sourcesOf } from '../../../engine/index.js';
import { wallClockNs } from '../../../runtime/index.js';
import type { Value } from '../../../values/index.js';
import { CauseFinder, type DecidingPair } from '../cause-finder.js';
import { DifferenceGroups } from '../difference-groups.js';
import { madeExample } from '../made-example.js';
import { type DecisionOutcome, type DifferenceKind, differenceOf } from '../outcome.js';
import { type PolicyVersion, segmentsFor, type VersionPair } from '../policy-version.js';
import type { SearchReport } from '../report.js';
import { VersionDecisions } from '../version-decisions.js';
import { changedConstants } from './changed-data.js';
import { type InputFilter, inputsOf, NoInputOfSchema } from './made-inputs.js';
import { PolicyInputs } from './policy-inputs.js';
import { shrunk } from './shrink.js';

export interface SearchOptions {
  /** Inputs that are tried for each path. Default: 20,000. */
  readonly tries?: number | undefined;
  /** Milliseconds for each path. Default: 10,000. */
  readonly ms?: number | undefined;
  /** The same seed tries the same inputs. Default: 1. */
  readonly seed?: number | undefined;
  /** Inputs to begin with, such as logged ones. */
  readonly inputs?: readonly Value[] | undefined;
  /** The inputs that there can be, by paths. */
  readonly filters?: ReadonlyMap<string, InputFilter> | undefined;
}

/** A decision of a made input takes at most so long. */
const decisionMs = 1000;

/** Inputs that are tried for further differences after one was found. */
const triesAfterFound = 5000;

/** Searches at the paths, one after the other. */
export async function search(
  pair: VersionPair,
  paths: readonly string[],
  options: SearchOptions = {},
): Promise<SearchReport> {
  const deciding = { old: new VersionDecisions(pair.old, decisionMs), new: new VersionDecisions(pair.new, decisionMs) };
  const searching = new Searching(deciding, options);
  for (const path of paths) await searching.path(path);
  return searching.report(paths);
}

interface Found {
  readonly kind: DifferenceKind;
  readonly before: DecisionOutcome;
  readonly after: DecisionOutcome;
}

class Searching {
  readonly #deciding: DecidingPair;
  readonly #options: SearchOptions;
  readonly #causes: CauseFinder;
  readonly #groups = new DifferenceGroups();
  readonly #open = new Map<string, number>();
  readonly #timeNs = wallClockNs();
  #tried = 0;
  #different = 0;
  readonly #known = new Map<string, Value>();

  constructor(deciding: DecidingPair, options: SearchOptions) {
    this.#deciding = deciding;
    this.#options = options;
    this.#causes = new CauseFinder(deciding, 20_000);
  }

  async path(path: string): Promise<void> {
    const { tries = 20_000, ms = 10_000, seed = 1, inputs = [], filters } = this.#options;
    const filter = filters?.get(path);
    const policies = await this.#policiesOf(path);
    const question = this.#question(path, undefined);
    await this.#deciding.old.prepare(question);
    await this.#deciding.new.prepare(question);
    const until = performance.now() + ms;
    let left = tries;
    const { old, new: next } = this.#deciding;
    const changed = changedConstants(old.version.engine.store.root, next.version.engine.store.root);
    try {
      for await (const input of inputsOf(policies, { inputs, changed, seed, filter })) {
        if (left-- <= 0 || performance.now() > until) break;
        this.#tried++;
        const found = this.#decide(path, input);
        if (found === undefined) continue;
        this.#different++;
        left = Math.min(left, triesAfterFound);
        await this.#add(path, input, found);
      }
    } catch (error) {
      if (!(error instanceof NoInputOfSchema)) throw error;
      this.#open.set(error.message, 1);
    }
  }

  /** The policies of both versions, as far as there are sources. */
  async #policiesOf(path: string): Promise<readonly PolicyInputs[]> {
    const found: PolicyInputs[] = [];
    for (const { version } of [this.#deciding.old, this.#deciding.new]) {
      const compiled = await compiledAt(version, path);
      if (compiled !== undefined)
        found.push(new PolicyInputs(compiled, version.engine.store.root, segmentsFor(version, path)));
    }
    return found;
  }

  #question(path: string, input: Value | undefined) {
    return { path, query: undefined, input, timeNs: this.#timeNs, known: this.#known };
  }

  #decide(path: string, input: Value | undefined): Found | undefined {
    const question = this.#question(path, input);
    const before = this.#deciding.old.decide(question);
    const after = this.#deciding.new.decide(question);
    for (const outcome of [before, after])
      if (outcome.kind === 'unknown') this.#open.set(outcome.reason, (this.#open.get(outcome.reason) ?? 0) + 1);
    if (before.kind === 'unknown' || after.kind === 'unknown') return undefined;
    const kind = differenceOf(segmentsFor(this.#deciding.old.version, path), before, after);
    return kind && { kind, before, after };
  }

  async #add(path: string, input: Value | undefined, { kind }: Found): Promise<void> {
    const causes = await this.#causes.find(this.#question(path, input));
    if (this.#groups.has(kind, path, causes)) {
      this.#groups.add(kind, path, causes, () => ({ path, old: {}, new: {} }));
      return;
    }
    const filter = this.#options.filters?.get(path);
    const small = await shrunk(input, async (smaller) => {
      if (filter !== undefined && !filter.accepts(smaller)) return false;
      return this.#decide(path, smaller)?.kind === kind;
    });
    const found = this.#decide(path, small)!;
    const question = this.#question(path, small);
    const example = madeExample(this.#deciding, question, found.before, found.after);
    this.#groups.add(kind, path, await this.#causes.find(question), () => example);
  }

  report(paths: readonly string[]): SearchReport {
    return {
      paths,
      tried: this.#tried,
      different: this.#different,
      seed: this.#options.seed ?? 1,
      groups: this.#groups.list(),
      undecided: [...this.#open].map(([reason, count]) => ({ reason, count })),
    };
  }
}

async function compiledAt(version: PolicyVersion, path: string) {
  const { engine, beside } = version;
  return await sourcesOf(engine, engine.version, segmentsFor(version, path), beside);
}
