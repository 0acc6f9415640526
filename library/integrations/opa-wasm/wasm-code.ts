/**
 * A host of policies that OPA compiled to WebAssembly, by the interface that OPA documents
 * (https://www.openpolicyagent.org/docs/wasm), of versions 1.0 to 1.3.
 */

import { type Evaluation, EvaluationError, Suspension } from '../../../runtime/index.js';
import { encodeUtf8, HaltError, type Json } from '../../../values/index.js';
import type { CustomBuiltins } from './custom-builtins.js';
import { documentBytes } from './document.js';
import { HostBuiltins } from './host-builtins.js';
import { OpaWasmError } from './opa-wasm-error.js';
import type { PolicyCode } from './policy-code.js';
import { PolicyImports } from './policy-imports.js';
import { valueOfText, wasmValueText } from './value-text.js';
import { WasmMemory } from './wasm-memory.js';

/** Addresses and numbers of entrypoints are integers. */
interface PolicyExports {
  readonly memory?: WebAssembly.Memory;
  readonly opa_wasm_abi_version?: { readonly value: number };
  readonly opa_wasm_abi_minor_version?: { readonly value: number };
  eval(context: number): number;
  builtins(): number;
  entrypoints(): number;
  opa_eval_ctx_new(): number;
  opa_eval_ctx_set_input(context: number, value: number): void;
  opa_eval_ctx_set_data(context: number, value: number): void;
  opa_eval_ctx_set_entrypoint(context: number, entrypoint: number): void;
  opa_eval_ctx_get_result(context: number): number;
  opa_malloc(size: number): number;
  opa_free(address: number): void;
  opa_json_parse(address: number, size: number): number;
  opa_value_parse(address: number, size: number): number;
  opa_json_dump(value: number): number;
  opa_value_dump(value: number): number;
  opa_heap_ptr_get(): number;
  opa_heap_ptr_set(address: number): void;
  /** Since version 1.2. */
  opa_eval?(
    reserved: 0,
    entrypoint: number,
    data: number,
    input: number,
    size: number,
    heap: number,
    format: 0,
  ): number;
}

/** The functions of version 1.0. */
const needed = [
  'eval',
  'builtins',
  'entrypoints',
  'opa_eval_ctx_new',
  'opa_eval_ctx_set_input',
  'opa_eval_ctx_set_data',
  'opa_eval_ctx_set_entrypoint',
  'opa_eval_ctx_get_result',
  'opa_malloc',
  'opa_free',
  'opa_json_parse',
  'opa_value_parse',
  'opa_json_dump',
  'opa_value_dump',
  'opa_heap_ptr_get',
  'opa_heap_ptr_set',
] as const satisfies readonly (keyof PolicyExports)[];

/** Blocks of the policy's heap begin at multiples of it. */
const alignment = 8;

const noData = encodeUtf8('{}');

export class WasmCode implements PolicyCode {
  readonly #exports: PolicyExports;
  readonly #memory: WasmMemory;
  readonly entrypoints: Readonly<Record<string, number>>;
  readonly hasDefault = true;
  readonly builtins: HostBuiltins;
  /** Where the policy's heap begins, and where it goes on behind the data. */
  readonly #heapStart: number;
  #heapBehindData = 0;
  /** The address of the data; 0 while there are none. */
  #data = 0;
  #evaluation: Evaluation | undefined;

