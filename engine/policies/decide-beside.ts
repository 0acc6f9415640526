/** Decisions from the policies beside a plan: it may have no entrypoint for them. */

import type { Compiled } from '../../compiler/index.js';
import type { EngineContext, EvaluationOptions } from '../../runtime/index.js';
import { builtins, lookup, type Value, withDeclared } from '../../values/index.js';
import { evaluateAsync, type GivenDocuments } from '../evaluation/evaluate.js';
import { partOf } from '../paths/path-parts.js';
import { Programs } from './programs.js';

/** Each request asks for the same few paths: what is planned is kept with the policies. */
const known = new WeakMap<Compiled, Programs>();

/** The value at a path. Rejects with CompileErrors where a function is, and as evaluations do. */
export async function decideBeside(
  compiled: Compiled,
  path: readonly string[],
  documents: GivenDocuments,
  context: EngineContext,
  options: EvaluationOptions,
): Promise<Value | undefined> {
  const program = await programsOf(compiled).forPath(path);
  if (program === undefined) return partOf(documents.data, path);
  const [found] = await evaluateAsync(program.target, documents, context, options);
  return found === undefined ? undefined : partOf(lookup(found, 'result'), program.rest);
}

/** Their programs, planned as they are asked for. */
export function programsOf(compiled: Compiled): Programs {
  let programs = known.get(compiled);
  if (programs === undefined) {
    const { options } = compiled;
    const available = withDeclared(options.builtins ?? builtins, options.capabilities);
    known.set(compiled, (programs = new Programs(compiled, { builtins: available, language: 'v1' })));
  }
  return programs;
}
