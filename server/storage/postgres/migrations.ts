/** The schema of the log in PostgreSQL, in versions. */

export interface Migration {
  /**
   * The lowest version that a release must know to work with the schema afterwards. Releases of
   * before go on beside it where that is not raised.
   */
  readonly least: number;
  /** `@` stands for the schema's name. */
  readonly sql: string;
}

/** The version is the number of the migrations that are applied. Applied ones never change. */
export const migrations: readonly Migration[] = [
  {
    least: 1,
    sql: `
      CREATE TABLE @.head (single boolean PRIMARY KEY DEFAULT true CHECK (single), revision bigint NOT NULL, checksum text NOT NULL);
      INSERT INTO @.head (revision, checksum) VALUES (0, '');
      CREATE TABLE @.entries (
        revision bigint PRIMARY KEY, checksum text NOT NULL, body text NOT NULL, written timestamptz NOT NULL DEFAULT now());
      CREATE TABLE @.snapshots (
        revision bigint PRIMARY KEY, checksum text NOT NULL, body_checksum text NOT NULL, bytes bigint NOT NULL,
        made timestamptz NOT NULL DEFAULT now());
      CREATE TABLE @.snapshot_parts (
        body_checksum text NOT NULL, part integer NOT NULL, body bytea NOT NULL, made timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (body_checksum, part));
      CREATE TABLE @.followers (
        id text PRIMARY KEY, revision bigint NOT NULL, seen timestamptz NOT NULL DEFAULT now(), release text NOT NULL);`,
  },
];
