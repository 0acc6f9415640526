/** `logs import`: events of decision logs into a database, all or none. */
import type { PlacedEvent } from '../../views/index.js';
import { logEvents } from '../change/log-files.js';
import { CommandError } from '../exit.js';
import type { Io } from '../io.js';
import { writeEventDatabase } from './event-database.js';
import { columns, eventRow } from './event-row.js';

interface ImportOptions {
  readonly database: string;
  /** Whether records that are no events are told and left out, rather than end the import. */
  readonly skipsBroken: boolean;
}

interface Imported {
  readonly added: number;
  /** Events that were there already. */
  readonly known: number;
  /** Lines of other logs. */
  readonly others: number;
  readonly broken: number;
}

/** The most broken records that are named. */
const mostNamed = 10;

/** Rejects with a CommandError, and then the database is as before. */
export async function importEvents(files: readonly string[], options: ImportOptions, io: Io): Promise<Imported> {
  return await writeEventDatabase(options.database, async (database) => {
    const places = columns.map(() => '?').join(', ');
    const insert = database.prepare(
      `INSERT OR IGNORE INTO events (${columns.join(', ')}, is_json) VALUES (${places}, json_valid(?))`,
    );
    const counts = { added: 0, known: 0, others: 0, broken: 0 };
    const problems: string[] = [];
    io.progress?.stage('importing events');
    for await (const batch of logEvents(files, io)) {
      for (const placed of batch) {
        io.progress?.tick();
        if (placed.event !== undefined) {
          const { changes } = insert.run(...eventRow(placed), placed.text);
          if (Number(changes) === 1) counts.added++;
          else counts.known++;
        } else if (placed.problem.kind === 'other') counts.others++;
        else {
          counts.broken++;
          if (problems.length < mostNamed) problems.push(problemText(placed));
        }
      }
      if (problems.length > 0 && !options.skipsBroken) throw broken(problems, counts.broken);
    }
    if (problems.length > 0) io.stderr(`${broken(problems, counts.broken).message}\n`);
    if (counts.added + counts.known === 0)
      throw new CommandError(
        `${problems.length > 0 ? '' : 'error: there is no event of a decision log: nothing was imported'}`,
      );
    return counts;
  });
}

function problemText({ file, line, problem }: PlacedEvent): string {
  return `${file}:${line}: ${problem?.problem}`;
}

function broken(problems: readonly string[], count: number): CommandError {
  const more = count > problems.length ? [`and ${count - problems.length} more`] : [];
  return new CommandError([...problems.map((problem) => `error: ${problem}`), ...more].join('\n'));
}
