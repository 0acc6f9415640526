import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { transform } from 'esbuild';

const declaration = `/** A violation of the plan schema: where in the document, which keyword, and its details. */
export interface SchemaViolation {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Checks a value; \`errors\` holds the faults that the last call found. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaViolation[] | null;
}

/** Checks a whole plan. */
export declare const validate: Validator;

/** Checks one block. */
export declare const validateBlock: Validator;
`;

/**
 * Writes ir-schema/generated/validate-plan.{js,d.ts}: the plan schema as JavaScript, so that
 * checking a plan needs no ajv at run time. Does nothing if the files are up to date.
 */
export async function generateValidator(root: string): Promise<void> {
  const folder = join(root, 'ir-schema/generated');
  const file = join(folder, 'validate-plan.js');
  const schemaText = readFileSync(join(root, 'ir-schema/plan.schema.json'), 'utf8');
  const version = ajvVersion();
  // A changed generator makes another validator from the same schema.
  const ownText = readFileSync(fileURLToPath(import.meta.url), 'utf8');
  const mark = `// ajv ${version}, ${digest(schemaText + ownText)}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(mark)) return;
  // The class for the schema's own draft would add code for keywords that the schema does not use.
  const ajv = new Ajv({
    code: { source: true, esm: true },
    messages: false,
    inlineRefs: false,
    discriminator: true,
    allowUnionTypes: true,
  });
  const { $schema: _, ...schema } = JSON.parse(schemaText) as Record<string, unknown>;
  ajv.addSchema(schema, 'plan');
  const code = await shortened(standalone.default(ajv, { validate: 'plan', validateBlock: 'plan#/$defs/Block' }));
  // The runtime must bundle for browsers, so the code must not need a module.
  if (/\brequire\(/.test(code)) throw new Error('the generated plan validator needs a module of ajv: simplify plan.schema.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'validate-plan.d.ts'), declaration);
  writeFileSync(file, `${mark}${code}\n`);
}

/**
 * The same code, a third shorter, since a start loads it. Error messages are made from the keyword
 * and the position (ir-schema/validate.ts), so the path within the schema is left out.
 */
async function shortened(code: string): Promise<string> {
  const short = code
    .replaceAll(/schemaPath:"[^"]*",/g, '')
    .replaceAll(
      /(validate\d+)\.errors = \[\{instancePath(?::([^,]*))?,(keyword:"\w+"),(params:\{[^}]*\})\}\];return false/g,
      (...found) => {
        const [, validator, instancePath = 'instancePath', keyword, params] = found as string[];
        return `return fault(${validator},{instancePath:${instancePath},${keyword},${params}})`;
      },
    )
    .replaceAll(/\(\(typeof (\w+) == "number"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)\) && \(isFinite\(\1\)\)/g, 'Number.isInteger($1)');
  const fault = 'function fault(validator, error) { validator.errors = [error]; return false; }';
  // Parts of the schema that the code does not read are left out.
  return (await transform(`${short}\n${fault}`, { format: 'esm', treeShaking: true })).code;
}

function ajvVersion(): string {
  const require = createRequire(import.meta.url);
  const manifest = join(dirname(require.resolve('ajv')), '../package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** FNV-1a: sufficient to detect a changed schema. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16);
}
