/** Requests of the AuthZEN API, checked. */
import { isDocumentObject } from '../../../runtime/index.js';
import { isArray, type PlainObject, typeName, type Value } from '../../../values/index.js';

/** A request that is not as the API has it. */
export class AccessRequestError extends Error {}

/** May the subject do the action with the resource? */
export type AccessRequest = {
  readonly subject: PlainObject;
  readonly action: PlainObject;
  readonly resource: PlainObject;
  readonly context?: PlainObject;
};

const requiredMembers = { subject: ['type', 'id'], action: ['name'], resource: ['type', 'id'] } as const;
type Part = keyof typeof requiredMembers;
const parts = Object.keys(requiredMembers) as readonly Part[];

/** The request of a body; other members are left out. Throws an AccessRequestError. */
export function accessRequestOf(body: PlainObject): AccessRequest {
  return {
    subject: entityOf(body, 'subject'),
    action: entityOf(body, 'action'),
    resource: entityOf(body, 'resource'),
    ...contextOf(body),
  };
}

/** The body as an object. Throws an AccessRequestError. */
export function bodyObject(body: Value | undefined): PlainObject {
  if (body === undefined) throw new AccessRequestError('the body is empty');
  if (!isDocumentObject(body)) throw new AccessRequestError(`the body must be an object but is ${typeName(body)}`);
  return body;
}

/**
 * A part of a request with its members. Throws an AccessRequestError.
 * @param needed its members that must be there
 * @param texts its members that must be strings
 */
export function entityOf(
  body: PlainObject,
  part: Part,
  needed: readonly string[] = requiredMembers[part],
  texts: readonly string[] = requiredMembers[part],
): PlainObject {
  const entity = member(body, part);
  if (entity === undefined) throw new AccessRequestError(`${part} is missing`);
  if (!isDocumentObject(entity)) throw new AccessRequestError(`${part} must be an object but is ${typeName(entity)}`);
  for (const name of needed)
    if (member(entity, name) === undefined) throw new AccessRequestError(`${part}.${name} is missing`);
  for (const name of texts) {
    const value = member(entity, name);
    if (value !== undefined && typeof value !== 'string')
      throw new AccessRequestError(`${part}.${name} must be a string but is ${typeName(value)}`);
  }
  checkObject(entity, 'properties', `${part}.properties`);
  return entity;
}

export function contextOf(body: PlainObject): { readonly context?: PlainObject } {
  checkObject(body, 'context', 'context');
  const context = member(body, 'context');
  return context === undefined ? {} : { context: context as PlainObject };
}

export function checkObject(from: PlainObject, name: string, shown: string): void {
  const value = member(from, name);
  if (value !== undefined && !isDocumentObject(value))
    throw new AccessRequestError(`${shown} must be an object but is ${typeName(value)}`);
}

export function member(from: PlainObject, name: string): Value | undefined {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

const semantics = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const;
export type Semantic = (typeof semantics)[number];

/** Several requests. One that is faulty is denied; the others are decided. */
export interface Evaluations {
  readonly semantic: Semantic;
  readonly evaluations: readonly AccessEvaluation[];
}

export interface AccessEvaluation {
  readonly request: AccessRequest | AccessRequestError;
  /** The request as it was sent, without the defaults. */
  readonly sent: Value;
}

/**
 * The requests of a body; undefined where it is one request. Throws an AccessRequestError for a
 * fault of the whole.
 * @param most requests
 */
export function evaluationsOf(body: PlainObject, most: number): Evaluations | undefined {
  const evaluations = member(body, 'evaluations');
  if (evaluations === undefined) return undefined;
  if (!isArray(evaluations))
    throw new AccessRequestError(`evaluations must be an array but is ${typeName(evaluations)}`);
  if (evaluations.length === 0) return undefined;
  if (evaluations.length > most)
    throw new AccessRequestError(`there are ${evaluations.length} evaluations; at most ${most} are allowed`);
  const semantic = semanticOf(body);
  for (const part of parts) if (member(body, part) !== undefined) entityOf(body, part, []);
  contextOf(body);
  return {
    semantic,
    evaluations: evaluations.map((sent: Value, i) => ({ request: requestOrError(body, sent, i), sent })),
  };
}

function semanticOf(body: PlainObject): Semantic {
  checkObject(body, 'options', 'options');
  const options = member(body, 'options') as PlainObject | undefined;
  const given = options && member(options, 'evaluations_semantic');
  const semantic = given === undefined ? 'execute_all' : semantics.find((name) => name === given);
  if (semantic === undefined)
    throw new AccessRequestError(`options.evaluations_semantic must be one of ${semantics.join(', ')}`);
  return semantic;
}

function requestOrError(defaults: PlainObject, evaluation: Value, i: number): AccessRequest | AccessRequestError {
  if (!isDocumentObject(evaluation))
    return new AccessRequestError(`evaluations[${i}] must be an object but is ${typeName(evaluation)}`);
  try {
    return accessRequestOf(withDefaults(defaults, evaluation));
  } catch (error) {
    if (error instanceof AccessRequestError) return error;
    throw error;
  }
}

/** A part of the evaluation replaces the default, whose required members complete it. */
function withDefaults(defaults: PlainObject, evaluation: PlainObject): PlainObject {
  const merged: Record<string, Value> = {};
  for (const part of parts) {
    const own = member(evaluation, part);
    const other = member(defaults, part);
    if (own === undefined) {
      if (other !== undefined) merged[part] = other;
    } else
      merged[part] = other !== undefined && isDocumentObject(own) ? completed(own, other as PlainObject, part) : own;
  }
  const context = member(evaluation, 'context') ?? member(defaults, 'context');
  return context === undefined ? merged : { ...merged, context };
}

function completed(own: PlainObject, other: PlainObject, part: Part): PlainObject {
  const lacking = requiredMembers[part].flatMap((name) => {
    const value = member(own, name) === undefined ? member(other, name) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return lacking.length === 0 ? own : { ...own, ...Object.fromEntries(lacking) };
}
