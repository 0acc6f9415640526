/** A version of policies and data, as a change compares two of them. */
import type { Engine, SourcesBeside } from '../../engine/index.js';

export interface PolicyVersion {
  /** The path of the version, or another text that names it. */
  readonly name: string;
  readonly engine: Engine;
  /** The policies of bundles whose plans answer, for explanations. */
  readonly beside?: SourcesBeside | undefined;
}

export interface VersionPair {
  readonly old: PolicyVersion;
  readonly new: PolicyVersion;
}

/** The segments of an event's path or an entrypoint. A name of a plan is taken as it is. */
export function segmentsFor({ engine }: PolicyVersion, path: string): readonly string[] {
  if (engine.version.plans.get(path) !== undefined) return path.split('/');
  return path.split('/').filter((segment) => segment !== '');
}

/** Whether one of two versions has a rule, a plan or a document at a path. */
export function versionsAnswer(pair: VersionPair, path: string): boolean {
  return [pair.old, pair.new].some((version) => answersPath(version, segmentsFor(version, path)));
}

/** Whether a rule, a plan or a document is at a path, above it or below it. */
function answersPath({ engine }: PolicyVersion, path: readonly string[]): boolean {
  const { plans, policies } = engine.version;
  if (path.length === 0 || plans.has(path)) return true;
  return policies?.programs.mayMeetRules([path]) === true || engine.readData(path) !== undefined;
}
