/** An evaluation in the page: what is asked, what was recorded, and the event that is looked at. */
import { batch, computed, signal } from '@preact/signals';
import type { Policy } from '../../../ir-schema/index.js';
import type { PlanProfileReport, RecordedRun } from '../../../views/index.js';
import type { OpenedRecording, PagePlan } from '../data/page-data.js';
import type { PageState } from '../page/page-state.js';
import { differencesOf, type RecordingDifference } from '../recording/differences.js';
import { type OriginStep, op, RecordedEvents } from '../recording/recording.js';
import type { EngineClient } from './engine-client.js';

/** The measures of a line's heat. */
export const measures = ['count', 'time', 'none'] as const;
export type Measure = (typeof measures)[number];

/** Evaluations, failures and nanoseconds of each statement. */
export interface RunCounts {
  readonly evaluations: Float64Array;
  readonly fails: Float64Array;
  readonly times: Float64Array;
  readonly most: number;
  readonly longest: number;
}

export interface RunResult {
  readonly text: string;
  readonly isError: boolean;
}

export class RunState {
  readonly page: PageState;
  readonly engine: EngineClient;
  readonly query;
  readonly input;
  readonly otherInput = signal('');
  readonly isCompared = signal(false);
  readonly data: string;
  readonly isRunning = signal(false);
  readonly problem = signal<string | undefined>(undefined);
  readonly recording = signal<RecordedEvents | undefined>(undefined);
  readonly result = signal<RunResult | undefined>(undefined);
  readonly otherResult = signal<RunResult | undefined>(undefined);
  /** The run with the other input. */
  readonly other = signal<RecordedEvents | undefined>(undefined);
  readonly differences = signal<readonly RecordingDifference[]>([]);
  readonly profile;
  /** The recording that was opened, and which of its runs is shown. */
  readonly opened = signal<OpenedRecording | undefined>(undefined);
  readonly runIndex = signal(0);
  readonly measure = signal<Measure>('count');
  /** The event that is looked at. */
  readonly at = signal(0);
  /** The events that the timeline shows. */
  readonly range = signal<readonly [number, number]>([0, 1]);
  readonly origin = signal<readonly OriginStep[]>([]);
  readonly counts;
  /** The values of the innermost call at the event, by statement. */
  readonly notes;

  constructor(page: PageState, engine: EngineClient) {
    this.page = page;
    this.engine = engine;
    const { documents, plan } = page.data;
    this.profile = signal(page.data.profile);
    this.query = signal(page.more.value.query ?? entrypointsOfPlan(plan)[0] ?? '');
    this.input = signal(page.more.value.input ?? documents.input);
    this.data = documents.data;
    this.counts = computed(() => (this.profile.value === undefined ? undefined : countsOf(this.profile.value, page)));
    this.notes = computed(() => this.recording.value?.notesAt(this.at.value));
    if (page.data.recording !== undefined) this.showRecording(page.data.recording);
  }

  /** Evaluates the query, and with a second input compares. */
  async run(): Promise<void> {
    batch(() => {
      this.isRunning.value = true;
      this.problem.value = undefined;
    });
    try {
      const { policy, entrypoint } = await this.#planned();
      const ask = (input: string) =>
        this.engine.ask('run', { policy, entrypoint, documents: { input, data: this.data } });
      const answer = await ask(this.input.value);
      const other = this.isCompared.value ? await ask(this.otherInput.value) : undefined;
      batch(() => {
        this.opened.value = undefined;
        const shown = this.show(answer.run, resultOf(answer));
        this.otherResult.value = other && resultOf(other);
        this.page.more.value = { ...this.page.more.value, query: this.query.value, input: this.input.value };
        if (other === undefined) return;
        const compared = new RecordedEvents(other.run, this.page.links.value.addresses);
        this.other.value = compared;
        this.differences.value = differencesOf(shown, compared);
        const [first] = this.differences.value;
        if (first !== undefined) this.goTo(first.at);
      });
    } catch (error) {
      this.problem.value = error instanceof Error ? error.message : String(error);
    } finally {
      this.isRunning.value = false;
    }
  }

  /** Shows a run that was recorded. */
  show(run: RecordedRun, result: RunResult | undefined): RecordedEvents {
    const recording = new RecordedEvents(run, this.page.links.value.addresses);
    batch(() => {
      this.recording.value = recording;
      this.profile.value = run.profile;
      this.result.value = result;
      this.otherResult.value = undefined;
      this.other.value = undefined;
      this.differences.value = [];
      this.origin.value = [];
      this.range.value = [0, Math.max(1, recording.length)];
      this.at.value = 0;
    });
    return recording;
  }

  /** Ends an evaluation that takes too long. */
  stop(): void {
    this.engine.stop();
  }

