import { moduleToJson } from '../../compiler/ast/ast-json.js';
import { CompileErrors } from '../../compiler/diagnostics/diagnostics.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { BuiltinError } from '../../values/builtins/builtin-errors.js';
import type { ObjectValue } from '../../values/value.js';

/** The result of `rego.parse_module`. Throws a BuiltinError for a text that is no module. */
export function parseModuleValue(filename: string, text: string): ObjectValue {
  try {
    return moduleToJson(parseModule(filename, text, { processAnnotations: false })) as ObjectValue;
  } catch (error) {
    throw error instanceof CompileErrors ? new BuiltinError(error.message) : error;
  }
}