  /** @param imports of the instance, whose built-ins call the new policy */
  private constructor(instance: WebAssembly.Instance, imports: PolicyImports, custom: CustomBuiltins) {
    this.#exports = checkedExports(instance.exports);
    this.#memory = new WasmMemory(this.#exports.memory ?? imports.memory);
    imports.call = (id, operands) => this.#call(id, operands);
    imports.textAt = (address) => this.#memory.textAt(address);
    // The heap begins only with the first block.
    this.#exports.opa_malloc(0);
    this.#heapStart = this.#exports.opa_heap_ptr_get();
    this.builtins = new HostBuiltins(this.#numbers(this.#exports.builtins()), custom);
    this.entrypoints = this.#numbers(this.#exports.entrypoints());
    this.#load(noData);
  }

  /** Rejects with an OpaWasmError. */
  static async open(
    wasm: Uint8Array | WebAssembly.Module,
    memory: WebAssembly.Memory,
    custom: CustomBuiltins,
  ): Promise<WasmCode> {
    const imports = new PolicyImports(memory);
    try {
      const module = wasm instanceof Uint8Array ? await WebAssembly.compile(wasm as BufferSource) : wasm;
      return new WasmCode(await WebAssembly.instantiate(module, imports.table), imports, custom);
    } catch (error) {
      throw loadingError(error);
    }
  }

  /** Opens without waiting, which pages allow for small modules only. Throws an OpaWasmError. */
  static openAtOnce(
    wasm: Uint8Array | WebAssembly.Module,
    memory: WebAssembly.Memory,
    custom: CustomBuiltins,
  ): WasmCode {
    const imports = new PolicyImports(memory);
    try {
      const module = wasm instanceof Uint8Array ? new WebAssembly.Module(wasm as BufferSource) : wasm;
      return new WasmCode(new WebAssembly.Instance(module, imports.table), imports, custom);
    } catch (error) {
      throw loadingError(error);
    }
  }

  setData(data: unknown): void {
    this.#checkIdle();
    this.#load(documentBytes(data, 'data') ?? noData);
  }

  run(entrypoint: number, input: unknown, evaluation: Evaluation): Json {
    this.#checkIdle();
    const bytes = documentBytes(input, 'input');
    if (this.#data === 0)
      throw new OpaWasmError('memory_exceeded', 'the policy has no data, since the last setData failed');
    this.#evaluation = evaluation;
    try {
      return JSON.parse(this.#results(entrypoint, bytes)) as Json;
    } catch (error) {
      throw evaluationError(error);
    } finally {
      this.#evaluation = undefined;
    }
  }

  #results(entrypoint: number, input: Uint8Array | undefined): string {
    const { opa_eval: evaluate, opa_json_dump: dump } = this.#exports;
    if (evaluate === undefined) return this.#memory.textAt(dump(this.#resultsInContext(entrypoint, input)));
    // The input lies in front of the heap of this evaluation.
    const address = this.#heapBehindData;
    const end = input === undefined ? address : this.#memory.write(input, address);
    const heap = Math.ceil(end / alignment) * alignment;
    return this.#memory.textAt(evaluate(0, entrypoint, this.#data, address, input?.length ?? 0, heap, 0));
  }

  #resultsInContext(entrypoint: number, input: Uint8Array | undefined): number {
    const { opa_heap_ptr_set, opa_eval_ctx_new, opa_eval_ctx_set_data, opa_eval_ctx_set_entrypoint } = this.#exports;
    opa_heap_ptr_set(this.#heapBehindData);
    const context = opa_eval_ctx_new();
    opa_eval_ctx_set_data(context, this.#data);
    opa_eval_ctx_set_entrypoint(context, entrypoint);
    if (input !== undefined)
      this.#exports.opa_eval_ctx_set_input(context, this.#parsed(input, this.#exports.opa_json_parse, 'input'));
    this.#exports.eval(context);
    return this.#exports.opa_eval_ctx_get_result(context);
  }

  #load(data: Uint8Array): void {
    // The old data is gone, whether or not the new data can be loaded.
    this.#data = 0;
    this.#exports.opa_heap_ptr_set(this.#heapStart);
    this.#data = this.#parsed(data, this.#exports.opa_json_parse, 'data');
    this.#heapBehindData = this.#exports.opa_heap_ptr_get();
  }

  /** The address of a value that the policy reads from a text. */
  #parsed(text: Uint8Array, parse: (address: number, size: number) => number, name: string): number {
    const address = this.#exports.opa_malloc(text.length);
    this.#memory.write(text, address);
    const value = parse(address, text.length);
    if (value === 0) throw new OpaWasmError('invalid_document', `${name} is no value that the policy can read`);
    return value;
  }

  #numbers(mapping: number): Readonly<Record<string, number>> {
    return JSON.parse(this.#memory.textAt(this.#exports.opa_json_dump(mapping))) as Record<string, number>;
  }

  #checkIdle(): void {
    if (this.#evaluation !== undefined)
      throw new OpaWasmError('policy_busy', 'a built-in cannot evaluate the policy that calls it');
  }

  /** The address of a result; 0 where the call is undefined. */
  #call(id: number, operands: readonly number[]): number {
    if (this.#evaluation === undefined)
      throw new OpaWasmError('invalid_policy', 'the policy calls a built-in while it is loaded');
    const { opa_value_dump, opa_value_parse } = this.#exports;
    const values = operands.map((operand) => valueOfText(this.#memory.textAt(opa_value_dump(operand))));
    const result = this.builtins.call(id, values, this.#evaluation);
    return result === undefined
      ? 0
      : this.#parsed(encodeUtf8(wasmValueText(result)), opa_value_parse, 'the result of a built-in');
  }
}

function loadingError(error: unknown): OpaWasmError {
  if (error instanceof OpaWasmError) return error;
  return new OpaWasmError('invalid_policy', `the policy cannot be loaded: ${(error as Error).message}`, {
    cause: error,
  });
}

function checkedExports(found: object): PolicyExports {
  const exports = found as PolicyExports;
  const version = exports.opa_wasm_abi_version?.value;
  if (version !== 1) throw new OpaWasmError('unsupported_abi', `unsupported ABI version ${version}`);
  const missing = needed.filter((name) => typeof exports[name] !== 'function');
  if (missing.length > 0) throw new OpaWasmError('invalid_policy', `the policy does not export ${missing.join(', ')}`);
  return exports;
}

/** Faults of the policy and of its built-ins as errors of their kinds. */
function evaluationError(error: unknown): unknown {
  if (error instanceof HaltError)
    return new EvaluationError(error.code, error.message, undefined, [], { cause: error.cause });
  if (error instanceof OpaWasmError || error instanceof EvaluationError || error instanceof Suspension) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new OpaWasmError('policy_abort', `the policy failed: ${message}`, { cause: error });
}
