import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { builtinsOnDemand } from './node-builtins.js';

/** The output of a bundle of the given code. */
async function run(code: string, format: 'esm' | 'iife'): Promise<string> {
  const stdin = { contents: code, resolveDir: import.meta.dirname, loader: 'ts' as const, sourcefile: 'entry.ts' };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    write: false,
    platform: 'node',
    format,
    plugins: [builtinsOnDemand],
    logLevel: 'silent',
  });
  const kind = format === 'esm' ? 'module' : 'commonjs';
  const done = spawnSync(process.execPath, [`--input-type=${kind}`, '-'], { input: outputFiles[0]!.text, encoding: 'utf8' });
  expect(done.stderr).toBe('');
  return done.stdout.trim();
}

const loadedCrypto = `process.moduleLoadList.includes('NativeModule internal/crypto/x509')`;

test.each(['esm', 'iife'] as const)('every way of importing a module of Node works in a bundle (%s)', async (format) => {
  const code = `
    import fs, { existsSync } from 'node:fs';
    import * as path from 'path';
    import { createHash, randomUUID as uuid } from 'node:crypto';
    import EventEmitter, { once } from 'node:events';
    import { Readable } from 'node:stream';
    class Emitter extends EventEmitter {}
    class Source extends Readable {}
    const required = require('node:stream');
    console.log(fs.existsSync === existsSync, path.join('a', 'b'), createHash('md5').update('').digest('hex').length, uuid().length,
      new Emitter() instanceof EventEmitter, typeof once, new Source() instanceof required, typeof required.pipeline);
  `;
  expect(await run(code, format)).toBe('true a/b 32 36 true function true function');
});

test('a module of Node is not loaded before something of it is used', async () => {
  const code = `
    import { createHash, X509Certificate } from 'node:crypto';
    const before = ${loadedCrypto};
    createHash('md5');
    export const certificate = () => X509Certificate;
    console.log(before, ${loadedCrypto});
  `;
  expect(await run(code, 'esm')).toBe('false true');
});
