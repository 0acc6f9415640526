/** The facts of a decision for the log of decisions, and that log. */
import type { PlainObject, Value } from '../../values/index.js';
import type { ActiveBundle } from '../version.js';

/** Keeps the input and the documents of a decision as they are, until they are released. */
export type Hold = () => { release(): void };

/** Values that nobody changes need no hold. */
export const nothingToHold: Hold = () => ({ release: () => undefined });

/** A decision to log. Undefined fields are left out of the event. */
export interface DecisionFacts {
  /** The id in the answer. */
  readonly decisionId: string;
  /** Shared by the decisions of one batch. */
  readonly batchDecisionId?: string | undefined;
  /** The path of the document: `authz/allow`. */
  readonly path?: string | undefined;
  /** The text of an ad-hoc query. */
  readonly query?: string | undefined;
  readonly input?: Value | undefined;
  readonly result?: Value | undefined;
  /** An error with code, message and location, or several. */
  readonly error?: Value | undefined;
  /** The client's address with its port. */
  readonly requestedBy?: string | undefined;
  /** The number of the request in this process. */
  readonly requestId?: number | undefined;
  /** Values by lower-case name; the event shows the configured headers. */
  readonly headers?: ReadonlyMap<string, readonly string[]> | undefined;
  readonly metrics?: PlainObject | undefined;
  /** The bundles that were active at the decision. */
  readonly bundles?: readonly ActiveBundle[];
  /** The revision of the log of writes. */
  readonly revision?: number;
  readonly nondeterministic?: PlainObject | undefined;
  /** Its rules, and which of them held: see `Asking`. */
  readonly why?: Value | undefined;
  /** The labels of the rules that held. */
  readonly ruleLabels?: readonly PlainObject[] | undefined;
  /** The kind, unknowns and options of a data filter; otherwise the members beside the input. */
  readonly custom?: PlainObject | undefined;
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  /** Nanoseconds since 1970; now if left out. */
  readonly timeNs?: bigint;
  /** For an event that takes long to write; absent where `record` writes it before it returns. */
  readonly hold?: Hold | undefined;
}

/** The search for the labels of a decision's rules. */
export interface LabelSearch {
  /** About the bytes of the decision's request, whose input is kept meanwhile. */
  readonly bytes: number;
  /** Calls back while the documents of the decision are held. */
  find(use: (labels: readonly PlainObject[] | undefined) => Promise<void>): Promise<void>;
}

/** A log of decisions. */
export interface DecisionLog {
  /** Whether records have the results of non-deterministic built-ins. */
  readonly wantsNondeterministic: boolean;
  /** Whether events are shown in the log of the process, so that an answer waits for its event. */
  readonly isShown: boolean;
  /** An id for a decision, to show in its answer and its event. */
  newId(): string;
  /** Logs a decision. Never rejects; the event is made before this returns. */
  record(decision: DecisionFacts, labels?: LabelSearch): Promise<void>;
  /** Whether records have summaries of explanations. */
  readonly wantsWhy?: boolean;
  /** The path of the decision that masks events. */
  readonly maskDecision?: readonly string[];
  /** The event of a decision, not masked. */
  eventOf?(decision: DecisionFacts): PlainObject;
}
