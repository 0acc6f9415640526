/** Requests about sources and the plan, which are answered also while the evaluation runs. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Debuggee } from '../debuggee.js';
import { ArgumentError, type RequestArguments } from '../protocol/arguments.js';

/** Instructions that a client gets by one request. */
const mostInstructions = 10_000;

export function source(debuggee: Debuggee, args: RequestArguments): DebugProtocol.SourceResponse['body'] {
  const wanted = args.has('source') ? args.inner('source') : args;
  const name = debuggee.sources.nameOf(wanted);
  const found = debuggee.session.sources.find((known) => known.name === name);
  if (found === undefined) throw new ArgumentError('the evaluation has no such source');
  const mimeType = found.kind === 'listing' ? 'text/plain' : 'text/x-rego';
  return { content: debuggee.session.sourceText(found.name), mimeType };
}

export function loadedSources({ sources }: Debuggee): DebugProtocol.LoadedSourcesResponse['body'] {
  return { sources: [...sources.all] };
}

/** A module of the protocol is a policy here. */
export function modules({ session }: Debuggee, args: RequestArguments): DebugProtocol.ModulesResponse['body'] {
  const policies = session.sources.filter(({ kind }) => kind === 'policy');
  const start = args.count('startModule') ?? 0;
  const count = args.count('moduleCount') || policies.length;
  const shown = policies.slice(start, start + count);
  return {
    modules: shown.map(({ name, path }) => ({
      id: name,
      name,
      ...(path === undefined ? {} : { path }),
      isUserCode: true,
    })),
    totalModules: policies.length,
  };
}

export function breakpointLocations(
  debuggee: Debuggee,
  args: RequestArguments,
): DebugProtocol.BreakpointLocationsResponse['body'] {
  const { session, notation, sources } = debuggee;
  const name = sources.nameOf(args.inner('source'));
  if (name === undefined) return { breakpoints: [] };
  const from = notation.row(args.neededCount('line'));
  const to = notation.row(args.count('endLine') ?? args.neededCount('line'));
  const column = args.count('column');
  const endColumn = args.count('endColumn');
  const isWithin = (row: number, col: number) =>
    (row > from || column === undefined || col >= notation.col(column)) &&
    (row < to || endColumn === undefined || col <= notation.col(endColumn));
  const found = session.breakpointLocations(name, from, to).filter(({ row, col }) => isWithin(row, col));
  return { breakpoints: found.map((range) => notation.range(range)) };
}

/** Places of a line to which the evaluation can run. */
export function gotoTargets(debuggee: Debuggee, args: RequestArguments): DebugProtocol.GotoTargetsResponse['body'] {
  const { session, notation, sources } = debuggee;
  debuggee.gotoTargets.length = 0;
  const name = sources.nameOf(args.inner('source'));
  const row = notation.row(args.neededCount('line'));
  const found = name === undefined ? [] : session.breakpointLocations(name, row, row);
  const targets = found.map((range) => ({
    id: debuggee.gotoTargets.push(range) - 1,
    label: `line ${range.row}, column ${range.col}`,
    ...notation.range(range),
  }));
  return { targets };
}

export function disassemble(debuggee: Debuggee, args: RequestArguments): DebugProtocol.DisassembleResponse['body'] {
  const { instructions, notation, sources } = debuggee;
  const count = args.neededCount('instructionCount');
  if (count > mostInstructions) throw new ArgumentError(`more than ${mostInstructions} instructions`);
  const offset = (args.offset('offset') ?? 0) + (args.offset('instructionOffset') ?? 0);
  const found = instructions.slice(args.neededText('memoryReference'), offset, count);
  return {
    instructions: found.map(({ number, statement }): DebugProtocol.DisassembledInstruction => {
      if (statement === undefined) return { address: number, instruction: '', presentationHint: 'invalid' };
      const { address, text, depth, place } = statement;
      const location = place && sources.at(place.file);
      return {
        address: number,
        instructionBytes: address,
        instruction: `${'  '.repeat(depth)}${text}`,
        ...(args.flag('resolveSymbols') === false ? {} : { symbol: address.replace(/\/[\d.]+$/, '') }),
        ...(place === undefined || location === undefined ? {} : { location, ...notation.range(place) }),
      };
    }),
  };
}
