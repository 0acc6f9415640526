/** For tests: the script of threads and processes that help commands. */
import { threadScript } from './engine-thread.js';

export const entry = threadScript('helpers', `await (await import('./cli/helpers/helpers.js')).helperOf(process.argv[2])();`);
