/** Partial evaluation for the library: residual queries as texts. */
import { parseRef, parseTerm, printBody, type RefTerm, type Term } from '../../compiler/index.js';
import { type Caller, type Engine, type PartialResult, residualModule, writtenBody } from '../../engine/index.js';
import { type AsyncDecisionOptions, checkDecisionOptions, parsedOption } from '../decision-options.js';
import { EngineError } from '../errors/engine-error.js';
import type { Follower } from '../follow.js';
import { inputValue } from '../prepared-decision.js';
import type { Attachment } from '../services/attachment.js';

export interface PartialOptions extends AsyncDecisionOptions {
  /** Documents that are unknown: `input.record`, `data.orders`. Default: `input`. */
  readonly unknowns?: readonly string[] | undefined;
  /** The known parts of the input. */
  readonly input?: unknown;
  /** Documents whose rules are not inlined: `data.authz.admin`. */
  readonly disableInlining?: readonly string[] | undefined;
  /**
   * Whether built-ins that may differ from call to call, such as `time.now_ns`, are evaluated now.
   * Default: their calls stay in the queries.
   */
  readonly nondeterministicBuiltins?: boolean | undefined;
}

export interface PartialDecision {
  /** The alternatives. None: the query never holds. An empty text: it always does. */
  readonly queries: readonly string[];
  /** Modules of rules that the queries refer to. */
  readonly modules: readonly string[];
  /** The id in the decision log, where the engine has one. */
  readonly decisionId?: string;
}

interface PartialParts {
  readonly caller: Caller;
  readonly attachment: Attachment | undefined;
}

/** Throws an EngineError for options that are wrong, CompileErrors for the query. */
export async function partialDecision(
  engine: Engine,
  query: string,
  options: PartialOptions,
  { caller, attachment }: PartialParts,
): Promise<PartialDecision> {
  if (typeof query !== 'string') throw new EngineError('invalid_path', `a query is a text, not ${typeof query}`);
  const { unknowns, input, disableInlining, nondeterministicBuiltins = false, ...evaluation } = options;
  checkDecisionOptions(evaluation);
  if (typeof nondeterministicBuiltins !== 'boolean')
    throw new EngineError(
      'invalid_option',
      `option nondeterministicBuiltins must be a boolean, not ${String(nondeterministicBuiltins)}`,
    );
  const asked = {
    query,
    unknowns: parsedTexts(unknowns, 'unknowns', parseTerm),
    disableInlining: parsedTexts(disableInlining, 'disableInlining', parseRef) ?? [],
    nondeterministicBuiltins,
  };
  const known = inputValue(input);
  const decide = async (recording: Follower | undefined): Promise<PartialDecision> => {
    const answer = (result: PartialResult): PartialDecision => {
      const texts = textsOf(result);
      const id = recording?.succeeded({ ...texts }, engine.bundles(), undefined, { partial: asked });
      return id === undefined ? texts : { ...texts, decisionId: id };
    };
    try {
      return await engine.partial(asked, known, recording?.options ?? evaluation, answer, caller);
    } catch (error) {
      recording?.failed(error);
      throw error;
    }
  };
  return attachment === undefined
    ? await decide(undefined)
    : await attachment.follow({ query }, known, evaluation, decide);
}

function textsOf({ queries, support }: PartialResult): PartialDecision {
  return {
    queries: queries.map((body) => (body.length === 0 ? '' : printBody(writtenBody(body)))),
    modules: support.map((module) => residualModule(module)),
  };
}

function parsedTexts<T extends Term | RefTerm>(
  texts: readonly string[] | undefined,
  option: string,
  parse: (text: string) => T,
): readonly T[] | undefined {
  if (texts === undefined) return undefined;
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string'))
    throw new EngineError('invalid_option', `option ${option} must be an array of texts such as "input.user"`);
  return texts.map((text) => parsedOption(text, option, parse));
}
