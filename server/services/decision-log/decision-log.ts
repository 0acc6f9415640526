/** The plugin `decision_logs`: an event for each decision. */
import { randomUUID } from 'node:crypto';
import type { DecisionFacts, DecisionLog, Engine, Hold, LabelSearch } from '../../../engine/index.js';
import { maskRules, nothingToHold } from '../../../engine/index.js';
import { wallClockNs } from '../../../runtime/index.js';
import { jsonCopy, type PlainObject, type Value } from '../../../values/index.js';
import { eventCopy, eventText } from '../logs/long-text.js';
import type { Metric } from '../metrics/prometheus.js';
import type { LogLineFields, Plugin, PluginContext, ReportStatus } from '../plugin.js';
import type { DecisionLogConfig } from './decision-log-config.js';
import { eventOf } from './event.js';
import { FileSink } from './file/file-sink.js';
import { Losses } from './losses.js';
import { masked } from './mask.js';
import { Uploader } from './uploader.js';

/** The most decisions, and bytes of their requests, whose labels are being found. */
const mostSearches = 10_000;
const mostSearchedBytes = 64 * 1024 * 1024;

/** The most events that are written in slices; each keeps its input. Others are written at once. */
const mostLong = 8;

/** Milliseconds that a mask or drop decision may take. */
const decisionMs = 10_000;

export class DecisionLogPlugin implements Plugin<DecisionLogConfig>, DecisionLog {
  #config: DecisionLogConfig;
  readonly #context: PluginContext;
  readonly #report: ReportStatus;
  readonly #pending = new Set<Promise<void>>();
  readonly #losses = new Losses();
  /** Searches for labels, and the bytes of their requests. */
  #searches = 0;
  #searchedBytes = 0;
  /** The number of events that are being written in slices. */
  #long = 0;
  #uploader: Uploader | undefined;
  #file: FileSink | undefined;

  constructor(config: DecisionLogConfig, context: PluginContext, report: ReportStatus) {
    this.#config = config;
    this.#context = context;
    this.#report = report;
    this.#uploader = this.#newUploader(config);
    this.#file = this.#newFile(config);
  }

  async start(): Promise<void> {
    this.#uploader?.start();
    this.#report({ state: 'OK' });
  }

