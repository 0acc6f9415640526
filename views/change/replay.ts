/** Replays logged decisions: each is made by two versions, and their answers are compared. */

import { jsonCopy, type Value } from '../../values/index.js';
import { CauseFinder, type DecidingPair } from './cause-finder.js';
import { DifferenceGroups } from './difference-groups.js';
import type { LoggedEvent } from './events/logged-event.js';
import type { EventPlace, PlacedEvent } from './events/read-events.js';
import { type DecisionOutcome, type DifferenceKind, differenceKinds, differenceOf, sameJson } from './outcome.js';
import { segmentsFor, type VersionPair, versionsAnswer } from './policy-version.js';
import type { DecisionExample, ExampleAnswer, LogPlace, LogProblem, ReplayReport } from './report.js';
import { VersionDecisions } from './version-decisions.js';

export interface ReplayOptions {
  /** The paths whose events are replayed. Default: all. */
  readonly paths?: readonly string[] | undefined;
  /** Milliseconds that one decision may take. Default: 10,000. */
  readonly decisionMs?: number | undefined;
  /** Milliseconds for finding the causes of differences; later ones have none. Default: 5,000. */
  readonly causesMs?: number | undefined;
  /** How many times longer a decision must take to differ; left out: times are not compared. */
  readonly slower?: number | undefined;
  /**
   * The versions with the data of an event's revisions; undefined for the given ones, a text that
   * says why there are none. Default: the given versions.
   */
  readonly versionsOf?: ((event: LoggedEvent) => Promise<VersionPair | string | undefined>) | undefined;
  /** Called with lines that are no events. It may throw. */
  readonly onProblem?: ((problem: LogProblem) => void) | undefined;
}

const mostProblems = 20;
const mostReasons = 50;
const mostPaths = 20;

/** Decisions shorter than this are never slower. */
const leastMs = 1;

/**
 * Decides the events of a log with both versions, in bounded memory.
 * @param batches of events, in their order
 */
export async function replay(
  pair: VersionPair,
  batches: AsyncIterable<readonly PlacedEvent[]>,
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  const replaying = new Replaying(pair, options);
  for await (const batch of batches) for (const placed of batch) await replaying.take(placed);
  return replaying.report();
}

/** Both versions with the data of some events. */
interface Setting extends DecidingPair {
  readonly causes: CauseFinder;
}

class Replaying {
  readonly #options: ReplayOptions;
  readonly #own: Setting;
  readonly #others = new WeakMap<VersionPair, Setting>();
  readonly #paths: ReadonlySet<string> | undefined;
  readonly #counts = { events: 0, same: 0, different: 0, inconclusive: 0, skipped: 0, unreadable: 0 };
  readonly #kinds = new Map<DifferenceKind, number>();
  readonly #groups = new DifferenceGroups();
  readonly #reasons = new Map<string, { count: number; readonly example: LogPlace }>();
  readonly #problems: LogProblem[] = [];
  readonly #unknownPaths = new Set<string>();
  readonly #knownPaths = new Set<string>();
  #otherwiseLogged = 0;
  #otherwiseExample: DecisionExample | undefined;

  constructor(pair: VersionPair, options: ReplayOptions) {
    this.#options = options;
    this.#own = this.#deciding(pair);
    this.#paths = options.paths && new Set(options.paths.map(pathKey));
  }

