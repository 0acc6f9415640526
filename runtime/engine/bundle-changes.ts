/** What activating bundles changes: their policies, the documents within their roots, and what `data.system.bundles` says of them. */
import { parseModule } from '../../compiler/syntax/parse.js';
import type { Bundle } from '../bundle/bundle.js';
import { readAt } from '../bundle/documents.js';
import { BundleError } from '../bundle/errors.js';
import { manifestValue, regoVersionOf } from '../bundle/manifest.js';
import { checkOverlap } from '../bundle/merge.js';
import { joinPath } from '../bundle/paths.js';
import { isObject, type PlainObject, type Value } from '../values/value.js';
import { changed, valueAt } from './document-changes.js';
import { type Metrics, timers } from './metrics.js';
import { type DataOperation, PolicyError, type PolicyRecord } from './policy-engine.js';
import type { Language } from './recompile.js';

/** Policies and documents between two versions. */
export interface Draft {
  readonly records: Map<string, PolicyRecord>;
  data: PlainObject;
  readonly bundles: Map<string, Bundle>;
}

/** Activates bundles in a draft. Throws BundleError or CompileErrors. */
export function activate(draft: Draft, bundles: ReadonlyMap<string, Bundle | undefined>, language: Language, metrics?: Metrics): void {
  for (const [name, bundle] of bundles) {
    if (bundle?.patch !== undefined) applyDelta(draft, name, bundle);
    else replace(draft, name, bundle, language, metrics);
  }
  checkOverlap([...draft.bundles].map(([name, bundle]) => ({ name, bundle })));
}

function replace(draft: Draft, name: string, bundle: Bundle | undefined, language: Language, metrics?: Metrics): void {
  const before = draft.bundles.get(name);
  for (const [id, record] of draft.records) if (record.bundle === name) draft.records.delete(id);
  if (before !== undefined) eraseRoots(draft, before);
  draft.data = withoutPath(draft.data, ['system', 'bundles', name]);
  draft.bundles.delete(name);
  if (bundle === undefined) return;
  draft.bundles.set(name, bundle);
  eraseRoots(draft, bundle);
  for (const root of bundle.manifest.roots) {
    const path = rootPath(root);
    const value = readAt(bundle.data, path);
    if (value !== undefined) draft.data = inserted(draft.data, path, value);
  }
  describe(draft, name, bundle);
  for (const file of bundle.modules) {
    const version = regoVersionOf(bundle.manifest, file.bundlePath, language === 'v0' ? 0 : 1);
    const parse = () => parseModule(file.path, file.text, { regoVersion: version === 1 ? 'v1' : 'v0' });
    const module = metrics === undefined ? parse() : metrics.time(timers.moduleParse, parse);
    const id = joinPath(name, file.path);
    draft.records.set(id, { id, raw: file.text, module, bundle: name });
  }
}

/** A delta changes documents of a bundle that is active. */
function applyDelta(draft: Draft, name: string, bundle: Bundle): void {
  const base = draft.bundles.get(name);
  if (base === undefined) throw new BundleError('patch', `delta bundle ${name} has no snapshot to change`);
  const operations = bundle.patch!.map(({ op, path, value }): DataOperation => {
    const segments = path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeSegment);
    if (op === 'remove') return { op, path: segments };
    if (op !== 'upsert' && op !== 'replace') throw new BundleError('patch', `invalid patch operation ${op}`);
    return { op: op === 'upsert' ? 'write' : op, path: segments, value: value ?? null };
  });
  draft.data = changed(draft.data, operations);
  const manifest = { ...base.manifest, revision: bundle.manifest.revision };
  draft.bundles.set(name, { ...base, manifest });
  describe(draft, name, { ...base, manifest });
}

function decodeSegment(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function describe(draft: Draft, name: string, { manifest }: Bundle): void {
  const value: PlainObject = { manifest: manifestValue(manifest), etag: '' };
  draft.data = changed(draft.data, [{ op: 'write', path: ['system', 'bundles', name], value }]);
}

function rootPath(root: string): readonly string[] {
  return root === '' ? [] : root.split('/');
}

/** The engine's own documents stay when a bundle takes everything. */
function eraseRoots(draft: Draft, { manifest }: Bundle): void {
  for (const root of manifest.roots) {
    const path = rootPath(root);
    if (path.length > 0) draft.data = withoutPath(draft.data, path);
    else draft.data = Object.fromEntries(Object.entries(draft.data).filter(([key]) => key === 'system'));
  }
}

function withoutPath(data: PlainObject, path: readonly string[]): PlainObject {
  return valueAt(data, path) === undefined ? data : changed(data, [{ op: 'remove', path }]);
}

/** With a value at a path; at the root its keys join those that are there. */
function inserted(data: PlainObject, path: readonly string[], value: Value): PlainObject {
  if (path.length > 0) {
    try {
      return changed(data, [{ op: 'write', path, value }]);
    } catch (error) {
      if (error instanceof PolicyError) throw new BundleError('conflict', error.message);
      throw error;
    }
  }
  if (!isObject(value)) return data;
  return {
    ...(value as PlainObject),
    ...(data.system !== undefined && { system: mergedSystem(data.system, (value as PlainObject).system) }),
  };
}

function mergedSystem(own: Value, given: Value | undefined): Value {
  return given !== undefined && isObject(given) && isObject(own) ? { ...(given as PlainObject), ...(own as PlainObject) } : own;
}
