/** `logs`: decision logs in a database, and questions to them. */
import type { DatabaseSync } from 'node:sqlite';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import type { Flag } from '../flags.js';
import type { Io } from '../io.js';
import { type ChangeTable, changesBetween, revisions, topOf } from './change-queries.js';
import { openEvents } from './event-database.js';
import { importEvents } from './import-events.js';
import { askRows } from './query-process.js';
import { rowFormats, writeRows } from './rows-output.js';
import { sampleEvents, sampleFixtures } from './sample-events.js';

const databaseFlag: Flag = {
  name: 'db',
  type: 'string',
  usage: 'the database, a file of SQLite',
  default: 'decisions.db',
};

function databaseOf({ flags }: Arguments): string {
  return flags.text('db') ?? 'decisions.db';
}

/** Calls `ask` with the database. Errors of SQLite are those of the command. */
async function asking(args: Arguments, ask: (database: DatabaseSync) => void | Promise<void>): Promise<number> {
  const database = await openEvents(databaseOf(args));
  try {
    await ask(database);
    return exitCodes.ok;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SQLITE_ERROR') throw error;
    throw new CommandError(`error: ${(error as Error).message}`);
  } finally {
    database.close();
  }
}

async function write({ names, rows }: ChangeTable, { flags }: Arguments, io: Io): Promise<void> {
  await writeRows(names, rows, flags.text('format') ?? 'pretty', io);
}

function countOf({ flags }: Arguments, otherwise: number): number {
  const count = flags.number('count') ?? otherwise;
  if (count < 1) throw usageError('--count must be at least 1');
  return count;
}

export const importCommand: Command = {
  name: 'logs import',
  use: '<file> [file [...]]',
  long: `Imports the events of decision logs into a database: lines of a console or a file logger, arrays as servers upload them, with gzip or without; a folder means its files, - standard input. An event that is there already is left as it is.

All events are imported, or none: a record that is no event ends the import, with its file and line.`,
  examples: [
    ['Import the files of a folder', 'writ logs import logs/'],
    ['Import what another command prints', 'cat event.json | writ logs import -'],
  ],
  flags: [
    databaseFlag,
    { name: 'skip-broken', type: 'bool', usage: 'name records that are no events, and import the others' },
  ],
  showsProgress: true,
  async run(args, io) {
    if (args.positionals.length === 0) throw usageError('specify at least one file, a folder, or - for standard input');
    const options = { database: databaseOf(args), skipsBroken: args.flags.on('skip-broken') };
    const { added, known, others, broken } = await importEvents(args.positionals, options, io).finally(() =>
      io.progress?.end(),
    );
    const rest = [
      ...(known > 0 ? [`${known} were there already`] : []),
      ...(others > 0 ? [`${others} lines of other logs`] : []),
      ...(broken > 0 ? [`${broken} broken`] : []),
    ];
    io.stdout(`${added} events imported into ${options.database}${rest.length > 0 ? ` (${rest.join(', ')})` : ''}\n`);
    return exitCodes.ok;
  },
};

/** The tables and views, and their columns. */
function outline(database: DatabaseSync): string {
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY type, name");
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)');
  return names
    .all()
    .map(
      ({ name }) =>
        `${name}: ${columns
          .all(String(name))
          .map((column) => column.name)
          .join(', ')}\n`,
    )
    .join('');
}

export const queryCommand: Command = {
  name: 'logs query',
  use: '[<sql>]',
  long: `Asks the database in SQL. The table is "events"; the views are "by_path", "by_rule", "by_input_field", "by_latency", "by_revision" and "input_fields". "event ->> '$.input.user'" is a field of the event. Without a query, the columns are shown. The query cannot change the database or its settings, and is ended after --timeout.`,
  examples: [
    ['Show the columns', 'writ logs query'],
    ['Count decisions by path', "writ logs query 'SELECT * FROM by_path'"],
    ['Write all events as CSV', "writ logs query -f csv 'SELECT time, path, result FROM events'"],
  ],
  flags: [
    databaseFlag,
    { name: 'timeout', type: 'duration', usage: 'end the query after this time (0: no limit)', default: '5m' },
    rowFormats,
  ],
  async run(args, io) {
    const [sql, ...others] = args.positionals;
    if (others.length > 0) throw usageError('specify one query, in quotes');
    return await asking(args, async (database) => {
      if (sql === undefined) return io.stdout(outline(database));
      const query = { path: databaseOf(args), sql, ms: args.flags.number('timeout') ?? 0 };
      await askRows(query, io, ({ names, rows }) => writeRows(names, rows, args.flags.text('format') ?? 'pretty', io));
    });
  },
};

