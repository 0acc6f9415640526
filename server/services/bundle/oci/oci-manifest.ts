/** Manifests of OCI images, and indexes of several manifests. */
import { ServiceError } from '../../clients/request.js';

interface Descriptor {
  readonly mediaType?: unknown;
  readonly digest?: unknown;
  readonly annotations?: { readonly [name: string]: unknown } | null;
  readonly platform?: { readonly os?: unknown } | null;
}

const singleTypes = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

/** The types of manifests that are read, for the header `Accept`. */
export const manifestTypes: readonly string[] = [
  ...singleTypes,
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];

/**
 * The digests of the images of an index; undefined for a manifest of one image. Throws a
 * ServiceError.
 */
export function imagesIn(manifest: Uint8Array, resource: string): readonly string[] | undefined {
  const { manifests } = objectIn(manifest, resource);
  if (!Array.isArray(manifests)) return undefined;
  // Proofs of origin that build tools add have the platform `unknown`.
  const images = descriptors(manifests).filter(
    ({ mediaType, platform }) => singleTypes.includes(String(mediaType)) && platform?.os !== 'unknown',
  );
  if (images.length === 0) throw new ServiceError(`the index of ${JSON.stringify(resource)} has no manifest`);
  return images.map(({ digest }) => checkedDigest(digest, `the index of ${JSON.stringify(resource)}`));
}

/** The digest of the layer that holds the bundle, if there is one. Throws a ServiceError. */
export function layerIn(manifest: Uint8Array, resource: string): string | undefined {
  const { layers } = objectIn(manifest, resource);
  const typed = (type: RegExp) =>
    descriptors(layers).find(({ mediaType }) => typeof mediaType === 'string' && type.test(mediaType));
  // Tools that push a file without a type call it a tar, however it is compressed.
  const layer = typed(/\.tar[+.]gzip$/) ?? typed(/\.tar$/);
  return layer && checkedDigest(layer.digest, `the manifest of ${JSON.stringify(resource)}`);
}

/** A layer with files of policies. */
export interface PolicyLayer {
  readonly digest: string;
  /** The path of the one file; undefined for an archive of several. */
  readonly path: string | undefined;
}

/** The layers of an image that are files with a name, or archives. Throws a ServiceError. */
export function policyLayersIn(manifest: Uint8Array, resource: string): readonly PolicyLayer[] {
  return descriptors(objectIn(manifest, resource).layers).flatMap(({ mediaType, digest, annotations }) => {
    const title = annotations?.['org.opencontainers.image.title'];
    const isArchive = typeof mediaType === 'string' && /\.tar(?:[+.]gzip)?$/.test(mediaType);
    if (!isArchive && typeof title !== 'string') return [];
    const known = checkedDigest(digest, `the manifest of ${JSON.stringify(resource)}`);
    return [{ digest: known, path: isArchive ? undefined : (title as string) }];
  });
}

function objectIn(text: Uint8Array, resource: string): { readonly layers?: unknown; readonly manifests?: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(text).toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The error is the same as for another value.
  }
  throw new ServiceError(`the manifest of ${JSON.stringify(resource)} is no JSON object`);
}

function descriptors(list: unknown): readonly Descriptor[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'object' && item !== null) : [];
}

function checkedDigest(digest: unknown, where: string): string {
  if (typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest)) return digest;
  throw new ServiceError(`${where} has a digest that is no sha256`);
}
