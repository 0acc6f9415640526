/** The operands of `loadPolicy` → a loaded policy. */
import type { Bundle, Platform, WasmFile } from '../../../engine/index.js';
import { createContext, isGzip, readArchive, type SharedContext } from '../../../engine/index.js';
import type { CustomBuiltins } from './custom-builtins.js';
import { bytesOfDocument } from './document.js';
import { loadRows, parserBuiltin } from './host-builtins.js';
import { importedPages } from './imported-pages.js';
import { LoadedPolicy } from './loaded-policy.js';
import { noRule, OpaWasmError } from './opa-wasm-error.js';
import { WasmCode } from './wasm-code.js';

/** An answer of `fetch`. */
interface Answer {
  readonly ok?: boolean;
  readonly status?: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The bytes of a policy's WebAssembly. */
export type PolicyBytes = ArrayBuffer | ArrayBufferView;

/** A `WebAssembly.Module`, whose type only some settings of TypeScript know. */
export type PolicyModule = object;

/**
 * A policy: the bytes of `policy.wasm`, a `WebAssembly.Module`, the bytes of a bundle
 * (`bundle.tar.gz`), an answer of `fetch` with either, a promise of it, or a bundle from
 * `readBundle`.
 */
export type PolicySource = PolicyBytes | Answer | PromiseLike<Answer> | Bundle | PolicyModule;

/** The pages of memory, of 64 KiB, with which a policy begins, or limits for it too. */
export type MemoryDescriptor =
  | number
  | { readonly initial: number; readonly maximum?: number; readonly shared?: boolean };

/** The pages that suffice for most policies. */
const defaultPages = 5;

/** Loads policies on a platform. */
export class PolicyLoader {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  async load(
    source: PolicySource,
    memory: MemoryDescriptor | undefined,
    custom: CustomBuiltins,
  ): Promise<LoadedPolicy> {
    const given = await readSource(source);
    if (given instanceof Uint8Array && isGzip(given))
      return await this.#loadBundle(await readArchive(given), memory, custom);
    if ('manifest' in given) return await this.#loadBundle(given, memory, custom);
    return await this.#loadWasm(given, memory, custom);
  }

  /** A policy's WebAssembly alone, without waiting. */
  loadAtOnce(
    source: PolicyBytes | PolicyModule,
    memory: MemoryDescriptor | undefined,
    custom: CustomBuiltins,
  ): LoadedPolicy {
    const wasm = bytesOfDocument(source) ?? checkedModule(source);
    if (wasm instanceof Uint8Array && isGzip(wasm))
      throw new OpaWasmError('invalid_policy', 'a bundle is loaded by loadPolicy');
    const code = WasmCode.openAtOnce(wasm, memoryFor(wasm, memory), custom);
    const context = this.#context();
    // Most of them are there when the first decision is asked for.
    Promise.all([loadRows(this.#platform, code.builtins.names), loadParser(context, code.builtins.names)]).catch(
      () => undefined,
    );
    return new LoadedPolicy(code, context);
  }

  /** See `loadBuiltins`. */
  async loadBuiltins(): Promise<void> {
    await loadRows(this.#platform);
  }

  async #loadWasm(
    wasm: Uint8Array | WebAssembly.Module,
    memory: MemoryDescriptor | undefined,
    custom: CustomBuiltins,
  ): Promise<LoadedPolicy> {
    const code = await WasmCode.open(wasm, memoryFor(wasm, memory), custom);
    const context = this.#context();
    await Promise.all([loadRows(this.#platform, code.builtins.names), loadParser(context, code.builtins.names)]);
    return new LoadedPolicy(code, context);
  }

  async #loadBundle(
    bundle: Bundle,
    memory: MemoryDescriptor | undefined,
    custom: CustomBuiltins,
  ): Promise<LoadedPolicy> {
    const [wasm] = bundle.wasm;
    const runWasm = async ({ bytes }: WasmFile) => {
      const policy = await this.#loadWasm(bytes, memory, custom);
      for (const { entrypoint } of bundle.manifest.wasm)
        if (!Object.hasOwn(policy.entrypoints, entrypoint)) throw noRule(entrypoint);
      policy.setData(bundle.data);
      return policy;
    };
    if (bundle.modules.length === 0 && bundle.plans.length === 0 && wasm !== undefined) return await runWasm(wasm);
    // Policies may call any.
    await this.#platform.loadBuiltins?.();
    const { planCode } = await import('./plan-code.js');
    const context = this.#context();
    await loadParser(context, [parserBuiltin]);
    const code = await planCode(bundle, custom);
    return 'bytes' in code ? await runWasm(code) : new LoadedPolicy(code, context);
  }

  #context(): SharedContext {
    return createContext(this.#platform);
  }
}

/** The parser is large, and most policies do not use it. */
async function loadParser(context: SharedContext, names: readonly string[]): Promise<void> {
  if (!names.includes(parserBuiltin)) return;
  const { parseModuleValue } = await import('../../../engine/policies/module-value.js');
  context.parseModule = parseModuleValue;
}

async function readSource(source: PolicySource): Promise<Uint8Array | WebAssembly.Module | Bundle> {
  const given: unknown = await source;
  const bytes = bytesOfDocument(given);
  if (bytes !== undefined) return bytes;
  if (typeof given !== 'object' || given === null) throw unknownSource(given);
  if ('arrayBuffer' in given) return await bodyOf(given as Answer);
  return 'manifest' in given ? (given as Bundle) : checkedModule(given);
}

async function bodyOf(answer: Answer): Promise<Uint8Array> {
  if (answer.ok === false)
    throw new OpaWasmError('invalid_policy', `the policy was not found: the server answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

function checkedModule(given: unknown): WebAssembly.Module {
  // A module may be of another realm, such as that of a test runner.
  if (Object.prototype.toString.call(given) !== '[object WebAssembly.Module]') throw unknownSource(given);
  return given as WebAssembly.Module;
}

function unknownSource(given: unknown): OpaWasmError {
  const what = given === null || typeof given !== 'object' ? String(given) : 'an object';
  return new OpaWasmError(
    'invalid_policy',
    `${what} is no policy: give the bytes of policy.wasm or of a bundle, a WebAssembly.Module, or an answer of fetch`,
  );
}

function memoryFor(wasm: Uint8Array | WebAssembly.Module, given: MemoryDescriptor | undefined): WebAssembly.Memory {
  const pages = Math.max(defaultPages, wasm instanceof Uint8Array ? importedPages(wasm) : 0);
  const descriptor = given === undefined ? { initial: pages } : typeof given === 'number' ? { initial: given } : given;
  try {
    return new WebAssembly.Memory(descriptor);
  } catch (error) {
    throw new OpaWasmError('memory_exceeded', (error as Error).message, { cause: error });
  }
}
