/** The bundled extension in a host that only records what is registered. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const bundle = join(import.meta.dirname, '../dist/extension.js');

/** Stands for every class, function and value of the editor that a test does not name. */
function anything(named = {}) {
  // Bundles copy the members that a module has of its own.
  const base = Object.assign(class {}, named);
  return new Proxy(base, {
    get: (target, key) =>
      key in named
        ? named[key]
        : key === 'prototype'
          ? target.prototype
          : key === Symbol.toPrimitive
            ? () => ''
            : anything(),
    apply: () => anything(),
  });
}

/** The extension's own answers for a setting and the folders of a workspace. */
function loaded(setting, folder) {
  const workspace = anything({
    getConfiguration: () => ({ get: () => setting }),
    workspaceFolders: [{ uri: { fsPath: folder } }],
  });
  const load = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? anything({ workspace }) : load(name, ...rest));
  try {
    const require = createRequire(import.meta.url);
    delete require.cache[bundle];
    return require(bundle);
  } finally {
    Module._load = load;
  }
}

test('the command is that of the setting, of the workspace, or of PATH', () => {
  const folder = mkdtempSync(join(tmpdir(), 'writ-extension-'));
  try {
    assert.equal(loaded('', folder).commandPath(), 'writ');
    const bin = join(folder, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'writ'), '');
    assert.equal(loaded('', folder).commandPath(), join(bin, 'writ'));
    assert.equal(loaded('/opt/writ', folder).commandPath(), '/opt/writ');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the main script has its two functions', () => {
  const { activate, deactivate } = loaded('', '/');
  assert.deepEqual([typeof activate, typeof deactivate], ['function', 'function']);
});
