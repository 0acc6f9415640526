/** Formats that a command of the user reads: it gets the text, and writes JSON. */
import { spawnSync } from 'node:child_process';
import { FileFormatError, type Format } from './format.js';
import { readJsonText } from './json.js';

/** A command that does not end in this time has failed. */
const timeoutMs = 60_000;
const mostOutput = 256 * 1024 * 1024;

/**
 * @param line the command, its arguments behind spaces, quotes as in a shell; it is no shell that
 * runs it
 */
export function commandFormat(line: string): Format {
  const [command = '', ...args] = (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
  return {
    parse(text) {
      const { stdout, stderr, status, error } = spawnSync(command, args, {
        input: text,
        encoding: 'utf8',
        timeout: timeoutMs,
        maxBuffer: mostOutput,
      });
      if (error !== undefined) throw new FileFormatError(`run ${command}: ${error.message}`);
      if (status !== 0) throw new FileFormatError(`${command}: ${stderr.trim() || `exit status ${status}`}`);
      return readJsonText(stdout, `read the output of ${command}`);
    },
  };
}
