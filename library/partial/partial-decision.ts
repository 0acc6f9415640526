/** Partial evaluation for the library: residual queries as texts. */
import { printBody } from '../../compiler/ast/print.js';
import { parseRef, parseTerm } from '../../compiler/syntax/query.js';
import type { Engine } from '../../engine/engine.js';
import { moduleText, writtenBody } from '../../query/partial/residual/source.js';
import type { Value } from '../../values/value.js';
import type { AsyncDecisionOptions } from '../decision-options.js';

export interface PartialOptions extends AsyncDecisionOptions {
  /** Documents that are unknown: `input.record`, `data.orders`. Default: `input`. */
  readonly unknowns?: readonly string[] | undefined;
  /** The known parts of the input. */
  readonly input?: unknown;
  /** Documents whose rules are not inlined: `data.authz.admin`. */
  readonly disableInlining?: readonly string[] | undefined;
}

export interface PartialDecision {
  /** The alternatives. None: the query never holds. An empty text: it always does. */
  readonly queries: readonly string[];
  /** Modules of rules that the queries refer to. */
  readonly modules: readonly string[];
}

export async function partialDecision(engine: Engine, query: string, options: PartialOptions): Promise<PartialDecision> {
  const { unknowns, input, disableInlining = [], ...evaluation } = options;
  const asked = {
    query,
    ...(unknowns && { unknowns: unknowns.map((text) => parseTerm(text)) }),
    disableInlining: disableInlining.map((text) => parseRef(text)),
  };
  return await engine.partial(asked, input as Value | undefined, evaluation, ({ queries, support }) => ({
    queries: queries.map((body) => (body.length === 0 ? '' : printBody(writtenBody(body)))),
    modules: support.map((module) => moduleText(module)),
  }));
}