  /** The plan that answers the query: the one of the page, or one over the sources. */
  async #planned(): Promise<{ readonly policy: Policy; readonly entrypoint: string }> {
    const { plan, sources } = this.page.data;
    const entrypoints = entrypointsOfPlan(plan);
    const asked = this.query.value.trim();
    const path = asked.replace(/^data\./, '').replaceAll('.', '/');
    const entrypoint = entrypoints.find((name) => name === asked || name === path);
    if (entrypoint !== undefined) {
      this.page.showPlan(plan);
      return { policy: plan.policy, entrypoint };
    }
    if (sources.length === 0)
      throw new Error(`no source is beside the plan: ask for ${entrypoints.join(' or ') || 'nothing'}`);
    const planned = await this.engine.ask('plan', { query: asked, sources, debug: plan.debug });
    this.page.showPlan(planned.plan);
    return { policy: planned.plan.policy, entrypoint: planned.entrypoint };
  }

  goTo(at: number): void {
    const recording = this.recording.value;
    if (recording === undefined || recording.length === 0) return;
    const event = Math.max(0, Math.min(recording.length - 1, at));
    batch(() => {
      this.at.value = event;
      // The event stays in view, where the timeline shows a part.
      const [from, to] = this.range.value;
      const width = to - from;
      if (event < from) this.range.value = [event, event + width];
      else if (event >= to) this.range.value = [event + 1 - width, event + 1];
      const statement = recording.statementAt(event);
      if (statement !== undefined) this.page.choose([statement]);
    });
  }

  /** The next event in a direction: every one, of the same call or one around it, or a failure. */
  step(direction: 1 | -1, kind: 'any' | 'over' | 'fail' = 'any'): void {
    const recording = this.recording.value;
    if (recording === undefined) return;
    const start = this.at.value;
    const deepest = kind === 'over' ? (recording.depths[start] ?? 0) : Number.POSITIVE_INFINITY;
    for (let at = start + direction; at >= 0 && at < recording.length; at += direction) {
      if ((recording.depths[at] ?? 0) > deepest) continue;
      if (kind === 'fail' && recording.ops[at] !== op.fail) continue;
      return this.goTo(at);
    }
  }

  /** The next difference in a direction. */
  stepDifference(direction: 1 | -1): void {
    const all = this.differences.value;
    const here = this.at.value;
    const next = direction === 1 ? all.find(({ at }) => at > here) : all.findLast(({ at }) => at < here);
    if (next !== undefined) this.goTo(next.at);
  }

  /** The texts of both runs at a difference: the values that were stored, or the event. */
  bothTexts({ at, otherAt, kind }: RecordingDifference): readonly [string, string] {
    const other = this.other.value;
    const shown = (recording: RecordedEvents | undefined, event: number) =>
      recording === undefined
        ? ''
        : kind === 'way'
          ? this.eventText(recording, event)
          : recording
              .valuesOf(event)
              .map((value) => value ?? 'undefined')
              .join(', ') || recording.textOf(event);
    return [shown(this.recording.value, at), shown(other, otherAt)];
  }

  /** One line about an event. */
  textOf(at: number): string {
    const recording = this.recording.value;
    return recording === undefined || at >= recording.length ? '' : this.eventText(recording, at);
  }

  /** One line about an event of a recording. */
  eventText(recording: RecordedEvents, at: number): string {
    const links = this.page.links.value;
    const what = recording.what[at] ?? 0;
    const owner = links.ownerName(what);
    switch (recording.ops[at]) {
      case op.call:
        return `enter ${owner}`;
      case op.return:
        return `${recording.textOf(at) === '' ? 'undefined' : 'exit'} ${owner}`;
      case op.round:
        return `${recording.again[at] === 1 ? 'redo' : 'first'} ${links.textOf(what)}`;
      case op.note:
      case op.error:
        return `${recording.ops[at] === op.note ? 'note' : 'error'} ${recording.textOf(at)}`;
      case op.fail:
        return `fail ${links.textOf(what)}`;
      case op.leave:
        return `leave ${links.textOf(what)}`;
      default:
        return links.textOf(what);
    }
  }

  /** The values that a statement of the innermost call gave last. */
  valuesOf(statement: number): readonly (string | undefined)[] {
    const recording = this.recording.value;
    const event = recording?.lastOf(statement, this.at.value);
    return (event !== undefined && recording?.valuesOf(event)) || [];
  }

  /**
   * A local by the author's name, where the plan tells it.
   * @param given the event that gave it its value
   */
  nameOf(local: number, given: number): string {
    const recording = this.recording.value!;
    return this.page.links.value.nameOf(
      local,
      recording.statementAt(this.at.value) ?? -1,
      recording.statementAt(given),
    );
  }

  /** Opens a recording. */
  async open(text: string): Promise<void> {
    this.problem.value = undefined;
    try {
      this.showRecording(await this.engine.ask('open', { text }));
    } catch (error) {
      this.problem.value = error instanceof Error ? error.message : String(error);
    }
  }

  showRecording(recording: OpenedRecording): void {
    batch(() => {
      this.page.showPlan(recording.plan, recording.sources);
      this.query.value = recording.query;
      this.opened.value = recording;
      this.showRun(recording, 0);
    });
  }

  /** Shows one of the runs of a recording that is open. */
  showRun({ runs, result, error }: OpenedRecording, index: number): void {
    const run = runs[index];
    if (run === undefined) return;
    this.runIndex.value = index;
    this.show(run, resultOf({ ...(result !== undefined && { result }), ...(error !== undefined && { error }) }));
  }

  showOrigin(local: number): void {
    this.origin.value = this.recording.value?.originOf(local, this.at.value) ?? [];
  }
}

export function entrypointsOfPlan({ policy }: PagePlan): readonly string[] {
  return (policy.plans?.plans ?? []).map(({ name }) => name);
}

function resultOf({ result, error }: { readonly result?: string; readonly error?: string }): RunResult {
  return error === undefined ? { text: result ?? 'undefined', isError: false } : { text: error, isError: true };
}

function countsOf({ statements }: PlanProfileReport, page: PageState): RunCounts {
  const { size, addresses } = page.links.value;
  const [evaluations, fails, times] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  for (const { address, count, failed, time_ns } of statements) {
    const index = addresses.at(address)?.index;
    if (index === undefined) continue;
    evaluations[index] = count;
    fails[index] = failed;
    times[index] = time_ns;
  }
  const largest = (numbers: Float64Array) => numbers.reduce((most, number) => Math.max(most, number), 0);
  return { evaluations, fails, times, most: largest(evaluations), longest: largest(times) };
}
