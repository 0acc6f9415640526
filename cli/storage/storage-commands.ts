/** `storage`: what is in the log of writes of a configuration, checked, copied and made smaller. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { readConfig } from '../../server/control/server-config.js';
import { exportedLines, importLines, verifyLog } from '../../storage/log-content.js';
import { logOf } from '../../storage/open-log.js';
import type { WriteLog } from '../../storage/write-log.js';
import { toIndentedJson } from '../../values/json/json.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import type { Flag } from '../flags.js';
import type { Io } from '../io.js';
import { errorText } from '../output/error-output.js';
import { givenConfig } from '../server/run-config.js';

const configFlags: readonly Flag[] = [
  { name: 'config-file', short: 'c', type: 'string', usage: 'configuration file, YAML or JSON' },
  { name: 'set', type: 'string', usage: 'a setting over the configuration, as storage.file.directory=/var/lib/writ', repeated: true },
  { name: 'set-file', type: 'string', usage: 'a setting from a file, as storage.postgres.url=/run/secrets/url', repeated: true },
];

interface Task extends Pick<Command, 'short' | 'use' | 'long'> {
  readonly name: string;
  readonly flags?: readonly Flag[];
  run(log: WriteLog, args: Arguments, io: Io): Promise<void>;
}

function command({ name, flags = [], run, ...about }: Task): Command {
  return {
    ...about,
    name: `storage ${name}`,
    flags: [...flags, ...configFlags],
    async run(args, io) {
      const { log } = readConfig(givenConfig(args.flags, io)).storage;
      if (log === undefined) throw usageError('the configuration has no log: set storage.file, storage.disk or storage.postgres');
      const opened = (await logOf(log)).log;
      try {
        await opened.open();
        await run(opened, args, io);
        return exitCodes.ok;
      } catch (error) {
        throw error instanceof CommandError ? error : new CommandError(`error: ${errorText(error, io)}`);
      } finally {
        await opened.close();
      }
    },
  };
}

export const statusCommand = command({
  name: 'status',
  use: '[flags]',
  short: 'Show how much is in a log of writes, and who follows it',
  long: `Shows the last revision of the log that a configuration names, the entries and snapshots that it
keeps, and the servers that follow it.

    $ writ storage status --config-file config.yaml`,
  flags: [{ name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'layout of the output', default: 'pretty' }],
  async run(log, { flags }, io) {
    const { revision } = await log.head();
    const { entries, entryBytes, firstRevision, snapshots, followers } = await log.size();
    if (flags.text('format') === 'json') {
      const shown = followers.map(({ isLive, ...follower }) => ({ ...follower, live: isLive }));
      const first = firstRevision === undefined ? {} : { first_entry: firstRevision };
      const sizes = { entries, entry_bytes: entryBytes, ...first, snapshots: snapshots.map((one) => ({ ...one })) };
      io.stdout(`${toIndentedJson({ log: log.name, revision, ...sizes, followers: shown })}\n`);
      return;
    }
    const lines = [
      `log        ${log.name}`,
      `revision   ${revision}`,
      `entries    ${entries}${firstRevision === undefined ? '' : ` from revision ${firstRevision}`}, ${entryBytes} bytes`,
      ...snapshots.map(({ revision: at, bytes }) => `snapshot   of revision ${at}, ${bytes} bytes`),
      ...followers.map(
        (one) =>
          `follower   ${one.id} at revision ${one.revision}, ${one.isLive ? 'live' : `last seen ${one.seen}`}, release ${one.release}`,
      ),
    ];
    io.stdout(`${lines.join('\n')}\n`);
  },
});

export const verifyCommand = command({
  name: 'verify',
  use: '[flags]',
  short: 'Check all entries and snapshots of a log of writes',
  long: `Reads all of a log and checks that it is what was written: each entry and snapshot against its
checksum, which covers the history before it, and the entries up to the last revision.

    $ writ storage verify --config-file config.yaml`,
  async run(log, _args, io) {
    const { revision, entries, snapshots } = await verifyLog(log);
    io.stdout(`${entries} entries and ${snapshots} snapshots up to revision ${revision} are what was written.\n`);
  },
});

export const exportCommand = command({
  name: 'export',
  use: '[flags]',
  short: 'Copy a log of writes to a file',
  long: `Writes a log to a file or to standard output: the snapshot that it begins with, and all entries after
it, a line of JSON each. Servers may go on writing meanwhile.

    $ writ storage export --config-file config.yaml --output writes.jsonl`,
  flags: [{ name: 'output', short: 'o', type: 'string', usage: 'file to write to; standard output if it is left out' }],
  async run(log, { flags }, io) {
    const path = flags.text('output') ?? '';
    const file = path === '' ? undefined : openSync(path, 'wx', 0o600);
    try {
      for await (const line of exportedLines(log)) {
        if (file === undefined) io.stdout(line);
        else writeSync(file, line);
      }
    } finally {
      if (file !== undefined) closeSync(file);
    }
  },
});

export const importCommand = command({
  name: 'import',
  use: '<file>',
  short: 'Make a log of writes from an exported one',
  long: `Reads a file that "writ storage export" wrote ("-" is standard input) into an empty log: of a file from
PostgreSQL, of PostgreSQL from a file, or elsewhere. Revisions and checksums stay, so servers that have
followed the one go on with the other.

    $ writ storage import --set storage.postgres.url=postgres://writ@db.example.com/policies writes.jsonl`,
  async run(log, { positionals: [path, ...others] }, io) {
    if (path === undefined || others.length > 0) throw usageError('name one file that was exported');
    const revision = await importLines(log, linesOf(path, io));
    io.stdout(`${log.name} is at revision ${revision}.\n`);
  },
});

async function* linesOf(path: string, io: Io): AsyncGenerator<string> {
  if (path === '-') yield* Buffer.from(io.stdin()).toString().split('\n');
  else for await (const line of (await open(path)).readLines()) yield line;
}

export const compactCommand = command({
  name: 'compact',
  use: '[flags]',
  short: 'Delete entries of a log of writes that snapshots stand for',
  long: `Deletes the entries that a snapshot covers and that no live server needs, and all snapshots but the
last two. Servers do this whenever they have made a snapshot.

    $ writ storage compact --config-file config.yaml`,
  async run(log, _args, io) {
    io.stdout(`${await log.compact()} entries are gone.\n`);
  },
});
