/**
 * Policies as WebAssembly with the interface that OPA documents, for tests of its host. Their
 * values are texts: a length and bytes. They do what rules of a test say, and know nothing of Rego.
 */
import { type Code, moduleBytes, op, type WasmFunction } from './module-builder.js';

/** A value of a rule; where it is undefined, the rule is. */
export type Expression =
  | { readonly document: 'input' | 'data' }
  /** A value as `opa_value_dump` writes it. */
  | { readonly value: string }
  | { readonly builtin: string; readonly operands: readonly Expression[] }
  /** Writes a line, then the value. */
  | { readonly line: string; readonly value: string }
  | { readonly abort: string }
  | 'trap'
  | 'endless recursion';

export interface WasmPolicy {
  /** Rules by entrypoint. */
  readonly rules: Readonly<Record<string, Expression>>;
  /** Built-ins that the policy names beside those it calls. */
  readonly builtins?: readonly string[];
  /** The version of the interface; without one nothing says it. */
  readonly version?: readonly [major: number, minor: number];
  /** Exports that are left out. */
  readonly without?: readonly string[];
  /** Pages of memory that it needs. */
  readonly pages?: number;
  readonly ownsMemory?: boolean;
}

const heap = 0;
const pageSize = 65_536;

/** The texts of a policy, each at an address behind the last. */
class Texts {
  readonly data: { at: number; bytes: Uint8Array }[] = [];
  end = 64;

  /** The address and the length. */
  add(text: string): readonly [at: number, length: number] {
    const bytes = new TextEncoder().encode(`${text}\0`);
    const at = this.end;
    this.data.push({ at, bytes });
    this.end += bytes.length;
    return [at, bytes.length - 1];
  }
}

export function wasmPolicy(policy: WasmPolicy): Uint8Array<ArrayBuffer> {
  const { rules, version = [1, 3], without = [], pages = 2, ownsMemory = false } = policy;
  const texts = new Texts();
  const names = [...new Set([...(policy.builtins ?? []), ...Object.values(rules).flatMap(calledBy)])];
  const ids = Object.fromEntries(names.map((name, i) => [name, i]));
  const entrypoints = Object.fromEntries(Object.keys(rules).map((name, i) => [name, i]));
  const functions = [
    ...values(texts),
    mapping('builtins', ids, texts),
    mapping('entrypoints', entrypoints, texts),
    ...Object.values(rules).map((rule, i) => ruleFunction(`rule ${i}`, rule, ids, texts)),
    ...evaluation(Object.keys(rules).length, texts),
  ];
  const [major, minor] = version;
  const optional = minor < 2 ? ['opa_eval'] : [];
  const exported = functions.map(({ name }) => name).filter((name) => /^(opa_|eval$|builtins$|entrypoints$)/.test(name));
  return moduleBytes({
    imports: [
      { name: 'opa_abort', params: 1, hasResult: false },
      { name: 'opa_println', params: 1, hasResult: false },
      ...[0, 1, 2, 3, 4].map((operands) => ({ name: `opa_builtin${operands}`, params: operands + 2, hasResult: true })),
    ],
    functions,
    exports: Object.fromEntries(exported.filter((name) => ![...without, ...optional].includes(name)).map((name) => [name, name])),
    globals: [
      { value: (texts.end + 7) & ~7 },
      ...(without.includes('version') ? [] : [{ value: major, name: 'opa_wasm_abi_version' }]),
      { value: minor, name: 'opa_wasm_abi_minor_version' },
    ],
    data: texts.data,
    memory: { pages, isImported: !ownsMemory, isExported: minor > 0 },
  });
}

function calledBy(expression: Expression): string[] {
  if (typeof expression === 'string' || !('builtin' in expression)) return [];
  return [expression.builtin, ...expression.operands.flatMap(calledBy)];
}

/** Memory and values. */
function values(texts: Texts): WasmFunction[] {
  const [failed] = texts.add('opa_malloc: failed');
  const needed = [op.global(heap), op.const(pageSize - 1), op.add, op.const(pageSize), op.divide, op.pages, op.subtract];
  const parse: Code = [
    // A text that begins with '!' stands for one that is no value.
    ...[op.get(0), op.load(), op.const(255), op.and, op.const(33), op.eq, op.if([op.const(0), op.return])],
    ...[op.get(1), op.const(4), op.add, op.call('opa_malloc'), op.tee(2), op.get(1), op.store()],
    ...[op.get(2), op.const(4), op.add, op.get(0), op.get(1), op.copy, op.get(2)],
  ];
  const dump: Code = [
    ...[op.get(0), op.load(), op.const(1), op.add, op.call('opa_malloc'), op.tee(1)],
    ...[op.get(0), op.const(4), op.add, op.get(0), op.load(), op.copy],
    ...[op.get(1), op.get(0), op.load(), op.add, op.const(0), op.storeByte, op.get(1)],
  ];
  return [
    {
      name: 'opa_malloc',
      params: 1,
      hasResult: true,
      locals: 1,
      code: [
        ...[op.global(heap), op.tee(1), op.get(0), op.add, op.const(7), op.add, op.const(-8), op.and, op.setGlobal(heap)],
        ...[op.global(heap), op.pages, op.const(pageSize), op.multiply, op.greater],
        op.if([...needed, op.grow, op.const(-1), op.eq, op.if([op.const(failed), op.call('opa_abort'), op.unreachable])]),
        op.get(1),
      ],
    },
    { name: 'opa_free', params: 1, hasResult: false, code: [] },
    { name: 'opa_heap_ptr_get', params: 0, hasResult: true, code: [op.global(heap)] },
    { name: 'opa_heap_ptr_set', params: 1, hasResult: false, code: [op.get(0), op.setGlobal(heap)] },
    { name: 'opa_json_parse', params: 2, hasResult: true, locals: 1, code: parse },
    { name: 'opa_value_parse', params: 2, hasResult: true, locals: 1, code: parse },
    { name: 'opa_json_dump', params: 1, hasResult: true, locals: 1, code: dump },
    { name: 'opa_value_dump', params: 1, hasResult: true, locals: 1, code: dump },
    {
      name: 'join',
      params: 2,
      hasResult: true,
      locals: 1,
      code: [
        ...[op.get(0), op.load(), op.get(1), op.load(), op.add, op.const(4), op.add, op.call('opa_malloc'), op.tee(2)],
        ...[op.get(0), op.load(), op.get(1), op.load(), op.add, op.store()],
        ...[op.get(2), op.const(4), op.add, op.get(0), op.const(4), op.add, op.get(0), op.load(), op.copy],
        ...[op.get(2), op.const(4), op.add, op.get(0), op.load(), op.add, op.get(1), op.const(4), op.add, op.get(1), op.load(), op.copy],
        op.get(2),
      ],
    },
  ];
}

