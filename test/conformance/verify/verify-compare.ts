/**
 * Compares an answer with the recorded ones: exit code and stdout are the contract, of an error the
 * stage and the file. The words after these belong to the reference's libraries.
 */
import type { VerifyAnswer, VerifyCase } from './verify-case.js';

/** The first difference from the recorded answers; undefined if the answer is one of them. */
export function answerDifference(one: VerifyCase, got: VerifyAnswer): string | undefined {
  // Where the reference crashes, an error is better.
  if (one.stderr?.startsWith('panic: '))
    return got.exit === 1 && got.stdout === '' && got.stderr?.startsWith('Error: ')
      ? undefined
      : `wanted an error instead of a crash, got ${got.exit}: ${got.stdout}${got.stderr}`;
  const whys = [one, ...(one.others ?? [])].map((want) => differenceFrom(want, got, one.unordered === true));
  return whys.includes(undefined) ? undefined : whys[0];
}

function differenceFrom(want: VerifyAnswer, got: VerifyAnswer, isUnordered: boolean): string | undefined {
  if (want.exit !== got.exit) return `wanted the exit status ${want.exit}, got ${got.exit}: ${got.stderr || got.stdout}`;
  const isSame = want.stdout === got.stdout || (isUnordered && sorted(want.stdout) === sorted(got.stdout));
  if (!isSame) return `wanted\n${want.stdout}\ngot\n${got.stdout}\n${got.stderr}`;
  const [wanted, found] = [errorPlace(want.stderr ?? ''), errorPlace(got.stderr ?? '')];
  return wanted === found ? undefined : `wanted the error ${wanted}, got ${found}: ${got.stderr}`;
}

function sorted(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/,$/, ''))
    .sort()
    .join('\n');
}

/** The stages that an error names before the words of a library. */
const stages = new Set(
  `Error|running test|running verification|load|loading policies|load documents|get compiler|parse files
  |parse configurations|parser unmarshal|new parser|new|get files from directory|get file info|query rule|check
  |query exception|new result|run test|read in config|error reading config|unmarshal parameters|load capabilities`
    .split('|')
    .map((stage) => stage.trim()),
);

/** `Error: running test: parse configurations … path: a.yaml`; empty where there is none. */
function errorPlace(stderr: string): string {
  const line = stderr.split('\n').find((text) => text.startsWith('Error: '));
  if (line === undefined) return '';
  const parts = line.split(': ');
  const end = parts.findIndex((part) => !stages.has(part));
  const file = /, path: (.*)$/.exec(stderr.trimEnd())?.[1];
  return `${parts.slice(0, end === -1 ? parts.length : end).join(': ')}${file === undefined ? '' : ` … path: ${file}`}`;
}
