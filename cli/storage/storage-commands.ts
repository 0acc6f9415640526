/** `storage`: what is in the log of writes of a configuration, checked, copied and made smaller. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { exportedLines, importLines, logOf, readConfig, verifyLog, type WriteLog } from '../../server/index.js';
import { toIndentedJson } from '../../values/index.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import type { Flag } from '../flags.js';
import type { Io } from '../io.js';
import { errorText } from '../output/error-output.js';
import { givenConfig } from '../server/run-config.js';
import { exportedText } from './exported-text.js';

const configFlags: readonly Flag[] = [
  { name: 'config-file', short: 'c', type: 'string', usage: 'configuration file, YAML or JSON' },
  {
    name: 'set',
    type: 'string',
    usage: 'change the configuration, such as storage.file.directory=/var/lib/writ',
    repeated: true,
  },
  {
    name: 'set-file',
    type: 'string',
    usage: 'change the configuration by a value in a file, such as storage.postgres.url=/run/secrets/url',
    repeated: true,
  },
];

interface Task extends Pick<Command, 'use' | 'long' | 'examples'> {
  readonly name: string;
  readonly flags?: readonly Flag[];
  /** Whether it works on the rest of a damaged log. */
  readonly salvages?: boolean;
  run(log: WriteLog, args: Arguments, io: Io): Promise<void>;
}

function command({ name, flags = [], salvages = false, run, ...about }: Task): Command {
  return {
    ...about,
    name: `storage ${name}`,
    flags: [...flags, ...configFlags],
    async run(args, io) {
      const { log } = readConfig(givenConfig(args.flags, io)).storage;
      if (log === undefined)
        throw usageError('the configuration has no log: set storage.file, storage.disk or storage.postgres');
      const opened = (await logOf(log, { salvages })).log;
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
  use: '',
  long: 'Shows the last revision of a log of writes, its entries and snapshots, and the servers that follow it.',
  examples: [
    ['Show the log of a configuration', 'writ storage status -c config.yaml'],
    ['The same as JSON', 'writ storage status -f json -c config.yaml'],
  ],
  flags: [{ name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'form of the output', default: 'pretty' }],
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

export const storageVerify = command({
  name: 'verify',
  use: '',
  long: 'Reads all of a log of writes, and checks each entry and snapshot against its checksum. A checksum covers the history before it.',
  examples: [
    ['Check the log of a configuration', 'writ storage verify -c config.yaml'],
    ['Check a log in a folder', 'writ storage verify --set storage.file.directory=writes'],
  ],
  async run(log, _args, io) {
    const { revision, entries, snapshots } = await verifyLog(log);
    io.stdout(`${entries} entries and ${snapshots} snapshots up to revision ${revision} are what was written.\n`);
  },
});

export const exportCommand = command({
  name: 'export',
  use: '',
  long: 'Writes a log to a file or to standard output: the snapshot that it begins with, and all entries after it, each on a line as JSON. Servers may go on writing.',
  examples: [
    ['Save a log in a file', 'writ storage export -c config.yaml -o writes.jsonl'],
    ['Save it compressed', 'writ storage export -c config.yaml | gzip > writes.jsonl.gz'],
  ],
  flags: [{ name: 'output', short: 'o', type: 'string', usage: 'file to write (default: standard output)' }],
  salvages: true,
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

export const storageImport = command({
  name: 'import',
  use: '<file>',
  long: "Reads a file of 'writ storage export', or with - standard input, into an empty log: also from files to PostgreSQL and back. Revisions and checksums stay, so servers that followed one log go on with the other.",
  examples: [
    ['Make a log from a file', 'writ storage import --set storage.file.directory=copy writes.jsonl'],
    [
      'Move a log to PostgreSQL',
      'writ storage import --set storage.postgres.url=postgres://writ@db.example.com/policies writes.jsonl',
    ],
    ['Read it from a pipe', 'gunzip -c writes.jsonl.gz | writ storage import --set storage.file.directory=copy2 -'],
  ],
  async run(log, { positionals: [path, ...others] }, io) {
    if (path === undefined || others.length > 0) throw usageError('name one file that was exported');
    const revision = await importLines(log, exportedText(path, io));
    io.stdout(`${log.name} is at revision ${revision}.\n`);
  },
});

export const compactCommand = command({
  name: 'compact',
  use: '',
  long: 'Deletes the entries that a snapshot covers and that no live server needs, and all snapshots but the last two. Servers do this after each snapshot.',
  examples: [
    ['Compact the log of a configuration', 'writ storage compact -c config.yaml'],
    ['Compact a log in a folder', 'writ storage compact --set storage.file.directory=writes'],
  ],
  async run(log, _args, io) {
    io.stdout(`${await log.compact()} entries are gone.\n`);
  },
});
