/** Where the command line begins. */
import { processIo } from './io.js';
import { run } from './run.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`writ: Node ${process.versions.node} is too old: install Node 22.19 or newer`);
  process.exit(2);
}
// What bin/writ set for the C library, which has read it by now, is nothing that policies should see.
if (process.env.WRIT_MALLOC !== undefined)
  for (const name of Object.keys(process.env))
    if (/^(?:WRIT_MALLOC|MALLOC_(?:MMAP_THRESHOLD_|TRIM_THRESHOLD_|ARENA_MAX))$/.test(name)) delete process.env[name];

/** What a server's threads are started with (see engine/threads/messages.ts, which a start need not load). */
const evaluationThread = '--serve-evaluations';

// Not awaited: the built command is a script, which may not wait at its top level.
if (process.argv[2] === evaluationThread) void import('../engine/threads/worker.js').then(({ serveEvaluations }) => serveEvaluations());
else
  void run(process.argv.slice(2), processIo()).then((code) => {
    process.exitCode = code;
  });
