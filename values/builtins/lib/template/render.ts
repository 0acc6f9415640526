/**
 * `strings.render_template`: Go's `text/template` over an object. A key that is not there shows as
 * `<undefined>`.
 */
import { jsonComplaint } from '../../../json/json-complaint.js';
import { ExactNumber } from '../../../numbers/number.js';
import { RegoObject } from '../../../object.js';
import { RegoSet } from '../../../set.js';
import { termText } from '../../../text/term-text.js';
import type { ObjectValue, Value } from '../../../value.js';
import { countWork } from '../../../work.js';
import type { BuiltinContext, Cache } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { withinLength } from '../../limits.js';
import { executeTemplates } from './execute.js';
import { TemplateSyntaxError } from './lexer.js';
import { parseTemplate, type Templates } from './parser.js';
import { lineAt, mainName, unitsPerNode } from './place.js';
import { templateFunctions } from './template-functions.js';

const functionNames = new Set(templateFunctions.keys());

export function renderTemplate(source: string, variables: ObjectValue, context: BuiltinContext): string {
  checkVariables(variables);
  const cache: Cache<Templates> = context.caches.of('strings.render_template', 100);
  let templates = cache.get(source);
  if (templates === undefined) {
    context.tick(source.length * unitsPerNode);
    cache.set(source, (templates = parse(source)));
  }
  const text = withinLength(() => executeTemplates(source, templates, variables, context));
  return text.replaceAll('<no value>', '<undefined>');
}

/**
 * The reference reads the variables back from their text, as JSON: sets, keys that are no strings,
 * and some escapes do not pass.
 */
function checkVariables(variables: ObjectValue): void {
  if (isPlainJson(variables)) return;
  const complaint = jsonComplaint(termText(variables));
  if (complaint !== undefined) throw new BuiltinError(complaint);
}

const notPlain = /[^\n\t\r\x20-\x7e]/;

function isPlainJson(value: Value): boolean {
  countWork(unitsPerNode);
  if (typeof value === 'string') return !notPlain.test(value);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return true;
  if (Array.isArray(value)) return (value as readonly Value[]).every(isPlainJson);
  if (value instanceof RegoSet || value instanceof RegoObject) return false;
  return Object.entries(value).every(([key, member]) => !notPlain.test(key) && isPlainJson(member as Value));
}

function parse(source: string): Templates {
  try {
    return parseTemplate(mainName, source, functionNames);
  } catch (error) {
    if (error instanceof TemplateSyntaxError)
      throw new BuiltinError(`template: ${mainName}:${lineAt(source, error.at)}: ${error.message}`);
    throw error;
  }
}
