/** The plugin `decision_logs`: an event for each decision. */
import { randomUUID } from 'node:crypto';
import type { Engine } from '../../../engine/engine.js';
import { maskRules } from '../../../engine/why/mask-rules.js';
import type { PlainObject, Value } from '../../../runtime/values/value.js';
import { jsonCopy } from '../../http/responses/deep-json.js';
import { type Family, familyText, sampleLine } from '../../observability/prometheus.js';
import { consoleOnly } from '../console-only.js';
import type { LogFields, Plugin, PluginContext, ReportStatus } from '../plugin.js';
import type { DecisionLogConfig } from './config.js';
import { type DecisionRecord, eventOf } from './event.js';
import { masked } from './mask.js';

/** The metric of dropped events, under the reference's name. */
const droppedFamily: Family = {
  name: 'decision_logs_dropped_buffer_size_limit_bytes_exceeded',
  type: 'counter',
  help: 'Events of the decision log that were dropped because too many waited to be written.',
};

/** Milliseconds that a mask or drop decision may take. */
const decisionMs = 10_000;

export class DecisionLogPlugin implements Plugin<DecisionLogConfig> {
  #config: DecisionLogConfig;
  readonly #context: PluginContext;
  readonly #report: ReportStatus;
  readonly #pending = new Set<Promise<void>>();
  #dropped = 0;

  constructor(config: DecisionLogConfig, context: PluginContext, report: ReportStatus) {
    this.#config = config;
    this.#context = context;
    this.#report = report;
  }

  async start(): Promise<void> {
    this.#report(consoleOnly('decision_logs', 'decisions are', this.#config.service, this.#context.logger));
  }

  async reconfigure(config: DecisionLogConfig): Promise<void> {
    this.#config = config;
    this.#report(consoleOnly('decision_logs', 'decisions are', this.#config.service, this.#context.logger));
  }

  /** Resolves when all events are logged. */
  async stop(): Promise<void> {
    await Promise.all(this.#pending);
    this.#report({ state: 'NOT_READY' });
  }

  /** The status of lost events; undefined without any. */
  status(): PlainObject | undefined {
    return this.#dropped === 0 ? undefined : { metrics: { [`counter_${droppedFamily.name}`]: this.#dropped } };
  }

  /** The lines of `/metrics`. */
  metricsText(): string {
    return familyText(droppedFamily, [sampleLine(droppedFamily.name, {}, this.#dropped)]);
  }

  /** Whether `nondeterministic` is wanted in records. */
  get wantsNondeterministic(): boolean {
    return this.#config.console && this.#config.ndBuiltinCache;
  }

  /** Whether `why` is wanted in records. */
  get wantsWhy(): boolean {
    return this.#config.console && this.#config.why;
  }

  /** The path of the decision that masks events. */
  get maskDecision(): readonly string[] {
    return this.#config.maskDecision;
  }

  /** The event of a decision, not masked. */
  eventOf(decision: DecisionRecord): PlainObject {
    return eventOf(decision, this.#config, this.#context.labels);
  }

  /** An id for a decision, to show in its answer and its event. */
  newId(): string {
    return randomUUID();
  }

  /**
   * Logs a decision, masked by the mask decision, unless the drop decision drops it. Never rejects:
   * an error is logged instead of the event, which may not be masked. Without such decisions the
   * event is written before this returns, so that later commits do not show in it.
   */
  record(decision: DecisionRecord): Promise<void> {
    if (!this.#config.console) return Promise.resolve();
    const event = this.eventOf(decision);
    const { engine } = this.#context;
    const { maskDecision, dropDecision } = this.#config;
    const drops = isDefined(engine, dropDecision);
    const masks = isDefined(engine, maskDecision);
    if (!drops && !masks) {
      this.#write(event);
      return Promise.resolve();
    }
    const done = this.#decideAndWrite(event, drops, masks);
    this.#pending.add(done);
    return done.finally(() => this.#pending.delete(done));
  }

  async #decideAndWrite(event: PlainObject, drops: boolean, masks: boolean): Promise<void> {
    const { logger } = this.#context;
    let plain: PlainObject;
    try {
      // In JSON sets are arrays, whose members a mask names by position.
      plain = jsonCopy(event) as PlainObject;
      if (drops && (await this.#ask(this.#config.dropDecision, plain)) === true) return;
    } catch (error) {
      logger.error(`Log drop decision failed: ${(error as Error).message}.`);
      return;
    }
    try {
      const decision = masks ? await this.#ask(this.#config.maskDecision, plain) : undefined;
      this.#write(decision === undefined ? plain : masked(plain, maskRules(decision)));
    } catch (error) {
      logger.error(`Log event masking failed: ${(error as Error).message}.`);
    }
  }

  /** A copy of the result as JSON: the result may share parts with documents. */
  #ask(path: readonly string[], event: PlainObject): Promise<Value | undefined> {
    const { engine, logger } = this.#context;
    return engine.decide(path, event, { timeMs: decisionMs, onPrint: (line) => logger.info(line) }, ({ value }) =>
      value === undefined ? undefined : jsonCopy(value),
    );
  }

  #write(event: PlainObject): void {
    const fields: LogFields = { ...event, type: 'openpolicyagent.org/decision_logs' };
    try {
      if (this.#context.console.info('Decision Log', fields)) return;
    } catch (error) {
      // The decision stands although its event is too large.
      this.#context.logger.error(`Log encoding failed: ${(error as Error).message}.`);
    }
    this.#dropped++;
  }
}

/**
 * Whether there may be a decision at a path. Most servers have none, and their events need not
 * wait.
 */
function isDefined(engine: Engine, path: readonly string[]): boolean {
  return engine.isVirtual(path) || engine.readData(path) !== undefined;
}
