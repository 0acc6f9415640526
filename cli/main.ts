/** The entry point of the command line. */
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

/**
 * The argument that starts a server's threads (see engine/threads/messages.ts, which is too costly
 * to load at start).
 */
const evaluationThread = '--serve-evaluations';

/** The argument that starts a thread of `test` (see tester/messages.ts). */
const testThread = '--run-tests';

/** The argument that starts a thread of `test --mutate` (see tester/mutation/messages.ts). */
const mutantThread = '--try-mutants';

// Not awaited: the built command is a script, which cannot wait at its top level.
if (process.argv[2] === evaluationThread)
  void import('../engine/threads/worker.js').then(({ serveEvaluations }) => serveEvaluations());
else if (process.argv[2] === testThread) void import('./tester/worker.js').then(({ runTests }) => runTests());
else if (process.argv[2] === mutantThread)
  void import('./tester/mutation/worker.js').then(({ tryMutants }) => tryMutants());
else {
  const io = processIo();
  // Turns of the event loop take time. Servers need them, and `exec` if it has a time limit.
  const [, , command, inner] = process.argv;
  const takesTurns = ['run', 'exec', 'debug', 'language-server'];
  if (!takesTurns.includes((command === 'regal' || command === 'opa' ? inner : command) ?? '')) io.runAlone?.();
  // At once: the event loop would collect garbage first, and Node would free each part of the heap.
  void runCommandLine(process.argv.slice(2), io).then((code) => process.exit(code));
}
