/** `logs sample`: some events of each path and outcome, the same ones each time. */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeDirectory } from '../../engine/node.js';
import { isObject, objectGet, type PlainObject, parseJson, toIndentedJson, type Value } from '../../values/index.js';
import { CommandError } from '../exit.js';
import type { Io } from '../io.js';
import { writeFile } from '../output/write-file.js';

interface SampleOptions {
  readonly count: number;
  readonly seed: string;
  /** A path of decisions; undefined: all. */
  readonly path: string | undefined;
  /** A condition in SQL; undefined: all. */
  readonly where: string | undefined;
}

/** The texts of the sampled events: rare outcomes are as frequent as others. */
function sampled(database: DatabaseSync, { count, seed, path, where }: SampleOptions, isWhole: boolean): string[] {
  database.function('sample_order', { deterministic: true }, (key) => hash('sha256', `${seed} ${key}`));
  const conditions = [
    ...(path === undefined ? [] : ['path = ?']),
    ...(where === undefined ? [] : [`(${where})`]),
    ...(isWhole ? ['hidden = 0'] : []),
  ];
  const condition = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const rows = database
    .prepare(
      `SELECT event FROM (
         SELECT event, number, row_number() OVER (PARTITION BY path, outcome ORDER BY sample_order(key), number) AS turn
         FROM events ${condition}
       ) ORDER BY turn, number LIMIT ?`,
    )
    .iterate(...(path === undefined ? [] : [path]), count);
  return Array.from(rows, ({ event }) => String(event));
}

/** Writes the events, one on each line: a log for `diff --log` and for `logs import`. */
export function sampleEvents(database: DatabaseSync, options: SampleOptions, output: string | undefined, io: Io): void {
  const text = sampled(database, options, false)
    .map((event) => `${lineOf(event)}\n`)
    .join('');
  if (output === undefined) io.stdout(text);
  else writeFile(output, text);
}

/** An event of an array may have several lines. */
function lineOf(event: string): string {
  return event.replaceAll(/\r?\n\s*/g, ' ');
}

/** Writes a file for each event: its path, input and result, for tests. */
export function sampleFixtures(database: DatabaseSync, options: SampleOptions, directory: string, io: Io): void {
  const events = sampled(database, options, true);
  makeDirectory(directory);
  const digits = String(events.length).length;
  for (const [i, text] of events.entries()) {
    const event = parseJson(text);
    if (!isObject(event)) throw new CommandError('error: the database has an event that is no object');
    const fields: PlainObject = Object.fromEntries(
      ['decision_id', 'path', 'query', 'input', 'result'].flatMap((name): [string, Value][] => {
        const value = objectGet(event, name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    writeFile(join(directory, `${String(i + 1).padStart(digits, '0')}.json`), `${toIndentedJson(fields)}\n`);
  }
  io.stdout(`${events.length} fixtures: ${directory}\n`);
}
