/** Makes a decision and explains it. */

import { documentText } from '../../compiler/index.js';
import { EvaluationError, type HeldVersion } from '../../runtime/index.js';
import { type PlainObject, presentMembers, type Value } from '../../values/index.js';
import type { Engine } from '../engine.js';
import type { Caller, Decided, DecideOptions } from '../evaluation/decide-options.js';
import { type SourcesBeside, sourcesOf } from '../policies/sources-of.js';
import type { Prepared } from '../prepared.js';
import type { Explanation } from '../query/why/explanation.js';
import type { ExplainedQuestion } from '../query/why/why.js';
import type { ActiveBundle, Version } from '../version.js';
import { MaskError } from './mask-rules.js';
import { maskedPaths } from './masked-paths.js';
import { explainAnswer, notedAnswers, unexplained, type WhyOptions, withoutSource } from './why-answer.js';

export interface ExplainedOptions extends DecideOptions, Omit<WhyOptions, 'masked' | 'timeMs'> {
  /** The path of the decision that masks events of the decision log. Default: `system/log/mask`. */
  readonly maskDecision?: readonly string[] | undefined;
  /** Members of the event that the mask decision gets, beside path, input and result. */
  readonly event?: PlainObject | undefined;
  /** The time that the explanation may take, after the decision. Default: as the decision. */
  readonly whyTimeMs?: number | undefined;
}

export interface WhyDecision {
  readonly value: Value | undefined;
  /** The error that the decision ended with. */
  readonly error: EvaluationError | undefined;
  readonly bundles: readonly ActiveBundle[];
  readonly revision: number;
  readonly explanation: Explanation;
}

/** A query that is explained. */
export type ExplainedQuery = Extract<ExplainedQuestion, { readonly query: unknown }>;

/** Makes one decision again and again: see `Prepared.decide`. */
export type Deciding = Pick<Prepared, 'decide'>;

/** The question of a decision: a document, or a query that a command has compiled. */
type AskedAndExplained = { readonly input: Value | undefined } & (
  | { readonly path: readonly string[]; readonly prepared?: Deciding | undefined }
  | { readonly query: ExplainedQuery; readonly prepared: Deciding }
);

/** How a decision is explained, beside its options. */
interface ExplainingCaller {
  readonly caller?: Caller | undefined;
  readonly beside?: SourcesBeside | undefined;
}

/**
 * Decides as `Engine.decide` does, then explains the decision from the same documents, at the same
 * time and with the same results of non-deterministic built-ins.
 * @param use gets the decision while its documents are held
 */
export async function explainDecision<T>(
  engine: Engine,
  asked: AskedAndExplained,
  options: ExplainedOptions,
  use: (explained: WhyDecision) => T,
  { caller, beside }: ExplainingCaller = {},
): Promise<T> {
  const { input } = asked;
  const prepared = 'query' in asked ? asked.prepared : (asked.prepared ?? engine.prepare(asked.path));
  const { maskDecision: maskPath, event, whyTimeMs, depth, valueSize, rules, ...deciding } = options;
  const noted = notedAnswers<DecideOptions>(deciding);
  const { version, held, ...decided } = await decideHolding(engine, prepared, input, noted.options, caller);
  try {
    if (decided.error?.code === 'eval_cancel_error') {
      return use({
        ...decided,
        explanation: unexplained(decided, 'limit', `the decision ended with an error: ${decided.error.detail}`),
      });
    }
    const compiled = 'path' in asked ? await sourcesOf(engine, version, asked.path, beside) : await engine.compiled();
    if (compiled === undefined) return use({ ...decided, explanation: withoutSource(nameOfAsked(asked), decided) });
    const masked = await maskedPaths(
      engine,
      compiled,
      held.root,
      {
        ...('path' in asked && { path: asked.path.join('/') }),
        ...event,
        ...presentMembers({ input, result: decided.value }),
      },
      maskPath,
    );
    if (masked instanceof MaskError) {
      return use({
        ...decided,
        explanation: unexplained(decided, 'mask', `the mask decision failed: ${masked.message}`),
      });
    }
    const documents = { input, data: held.root };
    const why: WhyOptions = { masked, depth, valueSize, rules, timeMs: whyTimeMs };
    const explanation = await explainAnswer(
      compiled,
      { question: 'path' in asked ? { segments: asked.path } : asked.query, answer: decided, documents },
      engine.context,
      why,
      noted,
    );
    return use({ ...decided, explanation });
  } finally {
    held.release();
  }
}

interface HeldDecision extends Omit<WhyDecision, 'explanation'> {
  readonly version: Version;
  readonly held: HeldVersion;
}

/** The decision, with the documents and the policies that made it. Rejects with CompileErrors. */
async function decideHolding(
  engine: Engine,
  prepared: Deciding,
  input: Value | undefined,
  options: DecideOptions,
  caller: Caller | undefined,
): Promise<HeldDecision> {
  try {
    const take = ({ value, bundles, revision, hold }: Decided): HeldDecision => ({
      value,
      error: undefined,
      bundles,
      revision,
      version: engine.version,
      held: hold(),
    });
    return await prepared.decide(input, take, caller, options);
  } catch (error) {
    const isCancelled = options.signal?.aborted === true || caller?.signal.aborted === true;
    if (!(error instanceof EvaluationError) || isCancelled) throw error;
    const { version } = engine;
    return {
      value: undefined,
      error,
      bundles: version.active,
      revision: version.revision,
      version,
      held: engine.store.hold(),
    };
  }
}

function nameOfAsked(asked: AskedAndExplained): string {
  return 'path' in asked ? documentText(asked.path) : asked.query.text;
}
