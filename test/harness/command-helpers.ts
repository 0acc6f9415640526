/** For tests: the script of threads and processes that help commands. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { threadScript } from './engine-thread.js';

function literal(path: string): string {
  return JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../cli', path)).href);
}

/** The URL of the code that runs tests, as a literal of a script. */
export const worker = literal('tester/worker.ts');

export const entry = threadScript('helpers', `await (await import(${literal('helpers/helpers.ts')})).helperOf(process.argv[2])();`);
