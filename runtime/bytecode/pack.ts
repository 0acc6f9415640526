/**
 * Programs as bytes, to compile once and run later or in other threads. Bytes are as trusted as
 * the program itself: the VM does not check instructions. So callers that store bytes store a
 * digest with them, and bytes from elsewhere are never unpacked.
 */
import { Packr } from 'msgpackr/pack';
import type { Steps, Value } from '../../values/index.js';
import { exactText, exactValue, exactValueSteps, internalized, JsonError } from '../../values/index.js';
import type { LoweredFunction } from '../lowering/lowered.js';
import type { DispatchConstant } from '../operations/dispatch-key.js';
import { instructions } from './instructions.js';
import { Op } from './opcodes.js';
import type { Program, ProgramFunction } from './program.js';
import type { StatementAddresses } from './statement-addresses.js';

/** Bytes that are no program, or a program of a release with other instructions. */
export class PackError extends Error {
  readonly code = 'pack_error';

  constructor(message: string) {
    super(message);
    this.name = 'PackError';
  }
}

/** Incremented with each change of the layout below. */
const layout = 8;
/** Programs of other instructions have another meaning. */
const language = `${layout}-${hash(JSON.stringify([Op, instructions]))}`;

const packr = new Packr({ useRecords: false });
/** Statements of one kind have the same fields, whose names are written once. */
const recordPackr = () => new Packr({ useRecords: true });
const kinds = ['plan', 'rule', 'function'] as const;

/**
 * The packed form: lists of numbers as they are, and one table of all texts, with constants as
 * exact JSON.
 */
type Packed = readonly [
  language: string,
  texts: readonly string[],
  code: Uint8Array,
  origins: Uint8Array,
  places: Uint8Array,
  addresses: readonly [owners: readonly number[], starts: Uint8Array, bytes: Uint8Array],
  constants: readonly number[],
  functions: readonly (readonly [name: number, kind: number, path: readonly number[] | null, ...numbers: number[]])[],
  plans: readonly (readonly [name: number, index: number])[],
  paths: readonly (readonly [key: number, index: number])[],
  builtins: readonly number[],
  documentPaths: readonly (readonly number[])[],
  tables: readonly (readonly (readonly [
    constant: number | boolean | readonly [number],
    positions: readonly number[],
  ])[])[],
  files: readonly number[],
  /** Packed on their own, since few programs run so often that code is generated. */
  lowered: Uint8Array | null,
];

/** A program as bytes. Throws a PackError where a constant nests too deeply to be written. */
export function packProgram(given: Program): Uint8Array {
  const program = given.growth?.whole() ?? given;
  const texts = new Map<string, number>();
  const text = (value: string): number => {
    const known = texts.get(value) ?? texts.size;
    texts.set(value, known);
    return known;
  };
  const index = ([key, at]: readonly [string, number]) => [text(key), at] as const;
  const packed: Packed = [
    language,
    [],
    bytesOf(program.code),
    bytesOf(program.origins),
    bytesOf(program.places),
    [program.addresses.owners.map(text), bytesOf(program.addresses.starts), program.addresses.bytes],
    program.constants.map((value) => text(constantText(value))),
    program.functions.map(({ name, kind, path, entry, registers, cleared, params, isQuick, weight }) => [
      text(name),
      kinds.indexOf(kind),
      path?.map(text) ?? null,
      entry,
      registers,
      cleared,
      params,
      weight,
      isQuick ? 1 : 0,
    ]),
    [...program.plans].map(index),
    [...program.paths].map(index),
    program.builtins.map(text),
    program.documentPaths.map((path) => path.map(text)),
    program.tables.map((table) => [...table].map(([key, at]) => [packedConstant(key, text), at] as const)),
    program.files.map(text),
    program.lowered === undefined ? null : recordPackr().pack(program.lowered),
  ];
  return packr.pack(packed.with(1, [...texts.keys()]));
}

/** A text is the number of it, so a number is in a list. */
function packedConstant(
  constant: DispatchConstant,
  text: (value: string) => number,
): number | boolean | readonly [number] {
  if (typeof constant === 'string') return text(constant);
  return typeof constant === 'number' ? [constant] : constant;
}

