import { OpaWasmError } from './opa-wasm-error.js';

/** The functions and the memory that a policy's WebAssembly imports. */
export class PolicyImports {
  readonly memory: WebAssembly.Memory;
  /** Calls a built-in by its number with addresses, and answers an address. */
  call: (id: number, operands: readonly number[]) => number = tooEarly;
  textAt: (address: number) => string = tooEarly;

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
  }

  get table(): WebAssembly.Imports {
    // The second number is reserved for later versions.
    const call = (id: number, _reserved: number, ...operands: number[]) => this.call(id, operands);
    return {
      env: {
        memory: this.memory,
        opa_abort: (message: number) => {
          throw new OpaWasmError('policy_abort', this.textAt(message));
        },
        opa_println: (message: number) => console.log(this.textAt(message)),
        opa_builtin0: call,
        opa_builtin1: call,
        opa_builtin2: call,
        opa_builtin3: call,
        opa_builtin4: call,
      },
    };
  }
}

function tooEarly(): never {
  throw new OpaWasmError('invalid_policy', 'the policy calls its host while it is instantiated');
}
