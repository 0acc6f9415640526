/** `run` without `--server`: a prompt with a persistent history. */
import { appendFileSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildInfo } from '../../engine/index.js';
import type { Arguments } from '../args.js';
import { loadSources } from '../eval/eval-sources.js';
import { Timers } from '../eval/timers.js';
import { exitCodes } from '../exit.js';
import { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { PromptSession } from './prompt-session.js';

const keptLines = 1000;

/**
 * Reads lines from standard input until it ends. Resolves with the exit code; rejects if files
 * cannot be loaded.
 */
export async function runPrompt({ flags, positionals }: Arguments, io: Io): Promise<number> {
  const named = new Map<string, string[]>([['ignore', [...flags.all('ignore')]]]);
  if (positionals.length > 0) named.set(flags.on('bundle') ? 'bundle' : 'data', [...positionals]);
  const sources = await loadSources(new FlagValues(named), new Timers());
  const session = new PromptSession(
    sources,
    io,
    flags.text('format') === 'json' ? 'json' : 'pretty',
    flags.on('v0-compatible') ? 'v0' : 'v1',
  );
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const path = flags.text('history') || join(homedir(), '.opa_history');
  const reader = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: isTerminal,
    ...(isTerminal && { history: historyOf(path), historySize: keptLines }),
  });
  if (isTerminal) io.stdout(`writ ${buildInfo.version}: type 'help' for help, 'exit' to end.\n\n`);
  // Lines of a pipe are read ahead: it may have ended while the first ones are executed.
  let isClosed = false;
  reader.once('close', () => (isClosed = true));
  const ask = (): void => {
    reader.setPrompt(isTerminal ? session.prompt : '');
    if (!isClosed) reader.prompt();
  };
  ask();
  for await (const line of reader) {
    if (isTerminal && line.trim() !== '') remember(path, line);
    if (!(await session.line(line))) break;
    ask();
  }
  reader.close();
  return exitCodes.ok;
}

/** The last lines, newest first. */
function historyOf(path: string): string[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines
      .filter((line) => line !== '')
      .slice(-keptLines)
      .reverse();
  } catch {
    return [];
  }
}

function remember(path: string, line: string): void {
  try {
    appendFileSync(path, `${line}\n`);
  } catch {
    // The prompt works without a history file.
  }
}
