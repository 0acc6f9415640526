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
// compiled functions: in dist/, if it was built here, otherwise in the user's cache folder. A first
// run makes the pack, a second one adds the functions. What only some runs need is in extensions of
// the pack in dist/, each for a script and those that are loaded after it. A pack fits one build, one
// V8 and one kind of processor, and V8 checks it. The modules that all runs of a kind need are one
// script, whose functions call each other directly (joined-modules.ts).
const scripts = `${__dirname}/command`;
/** Whether a pack is written to dist/, or the extension that begins with the script of a name. */
const isLearning = /[\\/]learn\.js$/.test(process.argv[1]);
const extensionBegin = isLearning ? process.env.WRIT_EXTENSION : undefined;
/** The file in which a run lists the scripts that it loaded, instead of writing a pack. */
const surveyed = isLearning ? process.env.WRIT_SURVEY : undefined;
/** The functions of a pack begin at a multiple of it: V8 copies others before it reads them. */
const alignment = 32;
const threads = { '--run-tests': 'test', '--serve-evaluations': 'run' };

const kind = kindOfRun(process.argv[2]);
const folder = 'command-BUILD';
const file = `${folder}/${kind}-${process.versions.v8}-${process.arch}.pack`;
const inBuild = `${__dirname}/${file}`;
let packFile = inBuild;
let pack = openPack(packFile);
if (pack === undefined && !isLearning && !fs.existsSync(`${__dirname}/${folder}`)) {
  packFile = userFile();
  if (packFile !== undefined) pack = openPack(packFile);
}
// V8 keeps with a function whether it has baseline code, and compiles such functions again in each
// run that takes them from a pack, before they are warm: a sixth of the processor time of a start.
// A server that makes a pack runs long, so it keeps the baseline compiler.
const learnsFunctions = isLearning || (packFile !== undefined && kind !== 'run' && !pack?.hasFunctions);
if (learnsFunctions) useBaseline(false);
const packed = pack === undefined ? {} : pack.script.runInThisContext();
/** The extension that is written: its file, its pack, and the scripts outside it. */
let extension;
/** The modules that are one script: functions that make their exports, by name. */
const joined = { parts: {} };
/** The results of `require`, by name. */
const known = new Map();
/** The names of the scripts that ran. */
const loaded = new Set();
/** Modules that Node has loaded before it runs a program. */
const loadedAtStart = /^node:(?:buffer|events|fs|path|process|url|util)$/;

function useBaseline(isUsed) {
  require('node:v8').setFlagsFromString(isUsed ? '--sparkplug' : '--no-sparkplug');
}

function userFile() {
  const { HOME, XDG_CACHE_HOME = HOME && `${HOME}/.cache`, NODE_DISABLE_COMPILE_CACHE } = process.env;
  return XDG_CACHE_HOME && !NODE_DISABLE_COMPILE_CACHE ? `${XDG_CACHE_HOME}/writ/${file}` : undefined;
}

function kindOfRun(command = '') {
  if (Object.hasOwn(threads, command)) return threads[command];
  if (!/^[a-z]+$/.test(command)) return 'other';
  return process.argv.some((argument) => argument === '-b' || argument === '--bundle') ? `${command}-bundle` : command;
}

function openPack(filename) {
  try {
    const bytes = fs.readFileSync(filename);
    const end = bytes.indexOf(10);
    const size = Number(bytes.latin1Slice(0, end));
    if (end < 0 || bytes.length < end + 1 + size) return undefined;
    const source = bytes.latin1Slice(end + 1, end + 1 + size);
    const functions = bytes.subarray(end + 1 + size);
    const cachedData = functions.length === 0 ? undefined : functions;
    return { script: new Script(source, { filename, cachedData }), source, hasFunctions: functions.length > 0 };
  } catch {
    return undefined;
  }
}

/** The exports of a module, which is loaded when one of them is first read. */
function requireLazily(name) {
  let exports = known.get(name);
  if (exports === undefined) {
    if (joined.parts[name] !== undefined) exports = joined.parts[name]();
    else if (loadedAtStart.test(name)) exports = require(name);
    else if (name.startsWith('node:')) exports = copied(() => require(name));
    else if (name.startsWith('packages/')) exports = copied(() => loadPackage(name.slice(9)));
    else exports = lazy(name);
    known.set(name, exports);
  }
  return exports;
}

