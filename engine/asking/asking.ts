/** One question on its way to an answer, whoever asks it: its id, notes, labels and event. */

import type { EvaluationError } from '../../runtime/index.js';
import type { PlainObject, Value } from '../../values/index.js';
import type { Engine } from '../engine.js';
import type { Caller, Decided, DecideOptions } from '../evaluation/decide-options.js';
import { NdBuiltinCache } from '../evaluation/nd-builtin-cache.js';
import type { SourcesBeside } from '../policies/sources-of.js';
import type { DocumentWhy, Explanation, RuleWhy } from '../query/why/explanation.js';
import type { Deciding, ExplainedOptions, ExplainedQuery } from '../why/why-decision.js';
import { type DecisionFacts, type DecisionLog, type LabelSearch, nothingToHold } from './decision-record.js';
import { type LabelHost, type LoggedQuestion, labelSearch, questionFields } from './logged-question.js';

/** The caller, as spans and events show it. */
export interface Asker {
  /** The span of the work that the decision is part of. */
  readonly span?: DecisionSpan | undefined;
  /** The members of an event that describe the caller. */
  fields(): AskerFields;
  /** About the bytes of the request, whose input is kept while labels are sought. */
  bytes(): number;
  /** Whether nobody changes the input after the answer: a long event is written later. */
  readonly keepsInput?: boolean;
}

interface DecisionSpan {
  readonly traceId: string;
  readonly spanId: string;
  set(attribute: string, value: string): void;
}

export type AskerFields = Pick<
  DecisionFacts,
  'requestedBy' | 'requestId' | 'headers' | 'traceId' | 'spanId' | 'custom'
>;

/** An answer that is logged; with `hold` where its event may be written later. */
export type LoggedAnswer = Omit<Decided, 'hold'> & Partial<Pick<Decided, 'hold'>>;

/** The members of an event that come with the answer. */
export interface AnswerNotes {
  /** The error in the answer, although the evaluation succeeded. */
  readonly error?: Value | undefined;
  readonly explanation?: Explanation | undefined;
  /** Labels that the answer shows, too. */
  readonly labels?: RuleLabels | undefined;
  /** Members that are known with the answer. */
  readonly question?: Partial<LoggedQuestion>;
}

/** The labels of the rules that held. Never rejects. */
export type RuleLabels = Promise<readonly PlainObject[] | undefined>;

type UseLabels = Parameters<LabelSearch['find']>[0];

/** An explanation for the log only is made between other tasks; a longer one is left out. */
const loggedWhyMs = 50;

/** The cache for results of non-deterministic built-ins, where the log or labels need them. */
export function recordedAnswers(
  engine: Pick<Engine, 'mayHaveRuleLabels'>,
  log: DecisionLog | undefined,
  showsLabels = false,
): NdBuiltinCache | undefined {
  const areWanted =
    log?.wantsNondeterministic === true || ((log !== undefined || showsLabels) && engine.mayHaveRuleLabels);
  return areWanted ? new NdBuiltinCache() : undefined;
}

export class Asking {
  readonly question: LoggedQuestion;
  readonly #host: LabelHost;
  readonly #log: DecisionLog | undefined;
  readonly #asker: Asker;
  readonly #id: string | undefined;
  #recorded: Promise<void> | undefined;

  /**
   * @param log undefined where decisions are not logged
   * @param id of the event; a new one where it is left out
   */
  constructor(host: LabelHost, log: DecisionLog | undefined, asker: Asker, question: LoggedQuestion, id?: string) {
    this.#host = host;
    this.#log = log;
    this.#asker = asker;
    this.question = question;
    this.#id = id;
  }

  /** Resolves once the event is in a log that is shown; undefined where nothing waits for it. */
  get shown(): Promise<void> | undefined {
    return this.#log?.isShown === true ? this.#recorded : undefined;
  }

  /** The options of the evaluation, with the notes of the question. */
  noting(options: DecideOptions): DecideOptions {
    const { metrics, answers } = this.question;
    const { onNondeterministic: told } = options;
    if (answers === undefined || told === undefined)
      return { ...options, metrics, onNondeterministic: answers?.note ?? told };
    return {
      ...options,
      metrics,
      onNondeterministic: (...answer) => {
        answers.note(...answer);
        told(...answer);
      },
    };
  }

