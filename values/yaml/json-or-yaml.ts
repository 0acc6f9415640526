/** Documents that may be JSON or YAML. */

import { parseJson } from '../json/json.js';
import type { Value } from '../value.js';
import { YamlError } from './yaml-error.js';

/** A text that begins like this is meant as JSON, or as YAML that is written like it. */
const jsonStart = /^\ufeff?\s*[[{]/;

/**
 * The value of a JSON text, or of a YAML text. The YAML reader is loaded only for what is no JSON.
 * Rejects with a YamlError; of brackets that nest too deeply for YAML, with the JsonError.
 *
 * @param yaml the same text with the bytes that are no UTF-8, which YAML refuses
 */
export async function parseJsonOrYaml(text: string, yaml = text): Promise<Value> {
  try {
    return parseJson(text);
  } catch (jsonError) {
    const { parseYaml } = await import('./yaml.js');
    try {
      return parseYaml(yaml);
    } catch (error) {
      throw error instanceof YamlError && error.isTooDeep && jsonStart.test(text) ? jsonError : error;
    }
  }
}
