/** Requests about the state at a stop: frames, variables, expressions. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Value } from '../../../values/index.js';
import type { DebugFrame, DebugScope, SessionVariable } from '../../../views/index.js';
import { unboundText, undefinedText } from '../../../views/index.js';
import { type Debuggee, resultFrame, valueFormatOf } from '../debuggee.js';
import { documentPath, replacedAt } from '../document-path.js';
import { ArgumentError, type RequestArguments } from '../protocol/arguments.js';

/** Frames that a client gets at once if it does not say how many. */
const mostFrames = 1000;

export function stackTrace(debuggee: Debuggee, args: RequestArguments): DebugProtocol.StackTraceResponse['body'] {
  const frames = debuggee.isAtEnd ? [resultOf(debuggee)] : debuggee.frames.map((frame) => shownFrame(debuggee, frame));
  const start = args.count('startFrame') ?? 0;
  const levels = args.count('levels') || mostFrames;
  return { stackFrames: frames.slice(start, start + levels), totalFrames: frames.length };
}

function shownFrame({ notation, sources, instructions }: Debuggee, frame: DebugFrame): DebugProtocol.StackFrame {
  const { id, name, range, address, kind } = frame;
  const source = range && sources.at(range.file);
  const reference = instructions.reference(address);
  const place =
    range === undefined || source === undefined ? { line: 0, column: 0 } : { source, ...notation.range(range) };
  return {
    id,
    name,
    ...place,
    canRestart: kind !== 'comprehension' && kind !== 'negation' && kind !== 'with',
    ...(reference === undefined ? {} : { instructionPointerReference: reference }),
    presentationHint: source === undefined ? 'subtle' : 'normal',
  };
}

/** The evaluation is done: a frame that holds its result. */
function resultOf({ stop }: Debuggee): DebugProtocol.StackFrame {
  return {
    id: resultFrame,
    name: stop.outcome?.kind === 'error' ? 'error' : 'result',
    line: 0,
    column: 0,
    presentationHint: 'label',
  };
}

export function scopes(debuggee: Debuggee, args: RequestArguments): DebugProtocol.ScopesResponse['body'] {
  const { session, variables, notation, sources } = debuggee;
  const id = args.neededCount('frameId');
  if (debuggee.isAtEnd && id === resultFrame)
    return {
      scopes: [
        { name: 'Result', variablesReference: variables.list(() => resultVariables(debuggee)), expensive: false },
      ],
    };
  const { head } = debuggee.frame(args)!;
  const source = head && sources.at(head.file);
  const shown = (scope: DebugScope): DebugProtocol.Scope => ({
    name: scope.name,
    ...hintOf(scope),
    variablesReference: variables.list(() => variablesOf(scope)),
    expensive: scope.isExpensive,
    ...(scope.name === 'Variables' && head !== undefined && source !== undefined
      ? { source, ...notation.range(head) }
      : {}),
  });
  return { scopes: session.scopes(id).map(shown) };
}

/** Sentences are no values of expressions. */
function variablesOf(scope: DebugScope): readonly SessionVariable[] {
  const found = scope.variables();
  return scope.name === 'Why here' ? found.map((variable) => ({ ...variable, expression: undefined })) : found;
}

function hintOf({ name }: DebugScope): { presentationHint?: string } {
  if (name === 'Variables') return { presentationHint: 'locals' };
  return name === 'Locals' ? { presentationHint: 'registers' } : {};
}

function resultVariables({ stop: { outcome } }: Debuggee): readonly SessionVariable[] {
  const variable = (name: string, value: Value | undefined): SessionVariable => ({
    name,
    value,
    isWritable: false,
    expression: undefined,
  });
  if (outcome === undefined) return [];
  if (outcome.kind === 'error') return [variable('code', outcome.code), variable('message', outcome.message)];
  return [variable('value', outcome.value), variable('solutions', outcome.solutions)];
}

export function variables(debuggee: Debuggee, args: RequestArguments): DebugProtocol.VariablesResponse['body'] {
  const page = { filter: args.text('filter'), start: args.count('start'), count: args.count('count') };
  return { variables: debuggee.variables.read(args.neededCount('variablesReference'), page, valueFormatOf(args)) };
}

export async function evaluateExpression(
  debuggee: Debuggee,
  args: RequestArguments,
): Promise<DebugProtocol.EvaluateResponse['body']> {
  const text = args.neededText('expression');
  const context = args.text('context');
  const { value, solutions, error, failures, unbound } = await debuggee.session.evaluate(
    text,
    debuggee.frame(args)?.id,
  );
  if (error !== undefined) throw new ArgumentError(`${error.code}: ${error.message}`);
  // In hovers a client shows nothing for what is undefined, as for words that are no expressions.
  if (solutions.length === 0 && value === undefined && context === 'hover')
    throw new ArgumentError(`${text} is undefined`);
  if (unbound !== undefined) return { result: unboundText(unbound), variablesReference: 0 };
  if (failures !== undefined) return { result: undefinedText(failures), variablesReference: 0 };
  const { value: result, ...shown } = debuggee.variables.show(
    solutions.length > 1 ? solutions : value,
    text,
    isWritable(text),
    valueFormatOf(args),
  );
  return { result, ...shown };
}

