/** One file without a bundle: its extension, or its text, says which kind it is. */

import type { Value } from '../../../values/index.js';
import {
  JsonError,
  jsonPlace,
  lenientTextOfFile,
  parseJson,
  parseJsonOrYaml,
  textOfFile,
} from '../../../values/index.js';
import type { ModuleFile } from '../bundle.js';
import { packagePathIn } from '../package-path.js';

/** The content of a file. */
type LooseFile = { readonly module: ModuleFile } | { readonly document: Value };

/**
 * Reads a file by its extension, undefined where the extension is none of ours. Rejects with an
 * Error that names the file.
 */
export async function looseFile(path: string, bytes: Uint8Array): Promise<LooseFile | undefined> {
  if (path.endsWith('.json')) return { document: json(path, lenientTextOfFile(bytes)) };
  if (path.endsWith('.yaml') || path.endsWith('.yml')) return { document: await yaml(path, textOfFile(bytes)) };
  if (path.endsWith('.rego')) return { module: moduleAt(path, textOfFile(bytes), bytes) };
  return undefined;
}

/** Reads a file of any name: a policy, JSON or YAML. Rejects with an Error that names the file. */
export async function fileOfAnyKind(path: string, bytes: Uint8Array): Promise<LooseFile> {
  const text = textOfFile(bytes);
  if (packagePathIn(text) !== undefined) return { module: moduleAt(path, text, bytes) };
  try {
    return { document: await parseJsonOrYaml(lenientTextOfFile(bytes), text) };
  } catch (error) {
    throw new Error(`${path}: ${error instanceof JsonError ? error.message : "can't recognize file type"}`, {
      cause: error,
    });
  }
}

/** A module that stands alone. */
export function moduleAt(path: string, text: string, bytes: Uint8Array): ModuleFile {
  return { path, url: path, bundlePath: path, text, bytes };
}

function json(path: string, text: string): Value {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`${jsonPlace(path, text)}: ${(error as Error).message}`, { cause: error });
  }
}

async function yaml(path: string, text: string): Promise<Value> {
  const { parseYaml } = await import('../../../values/yaml/yaml.js');
  try {
    return parseYaml(text);
  } catch (error) {
    throw new Error(`${path}: error converting YAML to JSON: ${(error as Error).message}`, { cause: error });
  }
}
