// dist/command/loader.js: loads the scripts of the command from packs or files, and writes packs
// (launcher.cjs). The body of a function, as the scripts that it loads are.
'use strict';
const { Script, kind, isInBuild, packFile, pack, isLearning, learnsFunctions, openPack, useBaseline } = exports;
const fs = require('node:fs');

const scripts = `${__dirname}/command`;
/** The script that begins the extension of a pack which is written, instead of the pack. */
const extensionBegin = isLearning ? process.env.WRIT_EXTENSION : undefined;
/** The file in which a run lists the scripts that it loaded, instead of writing a pack. */
const surveyed = isLearning ? process.env.WRIT_SURVEY : undefined;
/** The functions of a pack begin at a multiple of it: V8 copies others before it reads them. */
const alignment = 32;
/** The functions of scripts in packs, by the names of the scripts. */
const packed = new Map();
if (pack !== undefined) unpack(pack, exports.functions);
/** The extension that is written: its file, its pack, and the scripts outside it. */
let extension;
/** The modules that are one script: a function that makes the exports of one, by its name. */
const joined = { part: () => undefined, requireAny };
/** The results of `require`, by name. */
const known = new Map();
/** The names of modules and packages, by their exports. */
const nameOf = new Map();
/** The prototype of exports that are not loaded: most runs read few of them, so it is one for all. */
const unloaded = new Proxy(Object.prototype, { get: readFirst });
/** The names of the scripts that ran. */
const loaded = new Set(['loader.js']);
/** Modules that Node has loaded before it runs a program. */
const loadedAtStart = new Set(['buffer', 'events', 'fs', 'path', 'process', 'url', 'util'].map((name) => `node:${name}`));

/** Notes the functions that the script of a pack returned. */
function unpack({ names }, functions) {
  for (let i = 0; i < names.length; i++) packed.set(names[i], functions[i]);
}

/** The exports of a module for scripts that are not joined to others. */
function requireAny(name) {
  let exports = known.get(name) ?? joined.part(name);
  if (exports === undefined) exports = requireLazily(name);
  else known.set(name, exports);
  return exports;
}

/** The exports of a module, which is loaded when one of them is first read. */
function requireLazily(name) {
  let exports = known.get(name);
  if (exports === undefined) {
    if (loadedAtStart.has(name)) exports = require(name);
    else {
      exports = Object.create(unloaded);
      nameOf.set(exports, name);
    }
    known.set(name, exports);
  }
  return exports;
}

function readFirst(_, member, exports) {
  const name = nameOf.get(exports);
  if (name.startsWith('node:')) return copied(exports, require(name), member);
  if (name.startsWith('packages/')) return copied(exports, loadPackage(name.slice(9)), member);
  // Without a prototype nothing stands between a caller and the member.
  Object.setPrototypeOf(exports, null);
  try {
    scriptOf(name)(exports, requireAny, undefined, __dirname);
  } catch (error) {
    // The stack was too short here: the next caller may have more of it.
    for (const key of Object.keys(exports)) delete exports[key];
    Object.setPrototypeOf(exports, unloaded);
    throw error;
  }
  return exports[member];
}

/** Exports of Node and of packages take each member when it is first read. */
function copied(exports, original, member) {
  const value = original[member];
  if (value !== undefined) exports[member] = value;
  return value;
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
  if (!packed.has(name) && pack !== undefined && isInBuild) extend(name);
  return packed.get(name) ?? new Script(`(${functionOf(name)})`, { filename: `${scripts}/${name}` }).runInThisContext();
}

/** Adds the scripts of the extension that begins with a script, if there is one. */
function extend(name) {
  const file = packFile.replace('.pack', `-${name.replace(/\W/g, '-')}.pack`);
  const added = fs.existsSync(file) ? openPack(file) : undefined;
  if (name === extensionBegin) extension = { file, pack: added, others: new Set([...packed.keys(), ...loaded]) };
  if (added !== undefined) unpack(added, added.script.runInThisContext());
}

function functionOf(name) {
  return `function(exports,require,module,__dirname){${fs.readFileSync(`${scripts}/${name}`, 'latin1')}\n}`;
}

/** Writes the pack or the extension, if this run knows more than it holds. */
function save() {
  if (!require('node:worker_threads').isMainThread) return;
  if (surveyed !== undefined) return fs.writeFileSync(surveyed, JSON.stringify([...loaded].slice(1)));
  if (extensionBegin === undefined) write(packFile, pack, [...packed.keys()], [...loaded]);
  else if (extension !== undefined) {
    const isInside = (name) => name === extensionBegin || !extension.others.has(name);
    write(extension.file, extension.pack, [...packed.keys()].filter(isInside), [...loaded].filter(isInside));
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
  const head = aligned(`${[source.length, ...names].join(' ')}\n`, (text, length) => text.padStart(length));
  fs.writeFileSync(draft, Buffer.concat([Buffer.from(head + source, 'latin1'), functions]));
  fs.renameSync(draft, file);
}

function sourceOf(names) {
  return aligned(`[${names.map((name) => `/*${name}*/${functionOf(name)}`).join(',')}]`, (text, length) => text.padEnd(length));
}

function aligned(text, pad) {
  return pad(text, Math.ceil(text.length / alignment) * alignment);
}

if (isLearning || (packFile !== undefined && !isInBuild))
  process.on('exit', () => {
    try {
      save();
    } catch {
      // The next start is as slow as this one.
    }
  });
// Either runs the command: loading the script, or reading any export of the module.
const whole = `joined/${kind}.js`;
if (packed.has(whole) || fs.existsSync(`${scripts}/${whole}`)) scriptOf(whole)(joined, requireLazily, undefined, __dirname);
else void requireLazily('cli/main.js').default;
