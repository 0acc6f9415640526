/** The policies that a document is made of, where they are read rather than run. */
import type { Compiled } from '../../compiler/index.js';
import type { Engine } from '../engine.js';
import type { Version } from '../version.js';

/** Finds the policies of a path where a plan answers it. */
export type SourcesBeside = () => Promise<Compiled | undefined>;

/** The policies that answer a path; undefined where only a plan answers it. */
export async function sourcesOf(
  engine: Engine,
  { plans, policies }: Version,
  path: readonly string[],
  beside?: SourcesBeside,
): Promise<Compiled | undefined> {
  if (plans.size > 0 && plans.ask(path).targets.length > 0) return await beside?.();
  return policies === undefined ? await engine.compiled() : await policies.compiled();
}