  /** How the decision is explained: the time, and the event that the mask decision gets. */
  explaining(isShown: boolean, depth: number, leftMs: number): ExplainedOptions {
    const log = this.#log;
    const event = log?.eventOf?.({ decisionId: '', path: this.question.path, ...this.#asker.fields() });
    const whyTimeMs = isShown ? leftMs : Math.min(loggedWhyMs, leftMs);
    return { depth, whyTimeMs, event, maskDecision: log?.maskDecision };
  }

  /** How the decision is explained for its event alone; undefined where that has no explanation. */
  explainingEvent(leftMs = loggedWhyMs): ExplainedOptions | undefined {
    const isExplained = this.#wantsWhy && this.question.segments !== undefined;
    return isExplained ? this.explaining(false, 0, leftMs) : undefined;
  }

  get #wantsWhy(): boolean {
    return this.#log?.wantsWhy === true;
  }

  /**
   * The labels of the rules that hold, for the answer; undefined where no policy has labels. Called
   * before the documents of the decision can change.
   */
  labels(): RuleLabels | undefined {
    const search = this.#labelSearch(this.question);
    return (
      search &&
      new Promise((resolve) => void search.find(async (labels) => resolve(labels?.length === 0 ? undefined : labels)))
    );
  }

  /**
   * Logs the answer. Called before the documents of the decision can change.
   * @returns the id of the event; undefined where decisions are not logged
   */
  answered({ value, bundles, revision, hold }: LoggedAnswer, notes: AnswerNotes = {}): string | undefined {
    const id = this.#name();
    if (this.#log === undefined) return undefined;
    const { error, labels } = notes;
    const question = this.#noted(notes);
    const search = this.#labelSearch(question);
    const known = labels && search && { ...search, find: (use: UseLabels) => labels.then(use) };
    return this.#record(id!, question, { result: value, error, bundles, revision, hold }, known ?? search);
  }

  /** Logs an error in the place of an answer. */
  failed(errorOf: () => Value, notes: AnswerNotes = {}): string | undefined {
    const id = this.#name();
    if (this.#log === undefined) return undefined;
    const { active, revision } = this.#host.engine.version;
    const hold = this.#asker.keepsInput === true ? nothingToHold : undefined;
    return this.#record(id!, this.#noted(notes), { error: errorOf(), bundles: active, revision, hold });
  }

  /** The question with the members that come with its answer. */
  #noted({ explanation, question }: AnswerNotes): LoggedQuestion {
    const why = explanation !== undefined && this.#wantsWhy ? whySummary(explanation) : undefined;
    return { ...this.question, ...(why !== undefined && { why }), ...question };
  }

  /** The id of the event, which the span has under the reference's name. */
  #name(): string | undefined {
    const id = this.#id ?? this.#log?.newId();
    if (id !== undefined && this.question.batchDecisionId === undefined) this.#asker.span?.set('opa.decision_id', id);
    return id;
  }

  #record(id: string, question: LoggedQuestion, outcome: Partial<DecisionFacts>, labels?: LabelSearch): string {
    const fields = { ...questionFields(question), ...this.#asker.fields() };
    this.#recorded = this.#log!.record({ decisionId: id, ...fields, ...outcome }, labels);
    return id;
  }

  #labelSearch(question: LoggedQuestion): LabelSearch | undefined {
    if (!this.#host.engine.mayHaveRuleLabels) return undefined;
    return labelSearch(question, this.#host, this.#asker.bytes());
  }
}

/** Answers once the labels are known. The documents do not change until then. */
export async function withLabels<T>(
  labels: RuleLabels | undefined,
  hold: Decided['hold'],
  respond: (labels: readonly PlainObject[] | undefined) => T | Promise<T>,
): Promise<T> {
  const held = hold();
  try {
    return await respond(await labels);
  } finally {
    held.release();
  }
}

/** The most rules of a decision in an event. */
const mostRules = 20;

/**
 * The rules that could have made a decision.
 *
 * @example
 * // [{ rule: 'data.authz.allow', file: 'authz.rego', row: 8, outcome: 'fails',
 * //    failed_row: 9, reason: 'differs' }]
 */
function whySummary({ documents, missing }: Explanation): Value {
  if (missing !== undefined) return { missing };
  const rules = documents.flatMap((document) => document.rules.map((rule) => summaryOf(document, rule)));
  return rules.slice(0, mostRules);
}

function summaryOf({ name }: DocumentWhy, { location, outcome, failed }: RuleWhy): PlainObject {
  const { file, row } = location;
  return { rule: name, file, row, outcome, ...(failed && { failed_row: failed.excerpt.row, reason: failed.reason }) };
}

/** A document, or a query of a command, that is asked for again and again. */
interface AskedDocument {
  readonly engine: Engine;
  readonly prepared: Deciding;
  /** The query, where it is no document. */
  readonly query?: ExplainedQuery | undefined;
  /** The policies of bundles whose plans answer. */
  readonly beside?: SourcesBeside | undefined;
}

/** How a question is asked. */
export interface AskWays {
  readonly caller?: Caller | undefined;
  /** In the place of the options that the decision was prepared with. */
  readonly options?: DecideOptions | undefined;
  /** How the decision is explained; undefined where it is not. */
  readonly why?: ExplainedOptions | undefined;
  /** Makes the error that a decision with an explanation ends with. */
  readonly failed?: ((error: EvaluationError, explanation: Explanation) => Error) | undefined;
}

/**
 * Decides. The decision may share parts with documents that the next commit writes in place: `use`
 * gets it before that can happen. Rejects with an EvaluationError or CompileErrors.
 */
export function ask<T>(
  document: AskedDocument,
  question: Pick<LoggedQuestion, 'segments' | 'input'>,
  use: (decided: Decided, explanation?: Explanation) => T,
  ways: AskWays,
): Promise<T> {
  const { caller, options, why } = ways;
  if (why === undefined) return document.prepared.decide(question.input, use, caller, options);
  return explained(document, question, use, ways, why);
}

async function explained<T>(
  { engine, prepared, query, beside }: AskedDocument,
  { segments, input }: Pick<LoggedQuestion, 'segments' | 'input'>,
  use: (decided: Decided, explanation: Explanation) => T,
  { caller, options, failed }: AskWays,
  why: ExplainedOptions,
): Promise<T> {
  const { explainDecision } = await import('../why/why-decision.js');
  return await explainDecision(
    engine,
    query === undefined ? { path: segments!, input, prepared } : { query, input, prepared },
    { ...options, ...why },
    ({ value, error, bundles, revision, explanation }) => {
      if (error !== undefined) throw failed?.(error, explanation) ?? error;
      return use({ value, bundles, revision, hold: () => engine.store.hold() }, explanation);
    },
    { caller, beside },
  );
}