function literal(text: string, texts: Texts): Code {
  const [at, length] = texts.add(text);
  return [op.const(at), op.const(length), op.call('opa_json_parse')];
}

function mapping(name: string, numbers: Readonly<Record<string, number>>, texts: Texts): WasmFunction {
  return { name, params: 0, hasResult: true, code: literal(JSON.stringify(numbers), texts) };
}

/** Local 0 is the input, 1 the data, 2 the last value. */
function ruleFunction(name: string, rule: Expression, ids: Readonly<Record<string, number>>, texts: Texts): WasmFunction {
  const codeOf = (expression: Expression): Code => {
    if (expression === 'trap') return [op.unreachable];
    if (expression === 'endless recursion') return [op.get(0), op.get(1), op.call(name)];
    if ('document' in expression) return [op.get(expression.document === 'input' ? 0 : 1)];
    if ('abort' in expression) return [op.const(texts.add(expression.abort)[0]), op.call('opa_abort'), op.unreachable];
    if ('line' in expression) return [op.const(texts.add(expression.line)[0]), op.call('opa_println'), literal(expression.value, texts)];
    if ('value' in expression) return literal(expression.value, texts);
    const { builtin, operands } = expression;
    return [op.const(ids[builtin]!), op.const(0), ...operands.map(defined), op.call(`opa_builtin${operands.length}`)];
  };
  const defined = (expression: Expression): Code => [
    codeOf(expression),
    ...[op.tee(2), op.eqz, op.if([op.const(0), op.return]), op.get(2)],
  ];
  return { name, params: 2, hasResult: true, locals: 1, code: codeOf(rule) };
}

/** Of a context: input, data, entrypoint, result. */
function evaluation(rules: number, texts: Texts): WasmFunction[] {
  const set = (name: string, offset: number): WasmFunction => ({
    name: `opa_eval_ctx_set_${name}`,
    params: 2,
    hasResult: false,
    code: [op.get(0), op.get(1), op.store(offset)],
  });
  const [unknown] = texts.add('invalid entrypoint');
  const choice = Array.from({ length: rules }, (_, i) => [
    ...[op.get(0), op.const(i), op.eq],
    op.if([op.get(1), op.get(2), op.call(`rule ${i}`), op.call('result set'), op.return]),
  ]);
  return [
    {
      name: 'result set',
      params: 1,
      hasResult: true,
      code: [
        ...[op.get(0), op.eqz, op.if([literal('[]', texts), op.return])],
        ...[literal('[{"result":', texts), op.get(0), op.call('join'), literal('}]', texts), op.call('join')],
      ],
    },
    // Entrypoint, input, data.
    { name: 'decide', params: 3, hasResult: true, code: [...choice, op.const(unknown), op.call('opa_abort'), op.unreachable] },
    {
      name: 'opa_eval_ctx_new',
      params: 0,
      hasResult: true,
      locals: 1,
      code: [
        ...[op.const(16), op.call('opa_malloc'), op.tee(0)],
        ...[0, 4, 8, 12].map((offset) => [op.get(0), op.const(0), op.store(offset)]),
      ],
    },
    set('input', 0),
    set('data', 4),
    set('entrypoint', 8),
    { name: 'opa_eval_ctx_get_result', params: 1, hasResult: true, code: [op.get(0), op.load(12)] },
    {
      name: 'eval',
      params: 1,
      hasResult: true,
      code: [
        ...[op.get(0), op.get(0), op.load(8), op.get(0), op.load(0), op.get(0), op.load(4), op.call('decide'), op.store(12)],
        op.const(0),
      ],
    },
    {
      name: 'opa_eval',
      params: 7,
      hasResult: true,
      locals: 1,
      code: [
        ...[op.get(5), op.setGlobal(heap)],
        ...[op.get(4), op.if([op.get(3), op.get(4), op.call('opa_json_parse'), op.set(7)])],
        ...[op.get(1), op.get(7), op.get(2), op.call('decide'), op.call('opa_json_dump')],
      ],
    },
  ];
}
