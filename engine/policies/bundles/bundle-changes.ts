/**
 * Activates bundles: their policies, the documents within their roots, and their entries in
 * `data.system.bundles`.
 */

import type { Module } from '../../../compiler/index.js';
import { type DataOperation, StoreError, type Transaction } from '../../../runtime/index.js';
import type { PlainObject, Steps, Value } from '../../../values/index.js';
import { isArray, isObject, unescapedSegment, visitSteps } from '../../../values/index.js';
import type { Bundle, ModuleFile } from '../../bundle/bundle.js';
import { BundleError } from '../../bundle/bundle-error.js';
import { policyName, trimSlashes } from '../../bundle/bundle-paths.js';
import { readAt } from '../../bundle/data-trees.js';
import { manifestValue } from '../../bundle/manifest.js';
import { checkOverlap, type NamedBundle } from '../../bundle/merge-bundles.js';
import { rootsContain } from '../../bundle/roots.js';
import { type Metrics, timers } from '../../evaluation/metrics.js';
import type { PolicyRecord } from '../../version.js';
import type { Reading } from '../language.js';
import { type PolicyDraft, policyId } from '../policy-draft.js';
import { BundlePolicy, moduleVersion, parseBundleModuleSteps } from './bundle-modules.js';
import { isWithin } from './bundle-roots.js';
import { checkWasmRules } from './wasm-check.js';

/** Policies and documents between two versions. */
export interface Draft {
  readonly records: PolicyDraft;
  readonly documents: Transaction;
  /** The bundles without their documents, which change, and their files. */
  readonly bundles: Map<string, Bundle>;
  /** Whether the store may write into the bundles' documents from now on. */
  readonly transferred: boolean;
}

/**
 * Activates bundles in a draft, in steps. A bundle owns its roots: whatever is there goes, unless
 * another part of the same change writes it later. Throws BundleError or CompileErrors.
 */
export function* applyBundles(draft: Draft, bundles: Bundles, reading: Reading, metrics?: Metrics): Steps {
  const whole = new Map([...bundles].filter(([, bundle]) => bundle?.patch === undefined));
  // All before any is written: a root may pass from one bundle to another.
  const former = erase(draft, whole);
  yield;
  for (const [name, bundle] of whole) {
    if (bundle !== undefined) yield* insertBundle(draft, { name, bundle }, former, reading, metrics);
  }
  for (const [name, bundle] of bundles)
    if (bundle?.patch !== undefined) yield* applyDelta(draft, name, bundle, bundle.patch);
  checkOverlap([...draft.bundles].map(([name, bundle]) => ({ name, bundle })));
}

type Bundles = ReadonlyMap<string, Bundle | undefined>;

/**
 * Erases the former versions of bundles, and all policies and documents within the roots that these
 * had or will have. Returns the erased policies. Those of other bundles stay: roots that overlap
 * are refused.
 */
function erase(draft: Draft, bundles: Bundles): ReadonlyMap<string, PolicyRecord> {
  const roots = new Set<string>();
  for (const [name, bundle] of bundles) {
    for (const { manifest } of [draft.bundles.get(name), bundle].filter((one) => one !== undefined)) {
      for (const root of manifest.roots) roots.add(root);
    }
  }
  const erased = new Map<string, PolicyRecord>();
  for (const [id, record] of draft.records.all()) {
    const goes = record.bundle === undefined ? isWithin(record, [...roots]) : bundles.has(record.bundle);
    if (goes) erased.set(id, record);
  }
  for (const id of erased.keys()) draft.records.delete(id);
  for (const root of roots) eraseRoot(draft, root);
  for (const name of bundles.keys()) {
    remove(draft, ['system', 'bundles', name]);
    draft.bundles.delete(name);
  }
  return erased;
}

function* insertBundle(
  draft: Draft,
  { name, bundle }: NamedBundle,
  former: ReadonlyMap<string, PolicyRecord>,
  reading: Reading,
  metrics: Metrics | undefined,
): Steps {
  draft.bundles.set(name, { ...bundle, data: {}, files: new Map() });
  for (const root of bundle.manifest.roots) {
    const path = rootPath(root);
    const value = readAt(bundle.data, path);
    // One without documents may share its empty object with others of the kind.
    const isEmpty = path.length === 0 && Object.keys(bundle.data).length === 0;
    if (value !== undefined && !isEmpty) insert(draft, path, value);
  }
  describe(draft, name, bundle);
  yield;
  const modules: Module[] = [];
  for (const file of bundle.modules) {
    const version = moduleVersion(bundle, file, reading);
    const parse = () => parseTimed(file, version, reading, metrics);
    const id = policyId(policyName(name, file.path));
    const known = former.get(id);
    const isSame =
      known instanceof BundlePolicy &&
      known.bundle === name &&
      known.raw === file.text &&
      known.regoVersion === version;
    const record = isSame ? known : new BundlePolicy(id, file.text, name, version, parse);
    draft.records.set(id, record);
    if (bundle.manifest.wasm.length > 0) modules.push(yield* record.moduleSteps());
    yield;
  }
  checkWasmRules(bundle.manifest.wasm, modules);
}

