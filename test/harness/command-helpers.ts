/** For tests: the script of a thread that runs tests. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { threadScript } from './engine-thread.js';

/** The URL of the code that runs tests, as a literal of a script. */
export const worker = JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../cli/tester/worker.ts')).href);

export const entry = threadScript('entry', `await (await import(${worker})).runTests();`);

const mutants = JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../cli/tester/mutation/worker.ts')).href);

/** The script of a thread that tries mutants. */
export const mutantEntry = threadScript('mutants', `await (await import(${mutants})).tryMutants();`);
