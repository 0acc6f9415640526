/** Decisions of the library with their explanations. */

import type { WhyDecision as AnsweredWhy, Engine, Explanation, SourcesBeside } from '../engine/index.js';
import type { EvaluationError } from '../runtime/index.js';
import type { Json } from '../values/index.js';
import { checkDecisionOptions, type DecisionOptions } from './decision-options.js';
import { EngineError } from './errors/engine-error.js';
import { segmentsOf } from './paths/document-path.js';
import { decision, inputValue } from './prepared-decision.js';
import type { Attachment } from './services/attachment.js';
import type { Decision } from './types/decision.js';

/** How much an explanation shows, beside the options of its decision. */
export interface ExplainOptions extends DecisionOptions {
  /** Levels of rules below the rules that were asked for. Default: 1. */
  readonly depth?: number | undefined;
  /** Characters of a value; longer values are cut. Default: 100. */
  readonly valueSize?: number | undefined;
  /** Rules of one name, and documents of a package. Default: 50. */
  readonly rules?: number | undefined;
  /** The path of the mask policy. Default: `system/log/mask`. */
  readonly maskDecision?: string | undefined;
}

/** A decision and its explanation. */
export interface ExplainedDecision<Result = Json> extends Decision<Result> {
  /** The error that the decision ended with. */
  readonly error?: EvaluationError;
  readonly explanation: Explanation;
}

/** Decides and explains. The explanation comes from the policies' sources. */
export async function explained<Result>(
  engine: Engine,
  { path, input }: { readonly path: readonly string[]; readonly input: unknown },
  options: ExplainOptions,
  beside: SourcesBeside,
  follow: Follow,
): Promise<ExplainedDecision<Result>> {
  const { depth, valueSize, rules, maskDecision, ...deciding } = options;
  checkDecisionOptions(deciding);
  checkSizes({ depth, valueSize, rules });
  const { explainDecision } = await import('../engine/why/why-decision.js');
  const mask = maskDecision === undefined ? undefined : segmentsOf(maskDecision);
  const given = { ...deciding, depth, valueSize, rules, ...(mask && { maskDecision: mask }) };
  const document = inputValue(input);
  return await follow({ path: path.join('/'), segments: path }, document, deciding, async (recording) => {
    const use = ({ value, error, bundles, explanation }: AnsweredWhy): ExplainedDecision<Result> => {
      if (error !== undefined) recording?.failed(error);
      const decisionId = error === undefined ? recording?.succeeded(value, bundles, explanation) : undefined;
      return {
        ...decision<Result>(value, engine.context.keptResults),
        ...(decisionId !== undefined && { decisionId }),
        ...(error && { error }),
        explanation,
      };
    };
    return await explainDecision(engine, { path, input: document }, { ...given, ...recording?.options }, use, {
      beside,
    });
  });
}

/** Makes a decision that is followed: see `Attachment`. */
type Follow = Attachment['follow'];

function checkSizes(sizes: Readonly<Record<string, number | undefined>>): void {
  for (const [name, size] of Object.entries(sizes)) {
    if (size !== undefined && !(Number.isInteger(size) && size >= 0))
      throw new EngineError('invalid_option', `option ${name} must be a whole number, not ${String(size)}`);
  }
}