export const topCommand: Command = {
  name: 'logs top',
  use: '',
  long: 'Shows what occurs most often in the database: paths, answers, fields of the input; or the slowest decisions.',
  examples: [
    ['Show the paths that are asked most', 'writ logs top'],
    ['Show the users that are denied and allowed', 'writ logs top --by input.user'],
    ['Show the slowest decisions', 'writ logs top --by latency -n 5'],
  ],
  flags: [
    databaseFlag,
    {
      name: 'by',
      type: 'string',
      usage: 'path, outcome, result, error, revision, requested_by, file, rule, latency, or a field such as input.user',
      default: 'path',
    },
    { name: 'count', short: 'n', type: 'int', usage: 'how many rows', default: '10' },
    rowFormats,
  ],
  async run(args, io) {
    const count = countOf(args, 10);
    return await asking(args, (database) => write(topOf(database, args.flags.text('by') ?? 'path', count), args, io));
  },
};

export const changesCommand: Command = {
  name: 'logs changes',
  use: '[<revision> <revision>]',
  long: 'Shows which inputs two revisions of the bundles have answered differently, by their answers. Without revisions, it lists them.',
  examples: [
    ['List the revisions', 'writ logs changes'],
    ['Compare two revisions', 'writ logs changes 17 18'],
  ],
  flags: [databaseFlag, rowFormats],
  async run(args, io) {
    const [before, after, ...others] = args.positionals;
    if ((before !== undefined && after === undefined) || others.length > 0)
      throw usageError('specify two revisions, or none');
    return await asking(args, async (database) => {
      const isPair = before !== undefined && after !== undefined;
      await write(isPair ? changesBetween(database, before, after) : revisions(database), args, io);
    });
  },
};

export const sampleCommand: Command = {
  name: 'logs sample',
  use: '',
  long: `Writes some of the events: of each path and outcome in turn, so that rare ones are among them, and the same ones each time. As events, one on each line, they are a log for "writ diff --log"; as fixtures, a file for each with its path, input and result. Events with masked or erased parts are no fixtures.`,
  examples: [
    ['Take 100 events for writ diff', 'writ logs sample -n 100 -o sample.jsonl'],
    ['Take 20 events of a path as fixtures', 'writ logs sample -n 20 --path authz/allow --as fixtures -o fixtures'],
  ],
  flags: [
    databaseFlag,
    { name: 'count', short: 'n', type: 'int', usage: 'how many events', default: '100' },
    { name: 'path', type: 'string', usage: 'only decisions of this path, such as authz/allow' },
    { name: 'where', type: 'string', usage: 'only events for which this condition in SQL holds' },
    { name: 'seed', type: 'string', usage: 'another text takes other events' },
    { name: 'as', type: ['events', 'fixtures'], usage: 'lines of events, or a file for each', default: 'events' },
    { name: 'output', short: 'o', type: 'string', usage: 'file to write the events to; with --as fixtures a folder' },
  ],
  async run(args, io) {
    const { flags } = args;
    const output = flags.text('output');
    const asFixtures = flags.text('as') === 'fixtures';
    if (asFixtures && output === undefined) throw usageError('--as fixtures needs a directory: --output DIR');
    const options = {
      count: countOf(args, 100),
      seed: flags.text('seed') ?? '',
      path: flags.text('path'),
      where: flags.text('where'),
    };
    return await asking(args, (database) => {
      if (asFixtures && output !== undefined) sampleFixtures(database, options, output, io);
      else sampleEvents(database, options, output, io);
    });
  },
};
