import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/disk.js';
import { started } from '../../../test/harness/server/plugins.js';
import { tellTestsApart } from '../../../test/harness/set-up/concurrent-tests.js';
import { PersistenceError } from './atomic-file.js';
import { PersistenceDirectory } from './persistence-directory.js';

tellTestsApart();

const kept = (mark: number, size = 100) => ({
  digest: `d${mark}`,
  etag: `e${mark}`,
  baseDir: undefined,
  files: new Map([['/data.json', new Uint8Array(size).fill(mark)]]),
});

/** One file of a script and of the sources that it imports, which starts in a fifth of the time. */
async function bundled(script: string, text: string): Promise<string> {
  const stdin = { contents: text, resolveDir: import.meta.dirname, loader: 'ts' } as const;
  const banner = { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" };
  await build({ stdin, banner, bundle: true, platform: 'node', format: 'esm', outfile: script, logLevel: 'error' });
  return script;
}

/** Runs a script that writes lines, and kills it some time after the first. */
async function killed(script: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', () => reject(new Error('the script ended by itself')));
  });
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

describe.concurrent('files kept on disk', () => {
  test('come back as they went in', async () => {
    const place = new PersistenceDirectory(join(temporaryDirectory(), 'deep/er'));
    expect(await place.loadBundle('x')).toBeUndefined();
    await place.saveBundle('x', { ...kept(1), baseDir: 'dir' });
    await place.saveBundle('../x', kept(2));
    await place.savePrograms(new Uint8Array([1, 2, 3]));
    expect(await place.loadBundle('x')).toMatchObject({ digest: 'd1', etag: 'e1', baseDir: 'dir' });
    expect((await place.loadBundle('../x'))?.files.get('/data.json')).toEqual(Buffer.alloc(100, 2));
    expect(await place.loadPrograms()).toEqual(Buffer.from([1, 2, 3]));
    await place.removeBundle('x');
    expect(await place.loadBundle('x')).toBeUndefined();
  });

  test('names of any kind and length are kept apart', async () => {
    const place = new PersistenceDirectory(temporaryDirectory());
    const names = ['a/b', 'a%2Fb', '.', '..', '\ud800', `${'x'.repeat(300)}1`, `${'x'.repeat(300)}2`, ''];
    for (const [i, name] of names.entries()) await place.saveBundle(`n${name}`, kept(i));
    for (const [i, name] of names.entries()) expect((await place.loadBundle(`n${name}`))?.digest).toBe(`d${i}`);
  });

  test('that are cut off or changed are refused', async () => {
    const directory = temporaryDirectory();
    const place = new PersistenceDirectory(directory);
    await place.savePrograms(new Uint8Array(1000));
    const path = join(directory, 'programs.msgpack');
    const bytes = readFileSync(path);
    for (const damaged of [bytes.subarray(0, 500), bytes.subarray(0, 5), Buffer.alloc(0), Buffer.concat([bytes, Buffer.of(0)])]) {
      writeFileSync(path, damaged);
      await expect(place.loadPrograms()).rejects.toThrow(PersistenceError);
    }
  });

  test('that cannot be read or written are told in words, with their path', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'programs.msgpack'));
    writeFileSync(join(directory, 'file'), '');
    const place = new PersistenceDirectory(directory);
    const path = join(directory, 'programs.msgpack');
    await expect(place.loadPrograms()).rejects.toThrow(new PersistenceError(`open ${path}: is a directory`));
    await expect(place.savePrograms(new Uint8Array(1))).rejects.toThrow(new PersistenceError(`write ${path}: is a directory`));
    const inFile = new PersistenceDirectory(join(directory, 'file'));
    await expect(inFile.savePrograms(new Uint8Array(1))).rejects.toThrow(
      /^write .*\/file\/programs\.msgpack: (?:file exists|not a directory)$/,
    );
  });

  test('a server that is killed while it activates and keeps bundles comes back with one of them', async () => {
    const directory = temporaryDirectory();
    const url = (path: string) => JSON.stringify(join(import.meta.dirname, path));
    const config = { bundles: { b: { resource: `file://${directory}/b`, persist: true } }, persistence_directory: join(directory, 'kept') };
    const script = await bundled(
      join(directory, 'server.mjs'),
      `import{mkdirSync,writeFileSync}from'node:fs';
      import{PluginManager}from${url('../manager.ts')};
      import{parsePlugins}from${url('../config/plugins-config.ts')};
      import{createContext}from${url('../../../engine/shared-context.ts')};
      import{Engine}from${url('../../../engine/engine.ts')};
      import{nodeHost}from${url('../../../values/builtins/host/node.ts')};
      import{silentLogger}from${url('../logs/logger.ts')};
      const write=(mark)=>{
        writeFileSync('${directory}/b/.manifest',JSON.stringify({revision:'r'+mark}));
        writeFileSync('${directory}/b/p.rego','package p\\n\\nmark := '+mark+'\\n');
        writeFileSync('${directory}/b/data.json',JSON.stringify({list:Array(200000).fill(mark)}));
      };
      mkdirSync('${directory}/b',{recursive:true});
      write(0);
      const engine=new Engine({context:createContext({host:nodeHost})});
      const context={engine,logger:silentLogger,console:silentLogger,labels:{}};
      const manager=new PluginManager(parsePlugins(${JSON.stringify(config)}),context);
      await manager.start();
      for(let mark=1;;mark++){console.log(mark);write(mark);await manager.trigger();await engine.decide(['p','mark'],undefined);}`,
    );
    for (let round = 0; round < 3; round++) {
      await killed(script, 30 + round * 11);
      rmSync(join(directory, 'b'), { recursive: true });
      const { decide, engine, manager } = await started(config);
      const mark = await decide('p/mark');
      expect(engine.bundles()[0]?.revision).toBe(`r${mark}`);
      expect(await decide('list')).toEqual(Array(200_000).fill(mark));
      await manager.stop();
    }
  });

  test('a process that is killed while it writes leaves the old one or the new one', async () => {
    const directory = temporaryDirectory();
    const size = 5_000_000;
    const script = await bundled(
      join(directory, 'writer.mjs'),
      `import{PersistenceDirectory}from${JSON.stringify(join(import.meta.dirname, 'persistence-directory.ts'))};
      const place=new PersistenceDirectory(${JSON.stringify(directory)});
      for(let mark=1;;mark=mark%100+1){
        await place.saveBundle('b',{digest:'d'+mark,baseDir:undefined,files:new Map([['/data.json',new Uint8Array(${size}).fill(mark)]])});
        console.log(mark);
      }`,
    );
    const place = new PersistenceDirectory(directory);
    for (let round = 0; round < 6; round++) {
      await killed(script, 5 + round * 7);
      const { digest, files } = (await place.loadBundle('b'))!;
      const bytes = files.get('/data.json')!;
      expect(bytes.length).toBe(size);
      expect(`d${bytes[0]}`).toBe(digest);
      expect(bytes.every((byte) => byte === bytes[0])).toBe(true);
    }
    expect(readdirSync(join(directory, 'bundles/b'))).toEqual(['bundle.msgpack']);
  });
});
