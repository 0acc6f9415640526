/** The section `storage` of a configuration. */
import { join } from 'node:path';
import { ConfigError, type ConfigSection } from '../services/config/config-section.js';

export interface PostgresConfig {
  readonly url: string;
  readonly schema: string;
  readonly maxConnections: number;
  /** Where the last snapshot is kept, to start without the database. Undefined keeps none. */
  readonly snapshotDirectory: string | undefined;
}

interface FileConfig {
  readonly directory: string;
  /** Whether a missing directory is made. */
  readonly create: boolean;
}

export interface StorageConfig {
  /** Undefined for writes that only memory has. */
  readonly log: { readonly postgres: PostgresConfig } | { readonly file: FileConfig } | undefined;
  /** Whether writes may change what is within the roots of bundles. */
  readonly amendsBundles: boolean;
  readonly snapshotEvery: number;
  readonly maxLagSeconds: number;
  readonly maxWaitSeconds: number;
  /** Keys of the reference that change nothing. */
  readonly effectless: readonly string[];
}

const defaults = { snapshotEvery: 1000, maxLagSeconds: 30, maxWaitSeconds: 5, maxConnections: 4 } as const;

/** Throws a ConfigError. */
export function parseStorage(root: ConfigSection): StorageConfig {
  const section = root.section('storage');
  const kinds = ['postgres', 'file', 'disk'].filter((kind) => section?.has(kind) === true);
  if (kinds.length > 1) throw new ConfigError(`storage: ${kinds.join(' and ')} exclude each other`);
  const [kind] = kinds;
  return {
    log:
      kind === undefined || section === undefined
        ? undefined
        : kind === 'postgres'
          ? { postgres: postgresOf(section) }
          : { file: fileOf(section, kind) },
    amendsBundles: section?.boolean('amend_bundles') ?? false,
    snapshotEvery: section?.positive('snapshot_every') ?? defaults.snapshotEvery,
    maxLagSeconds: section?.number('max_lag_seconds') ?? defaults.maxLagSeconds,
    maxWaitSeconds: section?.number('max_wait_seconds') ?? defaults.maxWaitSeconds,
    effectless: ['partitions', 'badger']
      .filter((key) => section?.section('disk')?.has(key) === true)
      .map((key) => `storage.disk.${key}`),
  };
}

function postgresOf(section: ConfigSection): PostgresConfig {
  const postgres = section.section('postgres')!;
  const url = postgres.string('url') ?? '';
  if (!/^postgres(ql)?:\/\//.test(url) && !url.startsWith('socket:'))
    throw new ConfigError('storage.postgres.url: must be a URL as postgres://user@host:5432/database');
  // Otherwise a part of the password would be read, and shown, as the host or the database.
  const isMistaken = /^[a-z]+:\/\/[^/?#]*[/?#].*@/s.test(url) || /^socket:(?!\/)/.test(url);
  // As the driver takes it, the host may be missing.
  if (isMistaken || !URL.canParse(url.replace('@/', '@-/')))
    throw new ConfigError(
      'storage.postgres.url: "/", "?", "#" and "@" in user, password and parameters must be percent-encoded',
    );
  const schema = postgres.string('schema') ?? 'writ';
  // Other names would have to be quoted wherever people type them.
  if (!/^[a-z_][a-z0-9_]{0,50}$/.test(schema))
    throw new ConfigError('storage.postgres.schema: must be a lower-case name of letters, digits and "_"');
  return {
    url,
    schema,
    maxConnections: postgres.positive('max_connections') ?? defaults.maxConnections,
    snapshotDirectory: postgres.string('snapshot_directory'),
  };
}

/** The reference makes a missing directory only where `auto_create` says so. */
function fileOf(section: ConfigSection, kind: string): FileConfig {
  const file = section.section(kind)!;
  const directory = file.string('directory') ?? '';
  if (directory === '') throw new ConfigError(`storage.${kind}.directory: must be set`);
  return { directory: join(directory), create: file.boolean('auto_create') ?? kind === 'file' };
}
