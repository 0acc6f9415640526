/** The entry point of the command line. */
import { helperOf } from './helpers/helpers.js';
import { processIo } from './io.js';
import { runCommandLine } from './run.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`writ: Node ${process.versions.node} is too old: install Node 22.19 or newer`);
  process.exit(2);
}
// bin/writ sets these variables for the C library, which has read them by now; policies should not
// see them.
if (process.env.WRIT_MALLOC !== undefined)
  for (const name of Object.keys(process.env))
    if (/^(?:WRIT_MALLOC|MALLOC_(?:MMAP_THRESHOLD_|TRIM_THRESHOLD_|ARENA_MAX))$/.test(name)) delete process.env[name];

// Not awaited: the built command is a script, which cannot wait at its top level.
const helper = helperOf(process.argv[2]);
if (helper !== undefined) void helper();
else {
  const io = processIo();
  // Turns of the event loop take time. Servers need them, and `exec` if it has a time limit.
  const [, , command, inner] = process.argv;
  const takesTurns = ['run', 'exec', 'debug', 'language-server'];
  if (!takesTurns.includes((command === 'regal' || command === 'opa' ? inner : command) ?? '')) io.runAlone?.();
  // At once: the event loop would collect garbage first, and Node would free each part of the heap.
  void runCommandLine(process.argv.slice(2), io).then((code) => process.exit(code));
}
