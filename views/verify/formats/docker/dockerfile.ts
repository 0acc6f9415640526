/** Dockerfiles: a list of one list of instructions, comments among them. */

import { editDistance, type PlainObject, type Value } from '../../../../values/index.js';
import { FileFormatError, type Format } from '../format.js';
import { argumentProblem, dockerCommands, readArguments } from './docker-arguments.js';
import { dockerInstructions, type Instruction } from './docker-lines.js';

export const dockerfile: Format = {
  parse(text, _context, marks) {
    const instructions = dockerInstructions(text);
    if (instructions.length === 0) throw new FileFormatError('parse dockerfile: file with no instructions', 0);
    const commands: PlainObject[] = [];
    let stages = 0;
    for (const instruction of instructions) {
      const command = commandOf(instruction);
      if (command.Cmd === 'from') stages++;
      const Stage = Math.max(0, stages - 1);
      for (const { text: comment, start, end } of instruction.comments) {
        marks?.at(commands, commands.length, start, end);
        commands.push({ Cmd: 'comment', SubCmd: '', JSON: false, Flags: null, Value: [comment], Stage });
      }
      marks?.at(commands, commands.length, instruction.start, instruction.end);
      commands.push({ ...command, Stage });
    }
    const list = [commands];
    marks?.at(list, 0, 0, text.length);
    return list;
  },
};

interface Command {
  readonly Cmd: string;
  readonly SubCmd: string;
  readonly JSON: boolean;
  readonly Flags: readonly string[] | null;
  readonly Value: readonly string[] | null;
  readonly [key: string]: Value;
}

function commandOf(instruction: Instruction): Command {
  const { name, flags, rest } = partsOf(instruction.text);
  const Cmd = name.toLowerCase();
  if (!dockerCommands.has(Cmd)) throw problem(`unknown instruction: ${name}${meant(name)}`, instruction);
  if (Cmd === 'onbuild') return triggerOf(rest, flags, instruction);
  const { values, isJson } = readArguments(Cmd, rest);
  const wrong = argumentProblem(Cmd, values, isJson);
  if (wrong !== undefined) throw problem(wrong, instruction);
  return { Cmd, SubCmd: '', JSON: isJson, Flags: flags, Value: values };
}

/** The instruction of `ONBUILD`. */
function triggerOf(text: string, Flags: readonly string[], instruction: Instruction): Command {
  if (text === '') throw problem('ONBUILD requires at least one argument', instruction);
  const { name, rest } = partsOf(text);
  const Cmd = name.toLowerCase();
  if (!dockerCommands.has(Cmd)) throw problem(`unknown instruction: ${name}${meant(name)}`, instruction);
  if (Cmd === 'onbuild') throw problem("Chaining ONBUILD via `ONBUILD ONBUILD` isn't allowed", instruction);
  if (Cmd === 'from' || Cmd === 'maintainer')
    throw problem(`${name.toUpperCase()} isn't allowed as an ONBUILD trigger`, instruction);
  const { values, isJson } = readArguments(Cmd, rest);
  return { Cmd: 'onbuild', SubCmd: name, JSON: isJson, Flags, Value: values };
}

function problem(message: string, { start }: Instruction): FileFormatError {
  return new FileFormatError(`process dockerfile instructions: ${message}`, start);
}

function meant(name: string): string {
  const near = [...dockerCommands].find((known) => editDistance(known, name.toLowerCase()) <= 2);
  return near === undefined || name.length < 3 ? '' : ` (did you mean ${near.toUpperCase()}?)`;
}

function partsOf(text: string): { readonly name: string; readonly flags: readonly string[]; readonly rest: string } {
  const [, name = '', after = ''] = /^(\S+)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  const flags: string[] = [];
  let rest = after;
  for (;;) {
    const flag = /^--(?:[^\s"']|"(?:[^"\\]|\\.)*"|'[^']*')*(?=\s|$)/.exec(rest)?.[0];
    if (flag === undefined) return { name, flags, rest: rest.trim() };
    rest = rest.slice(flag.length).trimStart();
    if (flag === '--') return { name, flags, rest: rest.trim() };
    flags.push(flag.replace(/["']/g, ''));
  }
}