function lazy(name) {
  const unloaded = new Proxy(Object.prototype, {
    get(_, member) {
      // Without a prototype nothing stands between a caller and the member.
      Object.setPrototypeOf(exports, null);
      try {
        scriptOf(name)(exports, requireLazily, undefined, __dirname);
      } catch (error) {
        // The stack was too short here: the next caller may have more of it.
        for (const key of Object.keys(exports)) delete exports[key];
        Object.setPrototypeOf(exports, unloaded);
        throw error;
      }
      return exports[member];
    },
  });
  const exports = Object.create(unloaded);
  return exports;
}

/** An object that takes each member from another one when it is first read. */
function copied(load) {
  let original;
  const exports = Object.create(
    new Proxy(Object.prototype, {
      get(_, member) {
        original ??= load();
        const value = original[member];
        if (value !== undefined) exports[member] = value;
        return value;
      },
    }),
  );
  return exports;
}

/** Packages are scripts that load each other at once. */
function loadPackage(file) {
  const name = `packages/${file}`;
  let module = known.get(`./${file}`);
  if (module === undefined) {
    module = { exports: {} };
    known.set(`./${file}`, module);
    try {
      scriptOf(name)(module.exports, requireOfPackage, module, __dirname);
    } catch (error) {
      known.delete(`./${file}`);
      throw error;
    }
  }
  return module.exports;
}

function requireOfPackage(name) {
  return name.startsWith('./') ? loadPackage(name.slice(2)) : require(name);
}

function scriptOf(name) {
  loaded.add(name);
  if (packed[name] === undefined && pack !== undefined && packFile === inBuild) extend(name);
  return packed[name] || new Script(`(${functionOf(name)})`, { filename: `${scripts}/${name}` }).runInThisContext();
}

/** Adds the scripts of the extension that begins with a script, if there is one. */
function extend(name) {
  const file = packFile.replace('.pack', `-${name.replace(/\W/g, '-')}.pack`);
  const added = fs.existsSync(file) ? openPack(file) : undefined;
  if (name === extensionBegin) extension = { file, pack: added, others: new Set([...Object.keys(packed), ...loaded]) };
  if (added !== undefined) Object.assign(packed, added.script.runInThisContext());
}

function functionOf(name) {
  return `function(exports,require,module,__dirname){${fs.readFileSync(`${scripts}/${name}`, 'latin1')}\n}`;
}

/** Writes the pack or the extension, if this run knows more than it holds. */
function save() {
  if (!require('node:worker_threads').isMainThread) return;
  if (surveyed !== undefined) return fs.writeFileSync(surveyed, JSON.stringify([...loaded]));
  if (extensionBegin === undefined) write(packFile, pack, Object.keys(packed), [...loaded]);
  else if (extension !== undefined) {
    const isInside = (name) => name === extensionBegin || !extension.others.has(name);
    write(extension.file, extension.pack, Object.keys(packed).filter(isInside), [...loaded].filter(isInside));
  }
}

/** @param written the names of the scripts in the file */
function write(file, pack, written, needed) {
  const names = [...new Set([...written, ...needed])];
  const isComplete = names.length === written.length;
  if (isComplete && (pack === undefined || (pack.hasFunctions && !isLearning))) return;
  const source = isComplete ? pack.source : sourceOf(names);
  // Functions fit only the flags that they were compiled with.
  if (learnsFunctions) useBaseline(true);
  const functions = isComplete ? pack.script.createCachedData() : Buffer.alloc(0);
  // Another run may read or write the file at the same time.
  const draft = `${file}.${process.pid}`;
  fs.mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true });
  const size = `${source.length}\n`.padStart(alignment);
  fs.writeFileSync(draft, Buffer.concat([Buffer.from(size), Buffer.from(source, 'latin1'), functions]));
  fs.renameSync(draft, file);
}

function sourceOf(names) {
  const source = `({${names.map((name) => `${JSON.stringify(name)}:${functionOf(name)}`).join(',')}})`;
  return source.padEnd(Math.ceil(source.length / alignment) * alignment);
}

if (isLearning || (packFile !== undefined && packFile !== inBuild))
  process.on('exit', () => {
    try {
      save();
    } catch {
      // The next start is as slow as this one.
    }
  });
// Either runs the command: loading the script, or reading any export of the module.
const whole = `joined/${kind}.js`;
if (packed[whole] !== undefined || fs.existsSync(`${scripts}/${whole}`)) scriptOf(whole)(joined, requireLazily, undefined, __dirname);
else void requireLazily('cli/main.js').default;
