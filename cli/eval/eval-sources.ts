/** Loads the sources of `eval`: bundles, loose files, the input. */

import { readFileSync } from 'node:fs';
import type { CompileCapabilities } from '../../compiler/index.js';
import { type Bundle, emptyBundle, mergeBundles, mergeDocuments, type NamedBundle } from '../../engine/index.js';
import { filePath, type LoadedFiles, readBundle } from '../../engine/node.js';
import { lenientTextOfFile, parseJsonOrYaml, textOfFile, type Value } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import { CommandError, exitCodes } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { distinctPaths } from '../load-policies.js';
import type { Timers } from './timers.js';

/**
 * The sources that the flags name: merged into one bundle, and separately, with unparsed policies.
 */
export interface EvalSources {
  readonly bundle: Bundle;
  readonly bundles: readonly NamedBundle[];
  readonly loose: LoadedFiles | undefined;
}

/** Rejects with a BundleError or a LoadError. */
export async function loadSources(flags: FlagValues, timers: Timers): Promise<EvalSources> {
  const ignore = flags.all('ignore');
  const paths = distinctPaths(flags.all('bundle'));
  let bundle = emptyBundle;
  let bundles: readonly NamedBundle[] = [];
  if (paths.length > 0) {
    bundle = await timers.time('rego_load_bundles', async () => {
      try {
        bundles = await Promise.all(paths.map(async (name) => ({ name, bundle: await readBundle(name, { ignore }) })));
        return mergeBundles(bundles);
      } catch (error) {
        throw new Error(`loading error: ${(error as Error).message}`, { cause: error });
      }
    });
  }
  let loose: LoadedFiles | undefined;
  if (flags.has('data')) {
    loose = await timers.time('rego_load_files', async () =>
      (await import('../../engine/bundle/disk/load-files.js')).loadFiles(flags.all('data'), ignore),
    );
    if (loose.dataParseMs !== undefined) timers.add('timer_rego_data_parse_ns', Math.round(loose.dataParseMs * 1e6));
    const data = mergeDocuments(bundle.data, loose.data);
    if (data === undefined) throw new Error('data files and bundles define the same documents');
    bundle = { ...bundle, data, plans: [...bundle.plans, ...loose.plans] };
  }
  return { bundle, bundles, loose };
}

/** The input document, undefined if none is given. Throws a CommandError. */
export async function readInput(flags: FlagValues, io: Io): Promise<Value | undefined> {
  const path = flags.text('input');
  if (flags.on('stdin-input')) return parseInput(io.stdin());
  return path === undefined || path === '' ? undefined : parseInput(readInputFile(path));
}

function readInputFile(given: string): Uint8Array {
  let path = given;
  try {
    path = filePath(given);
    return readFileSync(path);
  } catch (error) {
    const isSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw new CommandError(
      isSystem ? `open ${path}: ${systemProblem(error)}` : (error as Error).message,
      exitCodes.evaluationError,
    );
  }
}

/** Parses JSON, or YAML if the text is not JSON. */
async function parseInput(bytes: Uint8Array): Promise<Value> {
  try {
    return await parseJsonOrYaml(lenientTextOfFile(bytes), textOfFile(bytes));
  } catch (error) {
    throw new CommandError(`unable to parse input: ${(error as Error).message}`, exitCodes.evaluationError);
  }
}

/** Throws an Error if a plan calls a built-in that is not allowed. */
export function checkCapabilities(bundle: Bundle, capabilities: CompileCapabilities): void {
  const allowed = new Set((capabilities.builtins ?? []).map(({ name }) => name));
  for (const { policy, path } of bundle.plans) {
    const called = (policy as { static?: { builtin_funcs?: unknown } } | null)?.static?.builtin_funcs;
    for (const row of Array.isArray(called) ? (called as unknown[]) : []) {
      const name = (row as { name?: unknown } | null)?.name;
      if (typeof name === 'string' && !allowed.has(name)) throw new Error(`${path}: undefined function ${name}`);
    }
  }
}
