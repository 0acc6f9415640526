/** The whole source of generated functions: declarations, entry, body, errors. */
import type { Index, LoweredBlock, LoweredFunction } from '../lowering/lowered.js';
import { innerBlocks, outermostBlocks } from '../lowering/lowered.js';
import type { FunctionText } from './function-text.js';
import { isScalarText } from './memory/own-results.js';
import type { Sharing } from './part-sharing.js';
import type { CodeWriter } from './writer.js';

/** The activation, and the registers of the parameters. */
export function parametersOf({ params }: LoweredFunction): readonly string[] {
  return ['x', ...Array.from({ length: params }, (_, i) => `r${i}`)];
}

/** Counts a call against the limits; the plan that an evaluation runs is no call. */
export function callCountText({ kind }: LoweredFunction, weight: number): string {
  return kind === 'plan' ? '' : `if ((m.left -= ${weight}) < 0) m.refill();`;
}

/** The meter in a variable, which is the same for all of a call. */
function meterOf(text: string): string {
  return text.includes('m.left') ? 'const m = x.meter;\n' : '';
}

/**
 * The support functions, functions, built-ins and constants that a text names. A function is
 * compiled at its first call, and each call goes straight to it, so that V8 can inline it.
 */
export function declarations({ names, constants, builtins, functions, readers, rules }: CodeWriter): string {
  const support = names.size > 0 ? `const { ${[...names].join(', ')} } = support;\n` : '';
  const calls = [...builtins].map((i) => `const c${i} = B[${i}];\n`).join('');
  const linked = functions.size > 0 ? `let ${[...functions].map((i) => `g${i}`).join(', ')};\n` : '';
  const looked = [...readers, ...rules].map(([text, name]) => `const ${name} = ${text};\n`).join('');
  return support + looked + linked + calls + [...constants].map((i) => `const k${i} = K[${i}];\n`).join('');
}

/** The text around that of a function's body. */
interface Around {
  /** Statements whose errors are those of the caller. */
  readonly ahead?: string | undefined;
  /** Statements before the body. */
  readonly before?: string;
  /** The place at which the function begins. */
  readonly place: Index;
}

/** A function whose errors get its name and the place of the current statement. */
export function functionSource(
  index: number,
  params: readonly string[],
  { text, writer }: FunctionText,
  around: Around,
): string {
  const { ahead = '', before = '', place } = around;
  const names = writer.locals.filter((name) => !params.includes(name));
  const locals = names.length > 0 ? `let ${names.join(', ')};\n` : '';
  return `function f${index}(${params.join(', ')}) {
${ahead}${locals}let t, at = ${place}${writer.countsRounds ? ', n = 0' : ''};
${meterOf(before + text)}try {
${before}
${text}
} catch (error) { throw x.failed(error, ${index}, at); }
}`;
}

const depthCheck = 'if (x.depth >= x.maxDepth) throw tooDeep(x.maxDepth);\n';

/** A function that is split. */
interface SplitFunction {
  readonly func: LoweredFunction;
  readonly weight: number;
  readonly sharing: Sharing;
  /** How many parts have a function of their own. */
  readonly parts: number;
  /** See `entrySource`. */
  readonly remembers: boolean;
  /** The place at which it begins. */
  readonly place: Index;
}

/** A function in pieces. */
export function splitSource(index: number, { text, writer }: FunctionText, split: SplitFunction): string {
  const { func, weight, sharing, parts, remembers, place } = split;
  const names = Array.from({ length: parts }, (_, i) => `p${i}`);
  const params = parametersOf(func);
  const locals = writer.locals.filter((name) => !params.includes(name));
  const entry = entrySource(index, func, remembers, writer);
  return `${declarations(writer)}const [${names.join(', ')}] = parts;
function f${index}(${params.join(', ')}) {
${sharing.kind === 'object' ? sharedRegisters(func) : ''}let ${['t', `at = ${place}`, ...locals].join(', ')};
${meterOf(callCountText(func, weight) + text)}try {
${callCountText(func, weight)}
} catch (error) { throw x.failed(error, ${index}, at); }
${text}
return undefined;
}
${entry}`;
}

function sharedRegisters({ cleared, params, tracker }: LoweredFunction): string {
  const shared = Array.from({ length: cleared }, (_, i) => (i < params ? `r${i}` : `r${i}: undefined`));
  if (tracker !== undefined) shared.push(`r${tracker}: support.newTracker()`);
  return `const s = { ${shared.join(', ')} };\n`;
}

/**
 * The function that callers call; calls that nest too deeply end the evaluation at the place of the
 * call.
 * @param remembers whether results are kept: of a rule its one result, of a function those by its
 * one argument, if that is a scalar
 * @param writer gets the names that the text uses
 */
export function entrySource(index: number, func: LoweredFunction, remembers: boolean, writer: CodeWriter): string {
  if (func.kind === 'plan') return `return f${index};`;
  const params = parametersOf(func).join(', ');
  const value = `const value = f${index}(${params});`;
  const call = mayCall(func) ? `${depthCheck}x.depth++;\n${value}\nx.depth--;` : `${depthCheck}${value}`;
  if (!remembers)
    return `return function c${index}(${params}) {
${call}
return value;
};`;
  writer.use('noValue');
  if (func.params === 2)
    return `return function c${index}(${params}) {
const known = x.memory[${index}];
if (known !== undefined) return known === noValue ? undefined : known;
${call}
x.remember(${index}, value);
return value;
};`;
  return `return function c${index}(${params}) {
const isScalar = ${isScalarText('r2')};
if (isScalar) {
const known = x.memory[${index}]?.get(r2);
if (known !== undefined) return known === noValue ? undefined : known;
}
${call}
if (isScalar) x.rememberFor(${index}, r2, value);
return value;
};`;
}

/** The check of a function that callers call itself: it calls no others, and keeps nothing. */
export function ownDepthCheck(func: LoweredFunction, remembers: boolean): string | undefined {
  return func.kind === 'plan' || remembers || mayCall(func) ? undefined : depthCheck;
}

/** Where a rule or function is written in the text of its caller. */
interface CalleeInPlace {
  readonly func: LoweredFunction;
  /** The place at which it begins. */
  readonly place: Index;
  /** The place of the call. */
  readonly callPlace: Index;
  /** In listings: ends the lines of its statements. */
  readonly mark: string;
}

/** A function in the place of its call, which counts and checks the same; the result is `t`. */
export function calleeSource(index: number, { text, writer }: FunctionText, callee: CalleeInPlace): string {
  const { func, place, callPlace, mark } = callee;
  const [entered, left] = mayCall(func) ? ['x.depth++;\n', '\nx.depth--;'] : ['', ''];
  return `${depthCheck}${entered}at = ${place};
${writer.label}: try {
${text}
${mark}} catch (error) { error = x.failed(error, ${index}, at); at = ${callPlace}; throw error; }${left}`;
}

/** Whether a function calls others: the depth of calls need not be counted otherwise. */
function mayCall(func: LoweredFunction): boolean {
  const calls = (block: LoweredBlock): boolean =>
    block.some((stmt) => stmt.kind === 'call' || stmt.kind === 'callDynamic' || innerBlocks(stmt).some(calls));
  return outermostBlocks(func).some(calls);
}