/** The program of bytes, in steps: a constant may be long. Throws a PackError. */
export function* unpackSteps(bytes: Uint8Array): Steps<Program> {
  let value: unknown;
  try {
    value = packr.unpack(bytes);
  } catch (error) {
    throw new PackError(`packed program cannot be read: ${(error as Error).message}`);
  }
  if (!Array.isArray(value) || value[0] !== language) throw new PackError('packed program is of another release');
  try {
    return yield* programSteps(value as unknown as Packed);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError || error instanceof JsonError) {
      throw new PackError(`packed program has another layout: ${error.message}`);
    }
    throw error;
  }
}

function* programSteps(packed: Packed): Steps<Program> {
  const [
    ,
    texts,
    code,
    origins,
    places,
    addresses,
    constants,
    functions,
    plans,
    paths,
    builtins,
    documentPaths,
    tables,
    files,
    lowered,
  ] = packed;
  const text = (at: number): string => {
    const found = texts[at];
    if (typeof found !== 'string') throw new PackError(`packed program has no text ${at}`);
    return found;
  };
  const values: Value[] = [];
  for (const [i, at] of constants.entries()) {
    values.push(yield* constantSteps(text(at)));
    if (i % constantsPerStep === constantsPerStep - 1) yield;
  }
  const program = {
    code: integersOf(code),
    origins: integersOf(origins),
    places: integersOf(places),
    addresses: addressesOf(addresses, text),
    constants: values,
    functions: functions.map(functionOf(text)),
    plans: new Map(plans.map(([key, at]) => [text(key), at])),
    paths: new Map(paths.map(([key, at]) => [text(key), at])),
    builtins: builtins.map(text),
    documentPaths: documentPaths.map((path) => path.map((at) => internalized(text(at)))),
    tables: tables.map(
      (table) =>
        new Map(
          table.map(([key, at]) => [
            typeof key === 'number' ? text(key) : Array.isArray(key) ? (key as readonly [number])[0] : (key as boolean),
            at,
          ]),
        ),
    ),
    files: files.map(text),
  };
  return lowered === null ? program : withLowered(program, lowered);
}

/** Read when they are first wanted. The copy lets go of the other bytes. */
function withLowered(program: Program, packed: Uint8Array): Program {
  let bytes: Uint8Array | undefined = packed.slice();
  let functions: readonly LoweredFunction[] | undefined;
  const get = () => {
    if (bytes !== undefined) functions = recordPackr().unpack(bytes) as readonly LoweredFunction[];
    bytes = undefined;
    return functions;
  };
  return Object.defineProperty(program, 'lowered', { get, enumerable: true });
}

/** The copy lets go of the other bytes. */
function addressesOf([owners, starts, bytes]: Packed[5], text: (at: number) => string): StatementAddresses {
  return { owners: owners.map(text), starts: integersOf(starts), bytes: Uint8Array.from(bytes) };
}

function functionOf(text: (at: number) => string): (row: Packed[7][number]) => ProgramFunction {
  return ([name, kind, path, ...numbers]) => {
    const [entry, registers, cleared, params, weight, isQuick] = numbers as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return {
      name: text(name),
      kind: kinds[kind]!,
      path: path?.map(text),
      entry,
      registers,
      cleared,
      params,
      isQuick: isQuick === 1,
      weight,
    };
  };
}

/** FNV-1a in 64 bits: enough to tell releases apart. */
function hash(text: string): string {
  let state = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++)
    state = BigInt.asUintN(64, (state ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  return state.toString(16);
}

/** Little-endian on every machine. */
function bytesOf(integers: ArrayLike<number>): Uint8Array {
  const view = new DataView(new ArrayBuffer(integers.length * 4));
  for (let i = 0; i < integers.length; i++) view.setInt32(i * 4, integers[i]!, true);
  return new Uint8Array(view.buffer);
}

function integersOf(bytes: Uint8Array): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int32Array.from({ length: bytes.byteLength / 4 }, (_, i) => view.getInt32(i * 4, true));
}

/** A constant as JSON that keeps sets and keys of any kind. */
function constantText(value: Value): string {
  try {
    return exactText(value);
  } catch (error) {
    if (error instanceof RangeError || error instanceof JsonError)
      throw new PackError('a constant nests too deeply to be packed');
    throw error;
  }
}

const constantsPerStep = 500;
/** The length of a text that takes more than a step. */
const longText = 20_000;
const encoder = new TextEncoder();

function* constantSteps(text: string): Steps<Value> {
  const value = text.length < longText ? exactValue(text) : yield* exactValueSteps(encoder.encode(text), {});
  return typeof value === 'string' ? internalized(value) : value;
}
