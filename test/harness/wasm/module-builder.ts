/** WebAssembly modules as bytes: functions over 32-bit integers, one memory. */

/** A function: parameters and results are integers, and so are its further locals. */
export interface WasmFunction {
  readonly name: string;
  readonly params: number;
  readonly hasResult: boolean;
  /** Locals beside the parameters. */
  readonly locals?: number;
  readonly code: Code;
}

interface WasmImport {
  readonly name: string;
  readonly params: number;
  readonly hasResult: boolean;
}

/** Instructions: bytes, and calls of functions by name. */
export type Code = readonly (number | { readonly call: string } | Code)[];

export interface WasmModule {
  /** Functions of `env`. */
  readonly imports: readonly WasmImport[];
  readonly functions: readonly WasmFunction[];
  /** Exported functions by their names outside. */
  readonly exports: Readonly<Record<string, string>>;
  /** Integers; those with a name are exported and do not change. */
  readonly globals: readonly { readonly value: number; readonly name?: string }[];
  readonly data: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  /** Pages of the memory, which is imported from `env`, or the module's own. */
  readonly memory: { readonly pages: number; readonly isImported: boolean; readonly isExported: boolean };
}

const i32 = 0x7f;

/** The integers of an instruction: signed LEB128. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value | 0; ; left >>= 7) {
    const byte = left & 127;
    const isLast = (left >> 7 === 0 && (byte & 64) === 0) || (left >> 7 === -1 && (byte & 64) !== 0);
    bytes.push(isLast ? byte : byte | 128);
    if (isLast) return bytes;
  }
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) | 128);
    if (left < 128) return bytes;
  }
}

function list(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function named(name: string): number[] {
  const bytes = [...new TextEncoder().encode(name)];
  return [...unsigned(bytes.length), ...bytes];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

/** Instructions by what they do. */
export const op = {
  const: (value: number): Code => [0x41, ...signed(value)],
  get: (local: number): Code => [0x20, ...unsigned(local)],
  set: (local: number): Code => [0x21, ...unsigned(local)],
  tee: (local: number): Code => [0x22, ...unsigned(local)],
  global: (index: number): Code => [0x23, ...unsigned(index)],
  setGlobal: (index: number): Code => [0x24, ...unsigned(index)],
  call: (name: string): Code => [{ call: name }],
  load: (offset = 0): Code => [0x28, 2, ...unsigned(offset)],
  store: (offset = 0): Code => [0x36, 2, ...unsigned(offset)],
  storeByte: [0x3a, 0, 0] as Code,
  pages: [0x3f, 0] as Code,
  grow: [0x40, 0] as Code,
  copy: [0xfc, 10, 0, 0] as Code,
  eqz: [0x45] as Code,
  eq: [0x46] as Code,
  greater: [0x4b] as Code,
  add: [0x6a] as Code,
  subtract: [0x6b] as Code,
  and: [0x71] as Code,
  divide: [0x6e] as Code,
  multiply: [0x6c] as Code,
  if: (then: Code): Code => [0x04, 0x40, then, 0x0b],
  loop: (body: Code): Code => [0x03, 0x40, body, 0x0b],
  again: [0x0c, 0] as Code,
  return: [0x0f] as Code,
  drop: [0x1a] as Code,
  unreachable: [0x00] as Code,
};

export function moduleBytes({ imports, functions, exports, globals, data, memory }: WasmModule): Uint8Array<ArrayBuffer> {
  const callable = [...imports, ...functions];
  const numbers = new Map(callable.map(({ name }, i) => [name, i]));
  const types = callable.map(({ params, hasResult }) => [0x60, ...list(Array(params).fill([i32])), ...list(hasResult ? [[i32]] : [])]);
  const importedMemory = memory.isImported ? [[...named('env'), ...named('memory'), 2, 0, ...unsigned(memory.pages)]] : [];
  const functionExports = Object.entries(exports).map(([name, inside]) => [...named(name), 0, ...unsigned(numbers.get(inside)!)]);
  const globalExports = globals.flatMap(({ name }, i) => (name === undefined ? [] : [[...named(name), 3, ...unsigned(i)]]));
  const memoryExport = memory.isExported ? [[...named('memory'), 2, 0]] : [];
  const bytesOf = (code: Code): number[] =>
    code.flatMap((part) => {
      if (typeof part === 'number') return [part];
      return 'call' in part ? [0x10, ...unsigned(numbers.get(part.call)!)] : bytesOf(part);
    });
  const bodies = functions.map(({ locals = 0, code }) => {
    const body = [...(locals === 0 ? [0] : [1, ...unsigned(locals), i32]), ...bytesOf(code), 0x0b];
    return [...unsigned(body.length), ...body];
  });
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(2, list([...imports.map(({ name }, i) => [...named('env'), ...named(name), 0, ...unsigned(i)]), ...importedMemory])),
    ...section(3, list(functions.map((_, i) => unsigned(imports.length + i)))),
    ...(memory.isImported ? [] : section(5, list([[0, ...unsigned(memory.pages)]]))),
    ...section(6, list(globals.map(({ value, name }) => [i32, name === undefined ? 1 : 0, 0x41, ...signed(value), 0x0b]))),
    ...section(7, list([...functionExports, ...globalExports, ...memoryExport])),
    ...section(10, list(bodies)),
    ...section(11, list(data.map(({ at, bytes }) => [0, 0x41, ...signed(at), 0x0b, ...unsigned(bytes.length), ...bytes]))),
  ]);
}
