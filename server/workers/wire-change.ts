/** Changes of an engine as messages: documents are JSON text, in which no digit is lost. */

import type { Bundle, Change } from '../../engine/index.js';
import type { DataOperation } from '../../runtime/index.js';
import { type PlainObject, parseJson, toJson, type Value } from '../../values/index.js';

interface WireOperation {
  readonly op: DataOperation['op'];
  readonly path: readonly string[];
  /** JSON; undefined for `remove`. */
  readonly value: string | undefined;
}

/** A bundle without its files. */
interface WireBundle extends Omit<Bundle, 'data' | 'files' | 'plans' | 'patch' | 'wasm' | 'modules'> {
  readonly data: string;
  /** The metadata of the manifest. */
  readonly metadata: string | undefined;
  readonly modules: readonly Omit<Bundle['modules'][number], 'bytes'>[];
  readonly plans: readonly (Omit<Bundle['plans'][number], 'policy' | 'bytes'> & { readonly policy: string })[];
  readonly patch:
    | readonly { readonly op: string; readonly path: string; readonly value: string | undefined }[]
    | undefined;
}

export interface WireChange {
  readonly policies: ReadonlyMap<string, string | undefined>;
  readonly files: ReadonlyMap<string, string>;
  readonly data: readonly WireOperation[];
  readonly bundles: ReadonlyMap<string, WireBundle | undefined> | undefined;
  /** The revision of the version after the change. */
  readonly revision: number;
}

export function toWire(
  { policies = new Map(), files = new Map(), data = [], bundles }: Change,
  revision: number,
): WireChange {
  return {
    policies,
    files,
    data: data.map((operation) => ({
      op: operation.op,
      path: operation.path,
      value: operation.op === 'remove' ? undefined : toJson(operation.value),
    })),
    bundles: bundles && new Map([...bundles].map(([name, bundle]) => [name, bundle && bundleToWire(bundle)])),
    revision,
  };
}

export function fromWire({ policies, files, data, bundles }: Omit<WireChange, 'revision'>): Change {
  return {
    policies,
    files,
    data: data.map(operationFromWire),
    ...(bundles && {
      bundles: new Map([...bundles].map(([name, bundle]) => [name, bundle && bundleFromWire(bundle)])),
    }),
    bundlesTransferred: true,
  };
}

function operationFromWire({ op, path, value }: WireOperation): DataOperation {
  return op === 'remove' ? { op, path } : { op, path, value: parseJson(value!), transferred: true };
}

function bundleToWire({
  manifest,
  data,
  files: _files,
  wasm: _wasm,
  modules,
  plans,
  patch,
  ...rest
}: Bundle): WireBundle {
  const { metadata, ...plain } = manifest;
  return {
    ...rest,
    manifest: plain,
    metadata: metadata && toJson(metadata),
    data: toJson(data),
    modules: modules.map(({ bytes: _bytes, ...module }) => module),
    plans: plans.map(({ policy, bytes: _bytes, ...place }) => ({ ...place, policy: toJson(policy as Value) })),
    patch: patch?.map(({ op, path, value }) => ({ op, path, value: value === undefined ? undefined : toJson(value) })),
  };
}

function bundleFromWire({ manifest, metadata, data, modules, plans, patch, ...rest }: WireBundle): Bundle {
  return {
    ...rest,
    manifest: { ...manifest, ...(metadata !== undefined && { metadata: parseJson(metadata) as PlainObject }) },
    data: parseJson(data) as PlainObject,
    modules: modules.map((module) => ({ ...module, bytes: new Uint8Array() })),
    plans: plans.map(({ policy, ...place }) => ({ ...place, policy: parseJson(policy) })),
    patch: patch?.map(({ op, path, value }) => ({
      op,
      path,
      value: value === undefined ? undefined : parseJson(value),
    })),
    wasm: [],
    files: new Map(),
  };
}
