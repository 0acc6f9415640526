/** Requests for data filters: the targets that their headers and options name, and their fields. */

import type { RefTerm, Term } from '../../../compiler/index.js';
import { CompileErrors, parseQuerySteps, printTerm, soleTerm } from '../../../compiler/index.js';
import { type FilterLanguage, MappingError, NamedTarget, targets } from '../../../engine/index.js';
import type { PlainObject, Steps, Value } from '../../../values/index.js';
import { inSlices, isArray, isObject, typeName } from '../../../values/index.js';
import type { Settings } from '../../control/app-context.js';
import { jsonType } from '../responses/answer.js';
import { ApiError, invalidParameter, MalformedBody } from '../responses/api-error.js';
import { firstJsonOf } from './document.js';
import type { Exchange } from './exchange.js';
import { memberOf } from './input.js';

export interface FilterRequest {
  readonly input: Value | undefined;
  /** Undefined where the request leaves them to annotations. */
  readonly unknowns: readonly RefTerm[] | undefined;
  /** Documents whose rules stay rules. */
  readonly disableInlining: readonly RefTerm[];
  /** A ref, or a name in the package of the rule. */
  readonly maskRule: Term | undefined;
  readonly targets: readonly NamedTarget[];
  /** The options as they were given. */
  readonly options: PlainObject;
  /** Whether the answer is by target. */
  readonly isMultiple: boolean;
}

const prefix = 'application/vnd.opa.';
const multitarget = `${prefix}multitarget+json`;

/** The media types of requests and responses. */
export const filterTypes: readonly string[] = [
  ...[...targets.keys()].map((name) => `${prefix}${name.replace('+', '.')}+json`),
  multitarget,
];

/** Rejects with an ApiError. */
export async function filterRequestOf(exchange: Exchange, settings: Settings): Promise<FilterRequest> {
  const accepted = acceptedTarget(exchange);
  const body = await bodyOf(exchange, settings);
  const options = objectMember(body, 'options');
  const wanted = accepted === undefined ? dialectsOf(options) : [accepted];
  const { maxStatementTokens } = settings.limits;
  return {
    input: memberOf(body, 'input'),
    unknowns: await inSlices(unknownsOf(memberOf(body, 'unknowns'), maxStatementTokens)),
    disableInlining: await inSlices(
      refsOf(memberOf(options, 'disableinlining'), 'disableInlining', maxStatementTokens),
    ),
    maskRule: await inSlices(maskRuleOf(memberOf(options, 'maskrule'), maxStatementTokens)),
    targets: namedTargets(wanted, memberOf(options, 'targetsqltablemappings')),
    options,
    isMultiple: accepted === undefined,
  };
}

/** Undefined for several targets, which the body names. */
function acceptedTarget(exchange: Exchange): FilterLanguage | undefined {
  const accept = exchange.header('accept');
  if (accept === undefined) throw invalidParameter('Accept header: missing required header');
  if (accept === multitarget) return undefined;
  if (accept.includes(',')) throw invalidParameter('Accept header: multiple headers not supported');
  if (accept === jsonType) throw new ApiError(500, 'internal_error', 'unknown target/dialect combination: /');
  const name =
    accept.startsWith(prefix) && accept.endsWith('+json') ? accept.slice(prefix.length, -'+json'.length) : '';
  const target = targets.get(name.replace('.', '+'));
  if (target === undefined) throw invalidParameter(`Accept header: unsupported header: ${accept}`);
  return target;
}

async function bodyOf(exchange: Exchange, { limits }: Settings): Promise<PlainObject> {
  let body: Value | undefined;
  try {
    body = exchange.method === 'GET' ? undefined : await firstJsonOf(exchange, limits);
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    // Annotations may name the unknowns.
    if (error.message === 'EOF') return {};
    throw invalidParameter(`error(s) occurred while decoding request: ${error.message}`);
  }
  if (body === undefined || body === null) return {};
  if (!isObject(body)) throw undecodable('', 'object', body);
  return body as PlainObject;
}

function objectMember(body: PlainObject, name: string): PlainObject {
  const value = memberOf(body, name) ?? {};
  if (value === null || !isObject(value)) throw undecodable(name, 'object', value);
  return value as PlainObject;
}

function stringsOf(value: Value | undefined, name: string): readonly string[] {
  if (value === undefined) return [];
  if (!isArray(value)) throw undecodable(name, 'array of strings', value);
  const wrong = value.find((item) => typeof item !== 'string');
  if (wrong !== undefined) throw undecodable(name, 'string', wrong);
  return value as readonly string[];
}

function undecodable(name: string, wanted: string, value: Value): ApiError {
  const field = name === '' ? 'the body' : name;
  return invalidParameter(
    `error(s) occurred while decoding request: ${field} must be of type ${wanted}, not ${typeName(value)}`,
  );
}

function dialectsOf(options: PlainObject): readonly FilterLanguage[] {
  const names = stringsOf(memberOf(options, 'targetdialects'), 'options.targetDialects');
  if (names.length === 0) throw invalidParameter('options.targetDialects: missing required targets');
  return names.map((name) => {
    const target = targets.get(name);
    if (target === undefined) throw invalidParameter(`options.targetDialects: unsupported target: ${name}`);
    return target;
  });
}

function namedTargets(wanted: readonly FilterLanguage[], mappings: Value | undefined): readonly NamedTarget[] {
  try {
    return wanted.map((target) => new NamedTarget(target, mappings));
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw invalidParameter(`options.targetSQLTableMappings: ${error.message}`);
  }
}

/** No unknowns are as none given. */
function* unknownsOf(value: Value | undefined, maxStatementTokens: number): Steps<readonly RefTerm[] | undefined> {
  const unknowns = yield* refsOf(value, 'unknowns', maxStatementTokens);
  return unknowns.length === 0 ? undefined : unknowns;
}

function* refsOf(value: Value | undefined, name: string, maxStatementTokens: number): Steps<readonly RefTerm[]> {
  const refs: RefTerm[] = [];
  for (const text of stringsOf(value, name)) {
    refs.push(yield* refOf(text, name, maxStatementTokens));
    yield;
  }
  return refs;
}

function* refOf(text: string, name: string, maxStatementTokens: number): Steps<RefTerm> {
  const complain = (reason: string) => invalidParameter(`error(s) occurred while parsing ${name}: ${reason}`);
  try {
    const body = yield* parseQuerySteps(text, { maxStatementTokens });
    if (body.length !== 1) throw complain(`failed to parse ref: expected exactly one term but got: ${text}`);
    const term = soleTerm(body);
    if (term.type === 'ref') return term;
    throw complain(`expected ref but got ${printTerm(term)}`);
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    throw complain(`failed to parse ref: failed to parse term: ${error.message}`);
  }
}

function* maskRuleOf(text: Value | undefined, maxStatementTokens: number): Steps<Term | undefined> {
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string') throw undecodable('options.maskRule', 'string', text);
  try {
    return soleTerm(yield* parseQuerySteps(text, { maxStatementTokens }));
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    throw invalidParameter(`error(s) occurred while parsing options.maskRule: ${error.message}`);
  }
}
