/** Bundle → `.tar.gz`. Equal bundles give equal bytes: names are sorted, and there are no times. */
import { packTar } from 'modern-tar';
import { compareStrings, ExactNumber, htmlSafe, quote, toJson, type Value } from '../../values/index.js';
import type { Bundle, PlanFile, SignaturesConfig } from './bundle.js';
import { debugInfoPath } from './bundle-paths.js';
import { isEmptyManifest, manifestJson } from './manifest.js';

/** Compresses with gzip. */
type Deflate = (bytes: Uint8Array) => Promise<Uint8Array>;

/**
 * The bundle as an archive. Plans and modules keep their bytes. Data and manifest are written as by
 * the reference.
 */
export async function writeBundle(bundle: Bundle, deflate: Deflate = deflateByStream): Promise<Uint8Array> {
  const files = bundleFiles(bundle);
  const inOrder = [...files].sort(([a], [b]) => compareStrings(a, b));
  const entries = inOrder.map(([name, body]) => ({
    header: { name, size: body.length, mtime: new Date(0), mode: 0o600, type: 'file' as const, uid: 0, gid: 0 },
    body,
  }));
  const archive = await deflate(await packTar(entries));
  // Extra flags and operating system, which differ between compressors.
  archive[8] = 0;
  archive[9] = 255;
  return archive;
}

/** The files of a bundle by path (`/data.json`), in the order in which they are signed. */
export function bundleFiles(bundle: Bundle): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const encoder = new TextEncoder();
  const put = (path: string, text: string) => files.set(path, encoder.encode(text));
  for (const { bundlePath, bytes } of [...bundle.modules, ...bundle.wasm]) files.set(bundlePath, bytes);
  for (const plan of bundle.plans) {
    files.set(plan.bundlePath, planBytes(plan));
    if (plan.debugInfo !== undefined) files.set(debugInfoPath(plan.bundlePath), plan.debugInfo);
  }
  if (bundle.patch === undefined) put('/data.json', `${htmlSafe(toJson(bundle.data))}\n`);
  else
    put(
      '/patch.json',
      `${htmlSafe(orderedJson({ data: bundle.patch.map(({ op, path, value }) => ({ op, path, value: value ?? null })) }))}\n`,
    );
  if (bundle.signatures !== undefined) put('/.signatures.json', signaturesJson(bundle.signatures));
  if (!isEmptyManifest(bundle.manifest)) put('/.manifest', `${htmlSafe(manifestJson(bundle.manifest))}\n`);
  return files;
}

/** The bytes of a plan: those that were read, or those that it is written as. */
export function planBytes({ bytes, policy }: PlanFile): Uint8Array {
  return bytes ?? new TextEncoder().encode(planJson(policy));
}

function signaturesJson({ signatures, plugin }: SignaturesConfig): string {
  return JSON.stringify(
    { ...(plugin !== undefined && { plugin }), ...(signatures !== undefined && { signatures }) },
    null,
    1,
  );
}

/**
 * As `orderedJson`, but much faster, for values without exact numbers and lone surrogates, as plans
 * mostly are.
 */
function planJson(policy: unknown): string {
  const text = holdsExact(policy) ? undefined : JSON.stringify(policy);
  return text === undefined || text.includes('\\ud') ? orderedJson(policy) : text;
}

function holdsExact(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ExactNumber) return true;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (holdsExact(value[i])) return true;
    return false;
  }
  for (const name in value) if (holdsExact((value as Readonly<Record<string, unknown>>)[name])) return true;
  return false;
}

/** JSON with fields in their own order, as people read plans. Exact numbers keep their digits. */
function orderedJson(value: unknown): string {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return toJson(value as Value);
  if (Array.isArray(value)) return `[${value.map(orderedJson).join(',')}]`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${quote(name)}:${orderedJson(field)}`).join(',')}}`;
}

/** Compresses by the platform's stream. */
const deflateByStream: Deflate = async (bytes) => {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};
