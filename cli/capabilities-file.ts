/** Capabilities named on the command line: a file, or a release of the reference. */

import { readFileSync } from 'node:fs';
import { filePath } from '../engine/node.js';
import type { PlainObject, Value } from '../values/index.js';
import { capabilitiesVersion, isArray, isObject, lenientTextOfFile, parseJson } from '../values/index.js';
import { systemProblem } from '../values/node.js';
import { CommandError } from './exit.js';

/** The capabilities in a file, as a document. Throws a CommandError. */
export function readCapabilities(path: string): PlainObject {
  let text: string;
  try {
    text = lenientTextOfFile(readFileSync(filePath(path)));
  } catch (error) {
    throw new CommandError(`open ${path}: ${systemProblem(error)}`);
  }
  let document: Value;
  try {
    document = parseJson(text);
  } catch (error) {
    throw new CommandError(`${path}: ${(error as Error).message}`);
  }
  if (!isObject(document)) throw new CommandError(`${path}: capabilities must be an object`);
  const { builtins } = document as PlainObject;
  if (builtins !== undefined && builtins !== null && !(isArray(builtins) && builtins.every(hasName))) {
    throw new CommandError(`${path}: builtins must be an array of objects with a name`);
  }
  const { allow_net: allowNet, ...rest } = document as PlainObject;
  if (allowNet === undefined || allowNet === null) return rest;
  if (!isArray(allowNet) || !allowNet.every((host) => typeof host === 'string')) {
    throw new CommandError(`${path}: allow_net must be an array of strings`);
  }
  return document as PlainObject;
}

function hasName(value: Value): boolean {
  return isObject(value) && typeof (value as PlainObject).name === 'string';
}

/** The capabilities of this release. */
export async function currentCapabilities(regoVersion: 0 | 1 = 1): Promise<PlainObject> {
  return (await releaseDocument(capabilitiesVersion, regoVersion))!;
}

/** The capabilities of a release; undefined if it is not known. */
export async function releaseDocument(version: string, regoVersion: 0 | 1): Promise<PlainObject | undefined> {
  const { releaseCapabilities } = await import('../values/builtins/releases.js');
  const found = releaseCapabilities(version, regoVersion);
  return found && (JSON.parse(JSON.stringify(found)) as PlainObject);
}

/** The capabilities of a file, or of a release by its version. Rejects with a CommandError. */
export async function namedCapabilities(fileOrVersion: string, regoVersion: 0 | 1): Promise<PlainObject> {
  try {
    return readCapabilities(fileOrVersion);
  } catch (error) {
    if (!/no such file/.test((error as Error).message)) throw error;
    const found = await releaseDocument(fileOrVersion, regoVersion);
    if (found !== undefined) return found;
    throw new CommandError(
      `no such file or capabilities version found: ${fileOrVersion} (writ capabilities lists the versions)`,
    );
  }
}
