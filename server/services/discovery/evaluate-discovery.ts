/** The configuration that the policies and documents of a bundle make. */

import type { Bundle } from '../../../engine/index.js';
import { createContext, Engine } from '../../../engine/index.js';
import { isDocumentObject } from '../../../runtime/index.js';
import { type PlainObject, parseJson, toJson, typeName, type Value } from '../../../values/index.js';
import { nodeHost } from '../../../values/node.js';
import { ConfigError } from '../config/config-section.js';
import { objectWithEnvironment } from '../config/environment-variables.js';

/**
 * Evaluates a document in an engine of its own, and replaces `${NAME}` in its texts from the
 * environment, as in a configuration that is read from a file. Rejects with a ConfigError for a
 * document that is no object, or with the errors of policies.
 * @param runtime the result of `opa.runtime()`
 */
export async function discoveredConfig(
  bundle: Bundle,
  decision: readonly string[],
  runtime: Value,
): Promise<PlainObject> {
  const engine = new Engine({ context: createContext({ host: nodeHost }, { runtime: runtime as PlainObject }) });
  await engine.commit({ bundles: new Map([['discovery', bundle]]) }, { ignoreRoots: true });
  // A copy: the value is the engine's.
  const { value } = await engine.decide(decision, undefined, { strictBuiltinErrors: true });
  if (value === undefined)
    throw new ConfigError(`discovery: the document ${['data', ...decision].join('.')} is undefined`);
  const document = parseJson(toJson(value));
  if (!isDocumentObject(document))
    throw new ConfigError(`discovery: the configuration must be an object but is ${typeName(document)}`);
  const config = objectWithEnvironment(document, process.env);
  if (decision.length > 0) return config;
  return Object.fromEntries(Object.entries(config).filter(([key]) => key !== 'system'));
}