  async reconfigure(config: DecisionLogConfig): Promise<void> {
    this.#config = config;
    const { upload, file } = config;
    const [uploader, before] = [this.#uploader, this.#file];
    if (uploader === undefined || upload === undefined) {
      this.#uploader = this.#newUploader(config);
      this.#uploader?.start();
      await uploader?.stop();
    } else await uploader.reconfigure(upload);
    if (JSON.stringify(file) !== JSON.stringify(before?.config)) {
      this.#file = this.#newFile(config);
      await this.#close(before);
    }
    this.#report({ state: 'OK' });
  }

  /** Resolves when all events are logged, or the service was asked once more. */
  async stop(): Promise<void> {
    await Promise.all(this.#pending);
    await this.#uploader?.stop();
    await this.#close(this.#file);
    this.#report({ state: 'NOT_READY' });
  }

  /** Sends the waiting events. */
  async trigger(): Promise<void> {
    await this.#uploader?.trigger();
  }

  #newUploader({ upload }: DecisionLogConfig): Uploader | undefined {
    if (upload === undefined || this.#context.deliver !== undefined) return undefined;
    const { services, logger } = this.#context;
    const onUpload = () => this.#report({ state: 'OK' });
    return new Uploader(upload, { services, logger, losses: this.#losses, onUpload });
  }

  #newFile({ file }: DecisionLogConfig): FileSink | undefined {
    return file === undefined || this.#context.deliver !== undefined
      ? undefined
      : new FileSink(file, this.#context.logger);
  }

  async #close(file: FileSink | undefined): Promise<void> {
    const left = (await file?.close()) ?? 0;
    if (left > 0) this.#losses.add('bufferBytes', left);
  }

  /**
   * The last failure of an upload, empty where it worked, and counts of lost events; undefined
   * before the first upload.
   */
  status(): PlainObject | undefined {
    const upload = this.#uploader?.status;
    const metrics = this.#losses.toJson();
    return upload === undefined && metrics === undefined
      ? undefined
      : { ...upload, ...(metrics !== undefined && { metrics }) };
  }

  /** The metrics of lost events. */
  metrics(): readonly Metric[] {
    return this.#losses.metrics();
  }

  /** Whether `nondeterministic` is wanted in records. */
  get wantsNondeterministic(): boolean {
    return this.#config.ndBuiltinCache;
  }

  /** Whether events are shown in the log of the process. */
  get isShown(): boolean {
    return this.#config.console;
  }

  /** Whether `why` is wanted in records. */
  get wantsWhy(): boolean {
    return this.#config.why;
  }

  /** The path of the decision that masks events. */
  get maskDecision(): readonly string[] {
    return this.#config.maskDecision;
  }

  /** The event of a decision, not masked. */
  eventOf(decision: DecisionFacts): PlainObject {
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
   * @param labels absent where no policy has labels; events have none, either, where too many wait
   */
  record(decision: DecisionFacts, labels?: LabelSearch): Promise<void> {
    if (labels === undefined || !this.#maySearch(labels)) return this.#record(decision);
    const made = { ...decision, timeNs: decision.timeNs ?? wallClockNs() };
    this.#searches++;
    this.#searchedBytes += labels.bytes;
    const done = labels.find((ruleLabels) => this.#record({ ...made, ruleLabels }));
    this.#pending.add(done);
    return done.finally(() => {
      this.#searches--;
      this.#searchedBytes -= labels.bytes;
      this.#pending.delete(done);
    });
  }

  #maySearch({ bytes }: LabelSearch): boolean {
    return this.#searches < mostSearches && this.#searchedBytes + bytes <= mostSearchedBytes;
  }

  #record(decision: DecisionFacts): Promise<void> {
    const event = this.eventOf(decision);
    const { engine } = this.#context;
    const { maskDecision, dropDecision } = this.#config;
    const drops = isDefined(engine, dropDecision);
    const masks = isDefined(engine, maskDecision);
    const done =
      drops || masks
        ? this.#decideAndWrite(event, drops, masks, decision)
        : this.#write(event, decision, this.#counted(decision.hold));
    if (done === undefined) return Promise.resolve();
    this.#pending.add(done);
    return done.finally(() => this.#pending.delete(done));
  }

  async #decideAndWrite(event: PlainObject, drops: boolean, masks: boolean, decision: DecisionFacts): Promise<void> {
    const { logger } = this.#context;
    let plain: PlainObject;
    try {
      // In JSON sets are arrays, whose members a mask names by position.
      const copy = eventCopy(event, this.#counted(decision.hold));
      plain = (copy instanceof Promise ? await copy : copy) as PlainObject;
      if (drops && (await this.#ask(this.#config.dropDecision, plain)) === true) return;
    } catch (error) {
      logger.error(`Log drop decision failed: ${(error as Error).message}.`);
      return;
    }
    try {
      const rules = masks ? await this.#ask(this.#config.maskDecision, plain) : undefined;
      const shown = rules === undefined ? plain : masked(plain, maskRules(rules));
      // The copy shares nothing with documents.
      await this.#write(shown, decision, this.#counted(nothingToHold));
    } catch (error) {
      logger.error(`Log event masking failed: ${(error as Error).message}.`);
    }
  }

  /** A copy of the result as JSON: the result may share parts with documents. */
  #ask(path: readonly string[], event: PlainObject): Promise<Value | undefined> {
    const { engine, logger } = this.#context;
    return engine.decide(
      path,
      event,
      { timeMs: decisionMs, onPrint: (text, line) => logger.show(text, line === undefined ? {} : { line }) },
      ({ value }) => (value === undefined ? undefined : jsonCopy(value)),
    );
  }

  /**
   * Keeps an event, as JSON, for the service, the file and the page.
   * @param input of the decision, not masked, where it was made by this process
   */
  add(event: string, input?: Value): void {
    if (this.#config.recent > 0) this.#context.recent?.add(event, input, this.#config.recent);
    if (this.#file?.add(event) === false) this.#losses.add('bufferBytes');
    this.#uploader?.add(event);
  }

  /** Counts of lost events. */
  get losses(): Losses {
    return this.#losses;
  }

  /** The hold of an event that may be written in slices; undefined where too many are. */
  #counted(hold: Hold | undefined): Hold | undefined {
    if (hold === undefined || this.#long >= mostLong) return undefined;
    return () => {
      const held = hold();
      this.#long++;
      const release = () => {
        this.#long--;
        held.release();
      };
      return { release };
    };
  }

  /** Writes an event; a promise where that takes long. The decision stands although it fails. */
  #write(event: PlainObject, { input }: DecisionFacts, hold: Hold | undefined): Promise<void> | undefined {
    try {
      const long = [this.#show(event, hold), this.#send(event, input, hold)].filter((done) => done !== undefined);
      if (long.length === 0) return undefined;
      return Promise.all(long).then(
        () => undefined,
        (error: Error) => this.#failed(error),
      );
    } catch (error) {
      this.#failed(error as Error);
      return undefined;
    }
  }

  #show(event: PlainObject, hold: Hold | undefined): Promise<void> | undefined {
    if (!this.#config.console) return undefined;
    const count = (isWritten: boolean) => {
      if (!isWritten) this.#losses.add('bufferBytes');
    };
    const fields: LogLineFields = { ...event, type: 'openpolicyagent.org/decision_logs' };
    const written = this.#context.console.show('Decision Log', fields, hold);
    if (written instanceof Promise) return written.then(count);
    count(written);
    return undefined;
  }

  /** Whether the last decisions are kept in memory. */
  get keepsRecent(): boolean {
    return this.#config.recent > 0;
  }

  #send(event: PlainObject, input: Value | undefined, hold: Hold | undefined): Promise<void> | undefined {
    const { upload, file, recent } = this.#config;
    if (upload === undefined && file === undefined && recent === 0) return undefined;
    const { deliver = (text: string) => this.add(text, input) } = this.#context;
    const text = eventText(event, hold);
    if (text instanceof Promise) return text.then(deliver);
    deliver(text);
    return undefined;
  }

  #failed({ message }: Error): void {
    this.#context.logger.error(`Log encoding failed: ${message}.`);
    this.#losses.add('encoding');
  }
}

/**
 * Whether there may be a decision at a path. Most servers have none, and their events need not
 * wait.
 */
function isDefined(engine: Engine, path: readonly string[]): boolean {
  return engine.isVirtual(path) || engine.readData(path) !== undefined;
}
