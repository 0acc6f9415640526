/** The requests that set breakpoints and filters. Nothing is known of sources before the launch. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { BreakpointPlace, BreakpointRequest, SessionFilter } from '../../../views/index.js';
import { type ClientBreakpoints, exceptionFilters, type SetBreakpoint, type Wanted } from '../breakpoints.js';
import type { Debuggee } from '../debuggee.js';
import { ArgumentError, type RequestArguments } from '../protocol/arguments.js';
import type { Notation } from '../sources.js';

interface Body {
  readonly breakpoints: DebugProtocol.Breakpoint[];
}

/** The state that these requests change. */
export interface BreakpointContext {
  readonly breakpoints: ClientBreakpoints;
  readonly notation: Notation;
  readonly debuggee: Debuggee | undefined;
}

export function setBreakpoints(context: BreakpointContext, args: RequestArguments): Body {
  const { notation } = context;
  const source = args.inner('source');
  const file = source.text('path') ?? source.text('name') ?? '';
  const list = `source ${source.count('sourceReference') ?? 0} ${file}`;
  return set(context, args, list, (item) => {
    const row = notation.row(item.neededCount('line'));
    const column = item.count('column');
    const position = column === undefined ? { row } : { row, col: notation.col(column) };
    return (debuggee) => {
      const name = debuggee.sources.nameOf(source);
      if (name === undefined) throw new ArgumentError(`${file} is not among the files of the evaluation`);
      return { kind: 'line', file: name, ...position };
    };
  });
}

export function setFunctionBreakpoints(context: BreakpointContext, args: RequestArguments): Body {
  return set(context, args, 'function', (item) => {
    const name = item.neededText('name');
    return () => ({ kind: 'rule', name });
  });
}

export function setDataBreakpoints(context: BreakpointContext, args: RequestArguments): Body {
  return set(context, args, 'data', (item) => {
    const path = item.neededText('dataId');
    if ((item.text('accessType') ?? 'write') !== 'write')
      throw new ArgumentError('setDataBreakpoints: only access "write" is known');
    return () => ({ kind: 'data', path });
  });
}

export function setInstructionBreakpoints(context: BreakpointContext, args: RequestArguments): Body {
  return set(context, args, 'instruction', (item) => {
    const reference = item.neededText('instructionReference');
    const offset = item.offset('offset') ?? 0;
    return ({ instructions }) => ({ kind: 'statement', address: instructions.at(reference, offset).address });
  });
}

export function setExceptionBreakpoints(context: BreakpointContext, args: RequestArguments): Body {
  const options = args
    .list('filterOptions')
    .map((option) => ({ id: option.neededText('filterId'), condition: option.text('condition') }));
  const asked = [...args.texts('filters').map((id) => ({ id, condition: undefined })), ...options];
  const wanted: SessionFilter[] = [];
  const refused = asked.map(({ id, condition }) => {
    const filter = exceptionFilters.find((offered) => offered.filter === id)?.filter;
    if (filter === undefined) return `there is no filter ${id}`;
    wanted.push({ filter, ...(condition !== undefined && condition.trim() !== '' && { condition }) });
    return undefined;
  });
  const faults = [...context.breakpoints.filter(wanted)];
  const shown = refused.map((reason): DebugProtocol.Breakpoint => {
    const fault = reason ?? faults.shift();
    return fault === undefined ? { verified: true } : { verified: false, message: fault };
  });
  return { breakpoints: shown };
}

/** Reads the list of a request, sets it, and describes the breakpoints that were made. */
function set(
  context: BreakpointContext,
  args: RequestArguments,
  list: string,
  placeOf: (item: RequestArguments) => (debuggee: Debuggee) => BreakpointPlace,
): Body {
  const wanted = args.list('breakpoints').map((item): Wanted => {
    const place = placeOf(item);
    const options = optionsOf(item);
    return { text: JSON.stringify(item), request: (debuggee) => ({ place: place(debuggee), ...options }) };
  });
  return { breakpoints: context.breakpoints.set(list, wanted).map((one) => shownBreakpoint(context, one)) };
}

function optionsOf(item: RequestArguments): Omit<BreakpointRequest, 'place'> {
  const option = (name: string) => item.text(name)?.trim() || undefined;
  const condition = option('condition');
  const hit = option('hitCondition');
  const log = option('logMessage');
  return { ...(condition && { condition }), ...(hit && { hit }), ...(log && { log }) };
}

export function shownBreakpoint(
  { debuggee, notation }: BreakpointContext,
  { id, breakpoint, fault }: SetBreakpoint,
): DebugProtocol.Breakpoint {
  const range = breakpoint?.range;
  const source = range && debuggee?.sources.at(range.file);
  const message =
    fault ?? breakpoint?.message ?? (breakpoint?.verified === false ? 'nothing of the evaluation is there' : undefined);
  return {
    id,
    verified: breakpoint?.verified === true,
    ...(message === undefined ? {} : { message }),
    ...(debuggee === undefined
      ? { reason: 'pending' as const }
      : breakpoint?.verified === true
        ? {}
        : { reason: 'failed' as const }),
    ...(range === undefined || source === undefined ? {} : { source, ...notation.range(range) }),
  };
}
