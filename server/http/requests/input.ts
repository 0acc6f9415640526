/** Inputs of decisions: from a parameter, from an envelope, or the body itself. */
import { isObject, keepKeys, type PlainObject, plainKeys, type Value } from '../../../values/index.js';
import type { Settings } from '../../control/app-context.js';
import { ApiError, invalidParameter, MalformedBody } from '../responses/api-error.js';
import { documentOfBody, jsonOfText } from './document.js';
import type { Exchange } from './exchange.js';

/** The parameter `input`, undefined where it is not given. Rejects with an ApiError. */
export async function inputOfParameter(exchange: Exchange): Promise<Value | undefined> {
  const text = exchange.params.get('input');
  if (text === undefined) return undefined;
  try {
    return await jsonOfText(exchange, text);
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    throw invalidParameter(`parameter contains malformed input document: ${error.message}`);
  }
}

/** A member of a body; null counts as absent. As in the reference, the case of its name is free. */
export function memberOf(body: PlainObject, name: string): Value | undefined {
  if (Object.hasOwn(body, name)) return body[name] ?? undefined;
  const wanted = name.toLowerCase();
  // The reader has kept the keys of a large body, and comparing lengths takes no time.
  const other = plainKeys(body).findLast((key) => isNamed(key, wanted));
  return other === undefined ? undefined : (body[other] ?? undefined);
}

function isNamed(key: string, name: string): boolean {
  return key.length === name.length && key.toLowerCase() === name;
}

/** The members of the body of a question. */
export interface Envelope {
  /** Undefined where the body has none or is empty. */
  readonly input: Value | undefined;
  /** The other members, which the decision log shows; undefined where there are none. */
  readonly metadata: PlainObject | undefined;
}

/**
 * The input of a body, and what stands beside it where that is logged. Rejects with an ApiError.
 */
export async function inputEnvelope(exchange: Exchange, { limits }: Settings, isLogged: boolean): Promise<Envelope> {
  try {
    const body = await documentOfBody(exchange, limits);
    if (body === undefined || body === null) return { input: undefined, metadata: undefined };
    if (!isObject(body)) throw new MalformedBody('the body must be an object');
    const input = memberOf(body as PlainObject, 'input');
    return { input, metadata: isLogged ? besideInput(body as PlainObject) : undefined };
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    throw invalidParameter(`body contains malformed input document: ${error.message}`);
  }
}

/** The most members that are copied: more would be one long step. */
const mostCopied = 1000;

function besideInput(body: PlainObject): PlainObject | undefined {
  const names = plainKeys(body);
  if (names.length > mostCopied) return withoutInput(body, names);
  const others = names.filter((name) => !isNamed(name, 'input'));
  return others.length === 0 ? undefined : Object.fromEntries(others.map((name) => [name, body[name]!]));
}

/** The body itself, which nobody else reads, without its input. */
function withoutInput(body: PlainObject, names: readonly string[]): PlainObject {
  for (const name of names) if (isNamed(name, 'input')) delete (body as Record<string, Value>)[name];
  keepKeys(
    body,
    names.filter((name) => !isNamed(name, 'input')),
  );
  return body;
}

/** The whole body; null where it is empty. Rejects with an ApiError. */
export async function inputOfBody(exchange: Exchange, { limits }: Settings): Promise<Value> {
  try {
    return (await documentOfBody(exchange, limits)) ?? null;
  } catch (error) {
    if (error instanceof ApiError) throw invalidParameter(`unexpected parse error for input: ${error.message}`);
    if (!(error instanceof MalformedBody)) throw error;
    throw invalidParameter(
      `unexpected parse error for input: body contains malformed input document: ${error.message}`,
    );
  }
}
