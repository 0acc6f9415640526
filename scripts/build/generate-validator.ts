import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';

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

/** The members of a kind of object, with the kind of object that they hold; empty if none. */
export type Members = Readonly<Record<string, string>>;

/** The members of each kind of statement. */
export declare const statementMembers: Readonly<Record<string, Members>>;

/** The members of the other objects of a plan. */
export declare const partMembers: Readonly<Record<string, Members>>;
`;

/**
 * Writes ir-schema/generated/validate-plan.{js,d.ts}: the plan schema as JavaScript, so that
 * checking a plan needs no ajv at run time, and the members of its objects. Does nothing if the
 * files are up to date.
 */
export function generateValidator(root: string): void {
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
  const code = standalone.default(ajv, { validate: 'plan', validateBlock: 'plan#/$defs/Block' });
  // Nothing reads where in the schema a violation is, or the parent of a value.
  const short = code
    .replaceAll(/schemaPath:"[^"]*",/g, '')
    .replaceAll(parentsOfValue, '')
    .replaceAll(integerTest, 'Number.isInteger($1)');
  // The runtime must bundle for browsers, so the code must not need a module.
  if (/\brequire\(/.test(code))
    throw new Error('the generated plan validator needs a module of ajv: simplify plan.schema.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'validate-plan.d.ts'), declaration);
  writeFileSync(file, `${mark}${short}\n${memberTables(schema as unknown as PlanSchema)}`);
}

/** The parameters and arguments for the parent of a value. */
const parentsOfValue = /, ?parentData(:[^,{}]+)?, ?parentDataProperty(:[^,{}]+)?, ?rootData(=data)?/g;

/** The test of an integer as ajv writes it. */
const integerTest = /\(\(typeof (\w+) == "number"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)\) && \(isFinite\(\1\)\)/g;

interface PlanSchema {
  readonly $defs: Readonly<Record<string, Definition>>;
}

interface Definition {
  readonly $ref?: string;
  readonly items?: Definition;
  readonly anyOf?: readonly Definition[];
  readonly oneOf?: readonly { readonly properties: { readonly type: { readonly const: string } } }[];
  readonly properties?: Readonly<Record<string, Definition>>;
}

function memberTables({ $defs }: PlanSchema): string {
  const statements = new Set($defs.Stmt!.oneOf!.map(({ properties }) => properties.type.const));
  const table = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(
      Object.entries($defs)
        .filter(([name]) => isWanted(name))
        .map(([name, { properties }]) => [
          name,
          Object.fromEntries(Object.entries(properties!).map(([member, definition]) => [member, kindIn(definition)])),
        ]),
    );
  return `export const statementMembers = ${JSON.stringify(table((name) => statements.has(name)))};
export const partMembers = ${JSON.stringify(table((name) => !statements.has(name)))};
`;
}

/** The kind of object that a member is, or a list of. */
function kindIn({ $ref, items, anyOf }: Definition): string {
  if ($ref !== undefined) return $ref.replace('#/$defs/', '');
  if (items !== undefined) return kindIn(items);
  return anyOf?.map(kindIn).find((kind) => kind !== '') ?? '';
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