/** Whether an expression is a place in input or data. */
function isWritable(text: string): boolean {
  try {
    documentPath(text);
    return true;
  } catch {
    return false;
  }
}

/** Input or data to begin again with. */
export interface Assignment {
  readonly documents: { readonly input?: Value; readonly data?: Value };
  readonly value: Value;
}

/** The part of input or data that `setExpression` and `setVariable` change. */
export async function assignment(debuggee: Debuggee, target: string, text: string): Promise<Assignment> {
  const { document, keys } = documentPath(target);
  const { session } = debuggee;
  const { value, error } = await session.evaluate(text);
  if (error !== undefined) throw new ArgumentError(`${error.code}: ${error.message}`);
  if (value === undefined) throw new ArgumentError(`${text} is undefined: a document has values only`);
  return { documents: { [document]: replacedAt(session[document], keys, value) }, value };
}

/** The expression of a variable that a client wants to set. */
export function variableTarget(debuggee: Debuggee, args: RequestArguments): string {
  const { expression, isWritable, name } = debuggee.variables.find(
    args.neededCount('variablesReference'),
    args.neededText('name'),
  );
  if (!isWritable || expression === undefined)
    throw new ArgumentError(`${name} cannot be set: only input, data and parts of them can`);
  return expression;
}

export function completions(debuggee: Debuggee, args: RequestArguments): DebugProtocol.CompletionsResponse['body'] {
  const text = args.neededText('text');
  const lines = text.split('\n');
  const line = Math.min(
    Math.max(debuggee.notation.row(args.offset('line') ?? debuggee.notation.line(1)), 1),
    lines.length,
  );
  const before = lines.slice(0, line - 1).join('\n');
  const column = Math.max(1, debuggee.notation.col(args.neededCount('column'))) + (line > 1 ? before.length + 1 : 0);
  const found = debuggee.session.completions(text, column, debuggee.frame(args)?.id);
  const targets = found.map(({ label, kind, start, length }): DebugProtocol.CompletionItem => {
    return { label, type: itemTypes[kind], start: debuggee.notation.column(start + 1), length };
  });
  return { targets };
}

const itemTypes = {
  variable: 'variable',
  rule: 'reference',
  builtin: 'function',
  keyword: 'keyword',
  property: 'property',
} as const;

export function exceptionInfo(debuggee: Debuggee): DebugProtocol.ExceptionInfoResponse['body'] {
  const { filter, text, outcome } = debuggee.stop;
  const isError = outcome?.kind === 'error';
  const exceptionId = isError ? outcome.code : filter;
  if (exceptionId === undefined) throw new ArgumentError('the evaluation has not stopped at an exception');
  const stack = debuggee.frames.map(({ name, range }) =>
    range === undefined ? name : `${name} (${range.file}:${range.row}:${range.col})`,
  );
  const message = isError ? outcome.message : (text ?? '');
  return {
    exceptionId,
    description: message,
    breakMode: 'always',
    details: { message, typeName: exceptionId, stackTrace: stack.join('\n'), innerException: [] },
  };
}

/** A data breakpoint stops when a rule or a path below it gets a value. */
export function dataBreakpointInfo(
  debuggee: Debuggee,
  args: RequestArguments,
): DebugProtocol.DataBreakpointInfoResponse['body'] {
  const name = args.neededText('name');
  const number = args.count('variablesReference') ?? 0;
  const expression = number === 0 ? name : debuggee.variables.find(number, name).expression;
  if (number > 0 && expression !== undefined && isVariable(expression)) {
    const description = `${expression}, in each rule that has a variable of this name`;
    return { dataId: expression, description, accessTypes: ['write'], canPersist: true };
  }
  if (expression === undefined || !/^data\b/.test(expression)) {
    return { dataId: null, description: `${name} is no rule, and no part of one: only these get values` };
  }
  return { dataId: expression, description: expression, accessTypes: ['write'], canPersist: true };
}

/** Whether an expression is the name of an author's variable. */
function isVariable(expression: string): boolean {
  return (
    /^[A-Za-z_]\w*$/.test(expression) && expression !== 'data' && expression !== 'input' && !/^l\d+$/.test(expression)
  );
}

export function stepInTargets(debuggee: Debuggee, args: RequestArguments): DebugProtocol.StepInTargetsResponse['body'] {
  const { session, notation } = debuggee;
  const targets = session.stepTargets(args.neededCount('frameId'));
  return { targets: targets.map(({ name, range }, id) => ({ id, label: name, ...(range && notation.range(range)) })) };
}