function parseTimed(file: ModuleFile, version: 0 | 1, reading: Reading, metrics: Metrics | undefined): Steps<Module> {
  const parsing = parseBundleModuleSteps(file, version, reading);
  return metrics?.timeSteps(timers.moduleParse, parsing) ?? parsing;
}

/** Operations of a delta in one step: less than a millisecond. */
const operationsPerStep = 64;

/** A delta changes documents of a bundle that is active. */
function* applyDelta(draft: Draft, name: string, bundle: Bundle, patch: NonNullable<Bundle['patch']>): Steps {
  const base = draft.bundles.get(name);
  if (base === undefined) throw new BundleError('patch', `delta bundle ${name} has no snapshot to change`);
  checkRoots(name, base, bundle);
  const operations = patch.map(({ op, path, value }): DataOperation => {
    checkPlace(name, base, path);
    const segments = path
      .split('/')
      .filter((segment) => segment !== '')
      .map(unescapedSegment);
    if (op === 'remove') return { op, path: segments };
    if (op !== 'upsert' && op !== 'replace') throw new BundleError('patch', `invalid patch operation ${op}`);
    return { op: op === 'upsert' ? 'write' : op, path: segments, value: value ?? null, transferred: draft.transferred };
  });
  yield* visitSteps(operations, operationsPerStep, (operation) => draft.documents.write(inArray(draft, operation)));
  const manifest = { ...base.manifest, revision: bundle.manifest.revision };
  draft.bundles.set(name, { ...base, manifest });
  describe(draft, name, { ...bundle, manifest });
}

/** A delta changes the bundle whose roots its manifest names: none are all. */
function checkRoots(name: string, before: Bundle, delta: Bundle): void {
  const [is, wants] = [before, delta].map(({ manifest }) => manifest.roots.toSorted().join(' '));
  if (is === wants) return;
  throw new BundleError(
    'roots',
    `delta bundle '${name}' has wasm resolvers or manifest roots that are different from those in the store: [${wants}], not [${is}]`,
  );
}

function checkPlace(name: string, { manifest }: Bundle, path: string): void {
  if (rootsContain(manifest.roots, trimSlashes(path))) return;
  throw new BundleError(
    'roots',
    `delta bundle ${name}: path '${path}' is outside of the roots [${manifest.roots.join(' ')}] of the bundle`,
  );
}

/** An element is inserted into an array, or appended at `-`; elsewhere missing objects are made. */
function inArray({ documents }: Draft, operation: DataOperation): DataOperation {
  if (operation.op !== 'write' || operation.path.length === 0) return operation;
  let parent: Value;
  try {
    parent = documents.read(operation.path.slice(0, -1));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return operation;
  }
  return isArray(parent) ? { ...operation, op: 'add' } : operation;
}

function describe(draft: Draft, name: string, { manifest, etag = '' }: Bundle): void {
  const value: PlainObject = { manifest: manifestValue(manifest), etag };
  draft.documents.write({ op: 'write', path: ['system', 'bundles', name], value, transferred: true });
}

function rootPath(root: string): readonly string[] {
  return root === '' ? [] : root.split('/');
}

function eraseRoot(draft: Draft, root: string): void {
  const path = rootPath(root);
  if (path.length > 0) remove(draft, path);
  else replaceRoot(draft, {});
}

/**
 * The engine's own documents in `data.system` stay when a bundle owns the whole of `data`, and the
 * bundle's are ignored. They are written again one by one: a new root made of the old one's parts
 * would be a document that the store does not own.
 */
function replaceRoot({ documents, transferred }: Draft, value: PlainObject): void {
  const before = readAt(documents.read([]) as PlainObject, ['system']);
  const own = readAt(value, ['system']);
  documents.write({ op: 'write', path: [], value, transferred });
  if (before === undefined) return;
  if (own === undefined || !isObject(own) || !isObject(before)) {
    documents.write({ op: 'write', path: ['system'], value: before, transferred: true });
    return;
  }
  for (const [key, document] of Object.entries(before as PlainObject)) {
    documents.write({ op: 'write', path: ['system', key], value: document, transferred: true });
  }
}

function remove({ documents }: Draft, path: readonly string[]): void {
  try {
    documents.write({ op: 'remove', path });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Puts a value at a path. */
function insert(draft: Draft, path: readonly string[], value: Value): void {
  const { documents, transferred } = draft;
  try {
    if (path.length > 0) documents.write({ op: 'write', path, value, transferred });
    else if (isObject(value)) replaceRoot(draft, value as PlainObject);
  } catch (error) {
    if (error instanceof StoreError) throw new BundleError('conflict', error.message);
    throw error;
  }
}