  #deciding(pair: VersionPair): Setting {
    const { decisionMs = 10_000, causesMs = 5000 } = this.#options;
    const deciding = {
      old: new VersionDecisions(pair.old, decisionMs),
      new: new VersionDecisions(pair.new, decisionMs),
    };
    return { ...deciding, causes: new CauseFinder(deciding, causesMs) };
  }

  async take({ event, problem, file, line }: PlacedEvent): Promise<void> {
    if (event === undefined) {
      if (problem.kind === 'other') this.#counts.skipped++;
      else this.#unreadable({ file, line, problem: problem.problem });
      return;
    }
    if (this.#paths !== undefined && !this.#paths.has(pathKey(event.path ?? ''))) {
      this.#counts.skipped++;
      return;
    }
    const deciding = this.#options.versionsOf === undefined ? this.#own : await this.#decidingOf(event);
    if (typeof deciding === 'string') {
      this.#counts.events++;
      return this.#inconclusive(deciding, event, { file, line });
    }
    if (!deciding.old.isPrepared(event)) await deciding.old.prepare(event);
    if (!deciding.new.isPrepared(event)) await deciding.new.prepare(event);
    this.#counts.events++;
    this.#notePath(event);
    const hidden = event.hidden.filter(([member]) => member === 'input').map((place) => place.slice(1));
    if (hidden.length > 0) {
      const read = (await deciding.old.hiddenRead(event, hidden)) ?? (await deciding.new.hiddenRead(event, hidden));
      if (read !== undefined)
        return this.#inconclusive(`input${dotted(read)} is hidden, and a rule reads it`, event, { file, line });
    }
    await this.#compare(event, deciding, { file, line });
  }

  async #compare(event: LoggedEvent, deciding: Setting, place: EventPlace): Promise<void> {
    const started = this.#options.slower === undefined ? 0 : performance.now();
    const before = deciding.old.decide(event);
    const between = this.#options.slower === undefined ? 0 : performance.now();
    const after = deciding.new.decide(event);
    if (before.kind === 'unknown') return this.#inconclusive(before.reason, event, place);
    if (after.kind === 'unknown') return this.#inconclusive(after.reason, event, place);
    const path = segmentsFor(deciding.old.version, event.path ?? '');
    let kind = differenceOf(path, before, after);
    let times: Times | undefined;
    if (kind === undefined && this.#options.slower !== undefined) {
      times = this.#slower(event, deciding, { old: between - started, new: performance.now() - between });
      if (times !== undefined) kind = 'slower';
    }
    this.#compareLogged(event, before, after, place);
    if (kind === undefined) {
      this.#counts.same++;
      return;
    }
    this.#counts.different++;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    const found = { event, before, after, place, times };
    const causes = await deciding.causes.find(event);
    this.#groups.add(kind, event.path ?? event.query ?? '', causes, () => exampleOf(found));
  }

  /** The times of a decision that is slower each time; undefined for others. */
  #slower(event: LoggedEvent, deciding: DecidingPair, first: Times): Times | undefined {
    const factor = this.#options.slower!;
    let best = first;
    for (let round = 0; ; round++) {
      if (best.new < leastMs || best.new < factor * best.old) return undefined;
      if (round === 3) return best;
      const [old, next] = [timed(() => deciding.old.decide(event)), timed(() => deciding.new.decide(event))];
      best = { old: Math.max(0, Math.min(best.old, old)), new: Math.min(best.new, next) };
    }
  }

  #compareLogged(event: LoggedEvent, before: DecisionOutcome, after: DecisionOutcome, place: EventPlace): void {
    if (event.hidden.some(([member]) => member === 'result' || member === 'error')) return;
    const isSame =
      before.kind === 'error'
        ? event.hasError
        : before.kind === 'value' && !event.hasError && sameAsLogged(before, event);
    if (isSame) return;
    this.#otherwiseLogged++;
    if (this.#otherwiseExample !== undefined) return;
    const logged: ExampleAnswer = event.hasError
      ? { error: 'an error' }
      : event.result === undefined
        ? {}
        : { value: event.result };
    this.#otherwiseExample = { ...exampleOf({ event, before, after, place, times: undefined }), logged };
  }

  #inconclusive(reason: string, event: LoggedEvent, place: EventPlace): void {
    this.#counts.inconclusive++;
    const known = this.#reasons.get(reason);
    if (known !== undefined) known.count++;
    else if (this.#reasons.size < mostReasons) this.#reasons.set(reason, { count: 1, example: logPlace(event, place) });
  }

  #unreadable(problem: LogProblem): void {
    this.#counts.unreadable++;
    if (this.#problems.length < mostProblems) this.#problems.push(problem);
    this.#options.onProblem?.(problem);
  }

  #notePath({ path }: LoggedEvent): void {
    if (path === undefined || this.#knownPaths.has(path) || this.#unknownPaths.size >= mostPaths) return;
    const { old, new: next } = this.#own;
    if (!versionsAnswer({ old: old.version, new: next.version }, path)) this.#unknownPaths.add(path);
    else if (this.#knownPaths.size < 1000) this.#knownPaths.add(path);
  }

  async #decidingOf(event: LoggedEvent): Promise<Setting | string> {
    const pair = await this.#options.versionsOf!(event);
    if (pair === undefined) return this.#own;
    if (typeof pair === 'string') return pair;
    let deciding = this.#others.get(pair);
    if (deciding === undefined) this.#others.set(pair, (deciding = this.#deciding(pair)));
    return deciding;
  }

  report(): ReplayReport {
    const kinds = differenceKinds.filter((kind) => this.#kinds.has(kind));
    return {
      ...this.#counts,
      kinds: Object.fromEntries(kinds.map((kind) => [kind, this.#kinds.get(kind)!])),
      groups: this.#groups.list(),
      ungrouped: this.#groups.ungrouped,
      reasons: [...this.#reasons].map(([reason, { count, example }]) => ({ reason, count, example })),
      problems: this.#problems,
      otherwiseLogged: {
        count: this.#otherwiseLogged,
        ...(this.#otherwiseExample && { example: this.#otherwiseExample }),
      },
      unknownPaths: [...this.#unknownPaths],
    };
  }
}

interface Times {
  readonly old: number;
  readonly new: number;
}

interface Found {
  readonly event: LoggedEvent;
  readonly before: DecisionOutcome;
  readonly after: DecisionOutcome;
  readonly place: EventPlace;
  readonly times: Times | undefined;
}

function exampleOf({ event, before, after, place, times }: Found): DecisionExample {
  return {
    ...logPlace(event, place),
    path: event.path ?? event.query ?? '',
    ...(event.input !== undefined && { input: event.input }),
    old: answerOf(before, times?.old),
    new: answerOf(after, times?.new),
  };
}

/** An answer as reports show it. */
export function answerOf(outcome: DecisionOutcome, ms?: number): ExampleAnswer {
  const time = ms !== undefined && { ms: Math.round(ms * 100) / 100 };
  if (outcome.kind === 'unknown') return { error: outcome.reason, ...time };
  if (outcome.kind === 'error') return { error: outcome.error.message, ...time };
  return outcome.value === undefined ? { ...time } : { value: plainCopy(outcome.value), ...time };
}

function plainCopy(value: Value): Value {
  return typeof value === 'object' && value !== null ? jsonCopy(value) : value;
}

function logPlace({ id }: LoggedEvent, { file, line }: EventPlace): LogPlace {
  return { file, line, ...(id !== undefined && { decisionId: id }) };
}

function sameAsLogged(before: DecisionOutcome, { result }: LoggedEvent): boolean {
  return before.kind === 'value' && sameJson(before.value, result);
}

function dotted(path: readonly string[]): string {
  return path.map((key) => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join('');
}

function pathKey(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
