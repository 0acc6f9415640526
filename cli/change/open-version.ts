/** Opens versions: folders, bundles, plans, policies, revisions of git. */

import type { CompileCapabilities } from '../../compiler/index.js';
import { type Platform, readFiles } from '../../engine/index.js';
import { readBundle, readBytes, readPolicyFile } from '../../engine/node.js';
import { engineOf, LibraryEngine, type Source, sourcesBeside } from '../../library/parts.js';
import { type PlainObject, textOfFile } from '../../values/index.js';
import { nodeHost } from '../../values/node.js';
import type { PolicyVersion } from '../../views/index.js';
import { gitFiles, gitPlaceOf } from './git-files.js';

/** A version, with the entrypoints that its plans and annotations name. */
export interface OpenedVersion extends PolicyVersion {
  readonly library: LibraryEngine;
  readonly entrypoints: readonly string[];
}

export interface VersionOptions {
  /** Documents beside those of the version. */
  readonly data?: PlainObject | undefined;
  /** Documents in the place of those of the version, and of `data`. */
  readonly documents?: PlainObject | undefined;
  readonly regoVersion?: 'v0' | 'v1';
  readonly capabilities?: CompileCapabilities | undefined;
  readonly ignore?: readonly string[];
  readonly onWarning?: (warning: string) => void;
}

/** Opens a version. Rejects with an Error that names the fault. */
export async function openVersion(given: string, options: VersionOptions): Promise<OpenedVersion> {
  const { data, ignore = [], onWarning, regoVersion = 'v1', capabilities } = options;
  const platform: Platform = {
    host: nodeHost,
    readBundle,
    readBytes: (bytes) => readBytes(given, bytes),
    readPolicy: readPolicyFile,
    ...(onWarning && { onWarning }),
  };
  const source = await sourceOf(given, ignore);
  const { documents } = options;
  const library = await LibraryEngine.open(
    data === undefined || documents !== undefined ? [source] : [source, { data }],
    {
      platform,
      regoVersion,
      ignore,
      ...(capabilities && { capabilities }),
    },
  );
  if (documents !== undefined) await library.setData('', documents);
  return {
    name: given,
    engine: engineOf(library),
    beside: sourcesBeside(library),
    library,
    entrypoints: library.entrypoints,
  };
}

async function sourceOf(given: string, ignore: readonly string[]): Promise<Source> {
  const place = gitPlaceOf(given);
  if (place === undefined) return given;
  const files = gitFiles(place, ignore);
  const [first] = files;
  if (first?.name !== '') return await readFiles(files, { baseDir: given });
  if (place.path.endsWith('.rego')) return { policies: { [given]: textOfFile(first.bytes) } };
  return await readBytes(given, first.bytes);
}
