/** Completions of a line of the debugger's prompt. */
import { basename } from 'node:path';
import type { DebugSession } from '../../views/index.js';

/** Commands that take a place. */
const takesPlace: ReadonlySet<string> = new Set(['break', 'b', 'until', 'u']);

/** Commands that take an expression or a name. */
const takesExpression: ReadonlySet<string> = new Set(['print', 'p', 'watch', 'back', 'B', 'input', 'data']);

/** Commands that take one of a few words. */
const words: Readonly<Record<string, readonly string[]>> = {
  by: ['expression', 'rule', 'statement'],
  delete: ['all'],
  d: ['all'],
};

/**
 * The completions of a line's end, and that end.
 * @param frame the one whose variables are known
 */
export function completeLine(
  line: string,
  commands: readonly string[],
  session: DebugSession,
  frame: number | undefined,
): [string[], string] {
  const [, command, rest] = /^\s*(\S+)\s+(.*)$/s.exec(line) ?? [];
  if (command === undefined || rest === undefined) {
    const start = line.trimStart();
    return [commands.filter((name) => name.length > 1 && name.startsWith(start)).sort(), start];
  }
  const starting = (all: readonly string[]): [string[], string] => [all.filter((one) => one.startsWith(rest)), rest];
  const few = words[command];
  if (few !== undefined) return starting(few);
  if (takesPlace.has(command) && !/\s/.test(rest)) return starting(placesOf(session));
  const [, what] = takesPlace.has(command) ? (/^value\s+(.*)$/s.exec(rest) ?? []) : [];
  if (what !== undefined && !/\s/.test(what)) {
    const variables = frame === undefined ? [] : variableNames(session, frame);
    return [[...variables, ...session.ruleNames].filter((name) => name.startsWith(what)), what];
  }
  if (command === 'step' || command === 's')
    return starting(
      frame === undefined ? [] : session.stepTargets(frame).map(({ name }) => name.replace(/\(.*$/s, '')),
    );
  return takesExpression.has(command) || /\bif\s/.test(rest) ? expressionEnds(rest, session, frame) : [[], rest];
}

function variableNames(session: DebugSession, frame: number): readonly string[] {
  const scope = session.scopes(frame).find(({ name }) => name === 'Variables');
  return scope?.variables().map(({ name }) => name) ?? [];
}

/** Files with a colon, and rules by their paths. */
function placesOf(session: DebugSession): readonly string[] {
  const files = session.sources.filter(({ kind }) => kind === 'policy').map(({ name }) => `${basename(name)}:`);
  const names = session.ruleNames.flatMap((name) => [name, name.slice(name.lastIndexOf('.') + 1)]);
  return [...new Set([...files, ...names, 'value '])].sort();
}

function expressionEnds(text: string, session: DebugSession, frame: number | undefined): [string[], string] {
  const found = session.completions(text, text.length + 1, frame);
  const [first] = found;
  return first === undefined ? [[], text] : [[...new Set(found.map(({ label }) => label))], text.slice(first.start)];
}
