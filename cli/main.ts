/** Where the command line begins. */
import { processIo } from './io.js';
import { run } from './run.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`writ: Node ${process.versions.node} is too old: install Node 22.19 or newer`);
  process.exit(2);
}
process.exitCode = await run(process.argv.slice(2), processIo());
