// dist/main.js: starts the command. The first lines check the Node release, in syntax that old
// releases accept.
'use strict';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`writ: Node ${process.versions.node} is too old: install Node 22.19 or newer`);
  process.exit(2);
}
const fs = require('node:fs');
const { Script } = require('node:vm');

// The command is a script for each module, of which a run loads the few that it needs: a module is
// loaded when one of its exports is first read. V8's compiler would take half of the start. So for
// each kind of run the scripts that such runs loaded are kept as one script in a pack, with its
// compiled functions, in the user's cache folder. A first run makes the pack, a second one adds the
// functions. A pack fits one build, one V8 and one kind of processor, and V8 checks it. The first
// function of a pack is the loader (loader.cjs): only the few lines here are compiled in each run.
// They use no patterns, each of which is compiled, too.
const loader = 'loader.js';
const threads = { '--run-tests': 'test', '--serve-evaluations': 'run' };
const kind = kindOfRun(process.argv[2]);
const packFile = fileOfPack();
const pack = packFile && openPack(packFile);
// V8 keeps with a function whether it has baseline code, and compiles such functions again in each
// run that takes them from a pack, before they are warm: a sixth of the processor time of a start.
// A server that makes a pack runs long, so it keeps the baseline compiler.
const learnsFunctions = packFile !== undefined && kind !== 'run' && !pack?.hasFunctions;
if (learnsFunctions) useBaseline(false);
const functions = pack?.script.runInThisContext() ?? [];
(functions[0] ?? loaderOfFile())(
  { Script, packFile, pack, functions, learnsFunctions, useBaseline },
  require,
  undefined,
  __dirname,
);

function loaderOfFile() {
  const text = fs.readFileSync(`${__dirname}/command/${loader}`, 'latin1');
  return new Script(`(function(exports,require,module,__dirname){${text}\n})`, { filename: loader }).runInThisContext();
}

function useBaseline(isUsed) {
  require('node:v8').setFlagsFromString(isUsed ? '--sparkplug' : '--no-sparkplug');
}

function fileOfPack() {
  const { HOME, XDG_CACHE_HOME = HOME && `${HOME}/.cache`, NODE_DISABLE_COMPILE_CACHE } = process.env;
  if (!XDG_CACHE_HOME || NODE_DISABLE_COMPILE_CACHE) return undefined;
  return `${XDG_CACHE_HOME}/writ/command-BUILD/${kind}-${process.versions.v8}-${process.arch}.pack`;
}

/** Functions inside of it would be compiled in each run, too. */
function kindOfRun(command = '') {
  if (Object.hasOwn(threads, command)) return threads[command];
  if (command === '') return 'other';
  for (let i = 0; i < command.length; i++) if (command[i] < 'a' || command[i] > 'z') return 'other';
  let kind = command;
  for (let i = 3; i < process.argv.length; i++) {
    const argument = process.argv[i];
    // What reads archives is a tenth of what these load.
    if ((command === 'eval' || command === 'exec' || command === 'inspect') && argument.endsWith('.tar.gz'))
      return `${command}-archive`;
    if (argument === '-b' || argument === '--bundle') kind = `${command}-bundle`;
  }
  return kind;
}

function openPack(filename) {
  try {
    const bytes = fs.readFileSync(filename);
    const end = bytes.indexOf(10);
    const [first, ...names] = bytes.latin1Slice(0, end).trimStart().split(' ');
    const size = Number(first);
    if (end < 0 || bytes.length < end + 1 + size) return undefined;
    const source = bytes.latin1Slice(end + 1, end + 1 + size);
    const functions = bytes.subarray(end + 1 + size);
    const cachedData = functions.length === 0 ? undefined : functions;
    return { names, script: new Script(source, { filename, cachedData }), source, hasFunctions: functions.length > 0 };
  } catch {
    return undefined;
  }
}
