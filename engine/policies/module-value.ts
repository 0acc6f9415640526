import { CompileErrors, moduleToJson, parseModule } from '../../compiler/index.js';
import { BuiltinError, type ObjectValue } from '../../values/index.js';

/** The result of `rego.parse_module`. Throws a BuiltinError for a text that is no module. */
export function parseModuleValue(filename: string, text: string): ObjectValue {
  try {
    return moduleToJson(parseModule(filename, text, { processAnnotations: false })) as ObjectValue;
  } catch (error) {
    throw error instanceof CompileErrors ? new BuiltinError(error.message) : error;
  }
}
