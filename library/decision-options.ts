/** Options of a decision. */
import type { RefTerm, Term } from '../compiler/index.js';
import { checkOptionTypes, type EvaluationOptions, type OptionTypes } from '../runtime/index.js';
import { EngineError } from './errors/engine-error.js';

export interface DecisionOptions extends EvaluationOptions {
  /**
   * Whether a path at which no rule, entrypoint or document is, is an error. Default: as the engine
   * was opened.
   */
  readonly strict?: boolean | undefined;
  /**
   * The id of the decision in its log, and of its span. Default: a random UUID. Without effect
   * where decisions are not logged, as `batchDecisionId` and `log`.
   */
  readonly decisionId?: string | undefined;
  /** Shared by decisions that belong together. `decideMany` makes one of its own. */
  readonly batchDecisionId?: string | undefined;
  /** The caller, as the event shows it; false for a decision that is not to be logged. */
  readonly log?: false | DecisionCaller | undefined;
}

/** The caller of a decision, as its event in the log tells. */
export interface DecisionCaller {
  /** The address of the client that is served, as `10.0.0.1:5000`. */
  readonly requestedBy?: string | undefined;
  /** Headers of the client's request, of which the event shows the configured ones. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  /** The trace and the span of the client's request, where no span is made here. */
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  /** Members for receivers of the log, below `custom`: any JSON. */
  readonly custom?: object | undefined;
}

export interface AsyncDecisionOptions extends DecisionOptions {
  /**
   * Evaluates in a thread of the engine's: the event loop stays free, and `signal` and `timeMs`
   * end it at any point. Documents are copied there once for each version of them, input and
   * result for each decision. Default: false.
   */
  readonly thread?: boolean | undefined;
}

const types: OptionTypes<AsyncDecisionOptions> = {
  timeMs: 'number',
  instructions: 'number',
  callDepth: 'number',
  resultSize: 'number',
  heapShare: 'number',
  signal: 'object',
  strictBuiltinErrors: 'boolean',
  strict: 'boolean',
  thread: 'boolean',
  decisionId: 'string',
  batchDecisionId: 'string',
  log: 'false or object',
  timeNs: 'bigint',
  random: 'function',
  onPrint: 'function',
  onTrace: 'function',
  onRestart: 'function',
  onNondeterministic: 'function',
  onBuiltinError: 'function',
  isPreempted: 'function',
};

/** Throws an EngineError for an unknown option, or a value of a wrong type. */
export function checkDecisionOptions(options: AsyncDecisionOptions): void {
  checkOptionTypes(options, types, refused);
}

/** The term that an option's text is. Throws an EngineError for a text that is none. */
export function parsedOption<T extends Term | RefTerm>(text: string, option: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw refused(`option ${option}: ${(error as Error).message}`);
  }
}

function refused(message: string): EngineError {
  return new EngineError('invalid_option', message);
}
