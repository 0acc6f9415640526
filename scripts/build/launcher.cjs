// dist/main.js: starts the command. The first lines check the Node release, in syntax that old
// releases accept.
'use strict';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`writ: Node ${process.versions.node} is too old: install Node 22.19 or newer`);
  process.exit(2);
}
const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

// The command is many scripts, of which a run loads the few that it needs. V8's compiler would take
// half of the start. So for each kind of run the scripts that such runs loaded are kept as one
// script in a pack, with its compiled functions: in dist/, if it was built here, otherwise in the
// user's cache folder. A first run makes the pack, a second one adds the functions. A pack fits one
// build, one V8 and one kind of processor, and V8 checks it.
const scripts = path.join(__dirname, 'command');
/** Whether packs are written to dist/. */
const isLearning = path.basename(process.argv[1]) === 'learn.js';
const threads = { '--run-tests': 'test', '--serve-evaluations': 'run' };

const file = path.join('command-BUILD', `${kindOfRun(process.argv[2])}-${process.versions.v8}-${process.arch}.pack`);
const inBuild = path.join(__dirname, file);
let packFile = inBuild;
let pack = openPack(packFile);
if (pack === undefined && !isLearning && !fs.existsSync(path.dirname(inBuild))) {
  packFile = userFile();
  if (packFile !== undefined) pack = openPack(packFile);
}
const packed = pack === undefined ? {} : pack.script.runInThisContext();
const loaded = new Map();

function userFile() {
  const { HOME, XDG_CACHE_HOME = HOME && path.join(HOME, '.cache'), NODE_DISABLE_COMPILE_CACHE } = process.env;
  return XDG_CACHE_HOME && !NODE_DISABLE_COMPILE_CACHE ? path.join(XDG_CACHE_HOME, 'writ', file) : undefined;
}

function kindOfRun(command = '') {
  if (Object.hasOwn(threads, command)) return threads[command];
  if (!/^[a-z]+$/.test(command)) return 'other';
  return process.argv.some((argument) => argument === '-b' || argument === '--bundle') ? `${command}-bundle` : command;
}

function openPack(path) {
  try {
    const bytes = fs.readFileSync(path);
    const end = bytes.indexOf(10);
    const size = Number(bytes.latin1Slice(0, end));
    if (end < 0 || bytes.length < end + 1 + size) return undefined;
    const source = bytes.latin1Slice(end + 1, end + 1 + size);
    const functions = bytes.subarray(end + 1 + size);
    const cachedData = functions.length === 0 ? undefined : functions;
    return { script: new Script(source, { filename: path, cachedData }), source, hasFunctions: functions.length > 0 };
  } catch {
    return undefined;
  }
}

function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const run = packed[name] || new Script(`(${functionOf(name)})`, { filename: path.join(scripts, name) }).runInThisContext();
  run(module.exports, requireFrom, module, __dirname);
  return module.exports;
}

function functionOf(name) {
  return `function(exports,require,module,__dirname){${fs.readFileSync(path.join(scripts, name), 'latin1')}\n}`;
}

function requireFrom(name) {
  return name.startsWith('./') ? load(name.slice(2)) : require(name);
}

/** Writes the pack, if this run knows more than it holds. */
function save() {
  const names = [...new Set([...Object.keys(packed), ...loaded.keys()])];
  const isComplete = names.length === Object.keys(packed).length;
  if ((isComplete && pack.hasFunctions && !isLearning) || !require('node:worker_threads').isMainThread) return;
  const source = isComplete ? pack.source : `({${names.map((name) => `${JSON.stringify(name)}:${functionOf(name)}`).join(',')}})`;
  const functions = isComplete ? pack.script.createCachedData() : Buffer.alloc(0);
  // Another run may read or write the file at the same time.
  const draft = `${packFile}.${process.pid}`;
  fs.mkdirSync(path.dirname(packFile), { recursive: true });
  fs.writeFileSync(draft, Buffer.concat([Buffer.from(`${source.length}\n`), Buffer.from(source, 'latin1'), functions]));
  fs.renameSync(draft, packFile);
}

if (isLearning || (packFile !== undefined && packFile !== inBuild))
  process.on('exit', () => {
    try {
      save();
    } catch {
      // The next start is as slow as this one.
    }
  });
load('main.js');
