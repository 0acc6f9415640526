// dist/command/loader.js: loads the scripts of the command from a pack or from files, and writes
// packs (launcher.cjs). The body of a function, as the scripts that it loads are.
'use strict';
const { Script, packFile, pack, functions, learnsFunctions, useBaseline } = exports;
const fs = require('node:fs');

/** The functions of V8 in a pack begin at a multiple of it: V8 copies others before it reads them. */
const alignment = 32;
/** The functions of scripts in the pack, by the names of the scripts. */
const packed = new Map(pack?.names.map((name, i) => [name, functions[i]]));
/** The results of `require`, by name. */
const known = new Map();
/** The names of modules and packages, by their exports. */
const nameOf = new Map();
/** The prototype of exports that are not loaded: most runs read few of them, so it is one for all. */
const unloaded = new Proxy(Object.prototype, { get: readFirst });
/** The names of the scripts that ran. */
const loaded = new Set(['loader.js']);
/** Modules that Node has loaded before it runs a program. */
const loadedAtStart = new Set(
  ['buffer', 'events', 'fs', 'path', 'process', 'url', 'util'].map((name) => `node:${name}`),
);

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

/** All exports at once. */
requireLazily.all = (name) => {
  if (name.startsWith('packages/')) return loadPackage(name.slice(9));
  const exports = requireLazily(name);
  void exports.default;
  return exports;
};

function readFirst(_, member, exports) {
  const name = nameOf.get(exports);
  if (name.startsWith('node:')) return copied(exports, require(name), member);
  if (name.startsWith('packages/')) return copied(exports, loadPackage(name.slice(9)), member);
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
  return packed.get(name) ?? new Script(`(${functionOf(name)})`, { filename: fileOf(name) }).runInThisContext();
}

function functionOf(name) {
  return `function(exports,require,module,__dirname){${fs.readFileSync(fileOf(name), 'latin1')}\n}`;
}

/** The library has the same packages. */
function fileOf(name) {
  return name.startsWith('packages/') ? `${__dirname}/${name}` : `${__dirname}/command/${name}`;
}

/** Writes the pack, if this run knows more than it holds. */
function save() {
  const names = [...new Set([...packed.keys(), ...loaded])];
  const isComplete = names.length === packed.size;
  if (isComplete && pack.hasFunctions) return;
  // Only here: it loads a dozen of Node's modules.
  if (!require('node:worker_threads').isMainThread) return;
  const source = isComplete ? pack.source : sourceOf(names);
  // Functions fit only the flags that they were compiled with.
  if (learnsFunctions) useBaseline(true);
  const compiled = isComplete ? pack.script.createCachedData() : Buffer.alloc(0);
  // Another run may read or write the file at the same time.
  const draft = `${packFile}.${process.pid}`;
  fs.mkdirSync(packFile.slice(0, packFile.lastIndexOf('/')), { recursive: true });
  const head = aligned(`${[source.length, ...names].join(' ')}\n`, (text, length) => text.padStart(length));
  fs.writeFileSync(draft, Buffer.concat([Buffer.from(head + source, 'latin1'), compiled]));
  fs.renameSync(draft, packFile);
}

function sourceOf(names) {
  return aligned(`[${names.map((name) => `/*${name}*/${functionOf(name)}`).join(',')}]`, (text, length) =>
    text.padEnd(length),
  );
}

function aligned(text, pad) {
  return pad(text, Math.ceil(text.length / alignment) * alignment);
}

if (packFile !== undefined)
  process.on('exit', () => {
    try {
      save();
    } catch {
      // The next start is as slow as this one.
    }
  });
requireLazily.all('cli/main.js');
