/** The flags of `eval`. */
import { coverageRunsFlag } from '../compile-flags.js';
import type { Flag } from '../flags.js';
import { formats } from '../output/results.js';

const noOptimizer = 'optimizing by partial evaluation changes no answer, and is not part of this release';
const partialOnly = 'only partial evaluation reads it';
const noEvaluator = 'partial evaluation needs the query evaluator, which is not part of this release';

export const evalFlags: readonly Flag[] = [
  {
    name: 'bundle',
    short: 'b',
    type: 'string',
    repeated: true,
    usage: 'set bundle file(s), plan file(s) or directory path(s). This flag can be repeated.',
  },
  { name: 'capabilities', type: 'string', usage: 'set capabilities version or capabilities.json file path' },
  { name: 'count', type: 'int', usage: 'number of times to repeat each benchmark', default: '1' },
  { name: 'coverage', type: 'bool', usage: 'report coverage' },
  coverageRunsFlag,
  {
    name: 'data',
    short: 'd',
    type: 'string',
    repeated: true,
    usage: 'set policy or data file(s) or directories. This flag can be repeated.',
  },
  { name: 'disable-early-exit', type: 'bool', usage: "disable 'early exit' optimizations" },
  { name: 'disable-indexing', type: 'bool', usage: 'disable indexing optimizations' },
  {
    name: 'disable-inlining',
    type: 'string',
    repeated: true,
    usage: 'set paths of documents to exclude from inlining',
    ignored: partialOnly,
  },
  { name: 'entrypoint', short: 'e', type: 'string', repeated: true, usage: 'set slash separated entrypoint path', ignored: noOptimizer },
  {
    name: 'explain',
    type: ['off', 'full', 'notes', 'fails', 'debug'],
    usage: 'enable query explanations (only off, in this release)',
    default: 'off',
  },
  { name: 'fail', type: 'bool', usage: 'exits with non-zero exit code on undefined/empty result and errors' },
  { name: 'fail-defined', type: 'bool', usage: 'exits with non-zero exit code on defined/non-empty result and errors' },
  { name: 'format', short: 'f', type: formats, usage: 'set output format', default: 'json' },
  { name: 'ignore', type: 'strings', usage: "set file and directory names to ignore during loading (e.g., '.*' excludes hidden files)" },
  { name: 'import', type: 'string', repeated: true, usage: 'set query import(s). This flag can be repeated.' },
  { name: 'input', short: 'i', type: 'string', usage: 'set input file path' },
  {
    name: 'instrument',
    type: 'bool',
    usage: 'enable query instrumentation metrics (implies --metrics)',
  },
  { name: 'metrics', type: 'bool', usage: 'report query performance metrics' },
  { name: 'nondeterminstic-builtins', type: 'bool', usage: 'evaluate nondeterministic builtins during partial eval', ignored: partialOnly },
  { name: 'optimize', short: 'O', type: 'int', usage: 'set optimization level', ignored: noOptimizer },
  {
    name: 'optimize-store-for-read-speed',
    type: 'bool',
    usage: 'optimize default in-memory store for read speed',
    ignored: 'documents are always read as they are',
  },
  { name: 'package', type: 'string', usage: 'set query package' },
  { name: 'partial', short: 'p', type: 'bool', usage: 'perform partial evaluation', refused: noEvaluator },
  { name: 'pretty-limit', type: 'int', usage: 'set limit after which pretty output gets truncated', default: '80' },
  { name: 'profile', type: 'bool', usage: 'perform expression profiling' },
  { name: 'profile-limit', type: 'int', usage: 'set number of profiling results to show', default: '10' },
  {
    name: 'profile-sort',
    type: 'string',
    repeated: true,
    usage:
      'set sort order of expression profiler results. Accepts: total_time_ns, num_eval, num_redo, num_gen_expr, file, line. This flag can be repeated.',
  },
  {
    name: 'schema',
    short: 's',
    type: 'string',
    usage: 'set schema file path or directory path',
  },
  { name: 'shallow-inlining', type: 'bool', usage: 'disable inlining of rules that depend on unknowns', ignored: partialOnly },
  { name: 'show-builtin-errors', type: 'bool', usage: 'collect and return all encountered built-in errors, built in errors are not fatal' },
  { name: 'stdin', type: 'bool', usage: 'read query from stdin' },
  { name: 'stdin-input', short: 'I', type: 'bool', usage: 'read input document from stdin' },
  { name: 'strict', short: 'S', type: 'bool', usage: 'enable compiler strict mode' },
  { name: 'strict-builtin-errors', type: 'bool', usage: 'treat the first built-in function error encountered as fatal' },
  {
    name: 'target',
    short: 't',
    type: ['rego', 'wasm'],
    usage: 'set the runtime to exercise (only rego: plans, on the VM)',
    default: 'rego',
  },
  { name: 'timeout', type: 'duration', usage: 'set eval timeout (default unlimited)' },
  {
    name: 'unknowns',
    short: 'u',
    type: 'string',
    repeated: true,
    usage: 'set paths to treat as unknown during partial evaluation',
    ignored: partialOnly,
  },
  { name: 'v0-compatible', type: 'bool', usage: 'opt-in to features and behaviors of version 0 of the language' },
  { name: 'v1-compatible', type: 'bool', usage: 'opt-in to features and behaviors of version 1 of the language' },
  { name: 'var-values', type: 'bool', usage: 'show local variable values in pretty trace output', ignored: 'only explanations show them' },
];
