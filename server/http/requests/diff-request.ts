/** Bodies of `POST /v1/diff`: the change that would be made, as a bundle, or policies and data. */

import { type Bundle, type Change, type Engine, isGzip, readArchive, rootsOwn } from '../../../engine/index.js';
import { isObject, isString, type PlainObject, type Value } from '../../../values/index.js';
import { inBundleMemory } from '../../services/bundle/bundle-memory.js';
import { invalidParameter, MalformedBody } from '../responses/api-error.js';
import { type BodyLimits, readBody } from './body.js';
import { firstJsonOf } from './document.js';
import type { Exchange } from './exchange.js';
import { inflated } from './inflate.js';
import { percentDecoded } from './params.js';

/** A change of the active policies and documents. */
export interface ProposedChange {
  /** Its name in the report. */
  readonly name: string;
  /** The change to an engine without policies, whose documents are those that stay. */
  readonly change: Change;
  /** Paths of documents that do not stay. */
  readonly replaced: readonly (readonly string[])[];
}

/**
 * The draft of a body. A bundle takes the place of all that its roots own, as an active one would;
 * policies and members of data take the place of those with the same names. Rejects with an
 * ApiError or a BundleError.
 */
export async function proposedChange(exchange: Exchange, limits: BodyLimits, engine: Engine): Promise<ProposedChange> {
  const body = await readBody(exchange, limits);
  if (isGzip(body) || isTar(body)) return ofBundle(await bundleOfBody(exchange, body, limits), engine);
  return ofDocument(await jsonOfBody(exchange, limits), engine);
}

/** A body with `Content-Encoding: gzip` is inflated already. */
function isTar(body: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(body.subarray(257, 262)) === 'ustar';
}

async function bundleOfBody(exchange: Exchange, body: Uint8Array, { gzipMaxLength }: BodyLimits): Promise<Bundle> {
  return await inBundleMemory((take) =>
    readArchive(body, {
      limits: { size: gzipMaxLength },
      inflate: async (archive, limit) => (isGzip(archive) ? await inflated(exchange, archive, limit) : archive),
      inSlices: true,
      take,
    }),
  );
}

async function jsonOfBody(exchange: Exchange, limits: BodyLimits): Promise<Value> {
  try {
    return await firstJsonOf(exchange, limits);
  } catch (error) {
    if (error instanceof MalformedBody)
      throw invalidParameter(`the body is neither a bundle nor JSON: ${error.message}`);
    throw error;
  }
}

function ofBundle(bundle: Bundle, engine: Engine): ProposedChange {
  const { roots, revision } = bundle.manifest;
  const stay = engine.policies().filter(({ module }) => !rootsOwn(roots, pathOf(module.package.path)));
  return {
    name: revision === '' ? 'the bundle' : `the bundle ${revision}`,
    change: {
      parsed: new Map(stay.map((record) => [record.id, record])),
      bundles: new Map([['draft', bundle]]),
      bundlesTransferred: true,
    },
    replaced: roots.map((root) =>
      root === '' ? [] : root.split('/').map((segment) => percentDecoded(segment) ?? segment),
    ),
  };
}

function ofDocument(body: Value, engine: Engine): ProposedChange {
  if (body === null || !isObject(body)) throw wrongForm;
  const { policies = {}, data = {}, ...others } = body as PlainObject;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalidParameter(`the body has an unknown member ${JSON.stringify(unknown)}`);
  if (policies === null || !isObject(policies) || data === null || !isObject(data)) throw wrongForm;
  const texts = new Map<string, string>();
  const removed = new Set<string>();
  for (const [id, text] of Object.entries(policies as PlainObject)) {
    if (text === null) removed.add(id);
    else if (isString(text)) texts.set(id, text);
    else throw invalidParameter(`policies[${JSON.stringify(id)}] must be a text, or null where the policy is removed`);
  }
  const stay = engine.policies().filter(({ id }) => !texts.has(id) && !removed.has(id));
  const members = Object.entries(data as PlainObject);
  return {
    name: 'the request',
    change: {
      parsed: new Map(stay.map((record) => [record.id, record])),
      policies: texts,
      data: members.map(([key, value]) => ({ op: 'write', path: [key], value })),
    },
    replaced: members.map(([key]) => [key]),
  };
}

const wrongForm = invalidParameter(
  'the body must be a bundle, or an object with "policies" and "data", which are objects',
);

function pathOf(terms: readonly { readonly type: string; readonly value?: unknown }[]): readonly string[] {
  return terms.slice(1).map(({ value }) => String(value));
}
