/** What the plugins' tests have in common: an engine, a log that is kept, bundles on disk. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { LiveEngine } from '../../engine/live-engine.js';
import { nodeHost } from '../../runtime/host/node.js';
import { parseJson } from '../../runtime/values/json/json.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';
import { Logger } from '../observability/logger.js';
import { type ManagerOptions, PluginManager, parsePlugins } from './manager.js';
import type { PluginContext } from './plugin.js';

/** A directory that is gone after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'writ-plugins-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function writeFiles(directory: string, files: { readonly [name: string]: string }): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

/** A bundle of files as an archive. */
export function writeArchive(path: string, files: { readonly [name: string]: string }): string {
  const directory = mkdtempSync(join(tmpdir(), 'writ-archive-'));
  writeFiles(directory, files);
  execFileSync('tar', ['-czf', path, '-C', directory, '.']);
  rmSync(directory, { recursive: true });
  return path;
}

export interface TestBench {
  readonly engine: LiveEngine;
  readonly context: PluginContext;
  /** Lines of the server's log and of the console. */
  readonly lines: PlainObject[];
}

export function bench(): TestBench {
  const lines: PlainObject[] = [];
  const logger = new Logger({ level: 'debug', format: 'json', write: (text) => lines.push(parseJson(text) as PlainObject) });
  const engine = new LiveEngine({ platform: { host: nodeHost } });
  return { engine, lines, context: { engine, logger, console: logger, labels: { id: 'test', version: '0' } } };
}

export interface RunningPlugins extends TestBench {
  readonly manager: PluginManager;
  /** The document at a path. */
  readonly decide: (path: string, input?: Value) => Promise<Value | undefined>;
}

/** Plugins of a configuration, started; they are stopped after the test. */
export async function started(config: Value, options: ManagerOptions = {}, on: TestBench = bench()): Promise<RunningPlugins> {
  const manager = new PluginManager(parsePlugins(config), on.context, options);
  await manager.start();
  onTestFinished(() => manager.stop());
  const decide = async (path: string, input?: Value) => (await on.engine.decide(path.split('/'), input)).value;
  return { ...on, manager, decide };
}

/** Waits until something is so, for a minute at most. */
export async function eventually(check: () => Promise<void> | void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await check();
      return;
    } catch (error) {
      if (attempt === 1200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
