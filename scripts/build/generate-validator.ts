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

const shapesDeclaration = `/** The properties of each kind of statement (ir-schema/quick-check.ts reads them). */
export declare const statementShapes: Readonly<Record<string, string>>;

/** The properties of the other objects of a plan. */
export declare const partShapes: Readonly<Record<string, string>>;
`;

/**
 * Writes ir-schema/generated/validate-plan.{js,d.ts}: the plan schema as JavaScript, so that
 * checking a plan needs no ajv at run time. And plan-shapes.{js,d.ts}: the same schema as short
 * tables. Does nothing if the files are up to date.
 */
export async function generateValidator(root: string): Promise<void> {
  const folder = join(root, 'ir-schema/generated');
  const file = join(folder, 'validate-plan.js');
  const schemaText = readFileSync(join(root, 'ir-schema/plan.schema.json'), 'utf8');
  const version = ajvVersion();
  // A changed generator makes another validator from the same schema.
  const ownText = readFileSync(fileURLToPath(import.meta.url), 'utf8');
  const mark = `// ajv ${version}, ${digest(schemaText + ownText)}\n`;
  const shapesFile = join(folder, 'plan-shapes.js');
  if ([file, shapesFile].every((path) => existsSync(path) && readFileSync(path, 'utf8').startsWith(mark))) return;
  // The class for the schema's own draft would add code for keywords that the schema does not use.
  const ajv = new Ajv({
    code: { source: true, esm: true },
    messages: false,
    inlineRefs: false,
    discriminator: true,
    allowUnionTypes: true,
  });
  const { $schema: _, ...schema } = JSON.parse(schemaText) as PlanSchema;
  ajv.addSchema(schema, 'plan');
  const code = await shortened(standalone.default(ajv, { validate: 'plan', validateBlock: 'plan#/$defs/Block' }));
  // The runtime must bundle for browsers, so the code must not need a module.
  if (/\brequire\(/.test(code)) throw new Error('the generated plan validator needs a module of ajv: simplify plan.schema.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'validate-plan.d.ts'), declaration);
  writeFileSync(file, `${mark}${code}\n`);
  writeFileSync(join(folder, 'plan-shapes.d.ts'), shapesDeclaration);
  writeFileSync(shapesFile, `${mark}${shapes(schema.$defs)}`);
}

/** A part of the plan schema, which uses these keywords only. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly { readonly properties: { readonly type: { readonly const: string } } }[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface PlanSchema {
  readonly $schema?: string;
  readonly $defs: Readonly<Record<string, Schema>>;
}

/** The definitions as texts: `name` is an integer, `name:kind` another value. */
function shapes(definitions: PlanSchema['$defs']): string {
  const statements = new Set(definitions.Stmt!.oneOf!.map(({ properties }) => properties.type.const));
  const parts = Object.keys(definitions).filter((name) => !statements.has(name) && definitions[name]!.oneOf === undefined);
  const table = (names: Iterable<string>) =>
    JSON.stringify(Object.fromEntries([...names].map((name) => [name, shape(definitions[name]!)])));
  return `export const statementShapes = ${table(statements)};\nexport const partShapes = ${table(parts)};\n`;
}

function shape({ properties = {}, required = [] }: Schema): string {
  const texts = Object.entries(properties).map(([name, schema]) => {
    const type = typeText(schema);
    return `${required.includes(name) ? '' : '?'}${name}${type === 'integer' ? '' : `:${type}`}`;
  });
  return texts.join(' ');
}

/** `[kind]` for a list, and a `?` behind a type that may be null. */
function typeText({ $ref, type, items, anyOf }: Schema): string {
  if ($ref !== undefined) return $ref.replace('#/$defs/', '');
  if (anyOf?.length === 2 && anyOf[1]!.type === 'null') return `${typeText(anyOf[0]!)}?`;
  const [name, other] = [type ?? []].flat();
  if (name === undefined || (other !== undefined && other !== 'null'))
    throw new Error('plan.schema.json has a property of an unknown form');
  return `${name === 'array' ? `[${typeText(items!)}]` : name}${other === undefined ? '' : '?'}`;
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
