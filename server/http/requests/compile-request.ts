/** The body of a request for partial evaluation. */
import { CompileErrors, parseQuerySteps, type RefTerm, type Term } from '../../../compiler/index.js';
import type { PartialQuery } from '../../../engine/index.js';
import { inSlices, isArray, isObject, type PlainObject, type Steps, type Value } from '../../../values/index.js';
import type { Settings } from '../../control/app-context.js';
import { invalidParameter, MalformedBody } from '../responses/api-error.js';
import { firstJsonOf } from './document.js';
import type { Exchange } from './exchange.js';
import { memberOf } from './input.js';

interface CompileRequest {
  readonly asked: PartialQuery;
  readonly input: Value | undefined;
}

/** Reads JSON of any content type. Rejects with an ApiError. */
export async function compileRequestOf(exchange: Exchange, { limits }: Settings): Promise<CompileRequest> {
  try {
    const body = await firstJsonOf(exchange, limits);
    return await inSlices(requestOf(body ?? {}, limits.maxStatementTokens));
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    throw invalidParameter(`error(s) occurred while decoding request: ${error.message}`);
  }
}

function* requestOf(body: Value, maxTokens: number): Steps<CompileRequest> {
  if (!isObject(body)) throw new MalformedBody('the body must be an object');
  const members = body as PlainObject;
  const query = memberOf(members, 'query') ?? '';
  if (typeof query !== 'string') throw new MalformedBody('query must be a string');
  const unknowns = textsOf(members, 'unknowns');
  const options = memberOf(members, 'options') ?? {};
  if (!isObject(options)) throw new MalformedBody('options must be an object');
  const disabled = textsOf(options as PlainObject, 'disableInlining') ?? [];
  const evaluatesAll = flagOf(options as PlainObject, 'nondeterministicBuiltins');
  if (!/\S/.test(query)) throw invalidParameter("missing required 'query' value");
  const asked: PartialQuery = {
    query,
    maxTokens,
    unknowns: unknowns && (yield* termsOf(unknowns, 'unknowns', maxTokens)),
    disableInlining: (yield* termsOf(disabled, 'disableInlining', maxTokens)).map(refOf),
    nondeterministicBuiltins: evaluatesAll,
  };
  return { asked, input: memberOf(members, 'input') };
}

function textsOf(members: PlainObject, name: string): readonly string[] | undefined {
  const texts = memberOf(members, name);
  if (texts === undefined) return undefined;
  if (!isArray(texts) || !texts.every((text) => typeof text === 'string'))
    throw new MalformedBody(`${name} must be an array of strings`);
  return texts as readonly string[];
}

function flagOf(members: PlainObject, name: string): boolean {
  const flag = memberOf(members, name) ?? false;
  if (typeof flag !== 'boolean') throw new MalformedBody(`options.${name} must be a boolean`);
  return flag;
}

function* termsOf(texts: readonly string[], member: string, maxTokens: number): Steps<readonly Term[]> {
  const terms: Term[] = [];
  for (const text of texts) {
    terms.push(yield* termOf(text, member, maxTokens));
    yield;
  }
  return terms;
}

/** One term, with nothing beside it. */
function* termOf(text: string, member: string, maxStatementTokens: number): Steps<Term> {
  const parsing = `error(s) occurred while parsing ${member}: `;
  try {
    const [expr, ...more] = yield* parseQuerySteps(text, { maxStatementTokens });
    if (expr?.kind !== 'term' || more.length > 0 || expr.negated)
      throw invalidParameter(`${parsing}expected exactly one term but got: ${text}`);
    return expr.term;
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    throw invalidParameter(`${parsing}${error.message}`);
  }
}

function refOf(term: Term): RefTerm {
  if (term.type !== 'ref') {
    const got = term.loc.source.text;
    throw invalidParameter(`error(s) occurred while parsing disableInlining: expected a reference but got: ${got}`);
  }
  return term;
}
