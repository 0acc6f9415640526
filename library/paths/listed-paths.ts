/** The paths of a library's engine that have an answer. */
import { annotatedEntrypoints } from '../../compiler/index.js';
import { type Engine, partOf, type Version } from '../../engine/index.js';
import type { LibraryBundles } from '../sources/library-bundles.js';
import { documentPathText, segmentsOf } from './document-path.js';

/** The segments of a path. An entrypoint may be asked for by its name as it is. */
export function segmentsIn({ plans }: Version, path: string): readonly string[] {
  return plans.get(path) === undefined ? segmentsOf(path) : path.split('/');
}

/** Entrypoints of plans, and rules that annotations name. */
export function entrypointsOf(engine: Engine, bundles: LibraryBundles): readonly string[] {
  const { plans, policies } = engine.version;
  if (policies === undefined) return plans.names;
  // Once policies are compiled, a bundle's policies answer instead of its plan.
  const answered = bundles.planNames.filter((name) => isDefined(engine, name));
  const annotated = annotatedEntrypoints(engine.policies().map(({ module }) => module));
  return [...new Set([...plans.names, ...answered, ...annotated.map(({ path }) => documentPathText(path))])];
}

/** Entrypoints of plans, and rules of policies but functions. */
export function rulesOf({ plans, policies }: Version): readonly string[] {
  return [...new Set([...plans.names, ...(policies?.atOnce?.rules().map(documentPathText) ?? [])])];
}

/** Whether a rule, an entrypoint or a document is at a path, above or below it. */
export function isDefined({ version, store }: Engine, path: string): boolean {
  const { plans, policies } = version;
  const segments = segmentsIn(version, path);
  if (plans.has(segments) || segments.length === 0) return true;
  return policies?.atOnce?.answers(segments) === true || partOf(store.root, segments) !== undefined;
}
