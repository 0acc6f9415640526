/** The policies of Gatekeeper's ConstraintTemplates. */
import { CompileErrors, type Module, packageSegments, parseModule } from '../../../compiler/index.js';
import { isObject, type Value } from '../../../values/index.js';
import { ConfigFileError } from '../files.js';
import type { PathKey } from '../formats/marks.js';
import { listOf, memberAt, type Resource, resourceError, textAt } from './resources.js';

/** The text of a policy in a template, and its syntax tree: its rows are those of the file. */
interface TemplateModule {
  readonly id: string;
  readonly text: string;
  readonly module: Module;
}

export interface Template {
  readonly resource: Resource;
  /** The kind of its constraints. */
  readonly kind: string;
  readonly modules: readonly TemplateModule[];
  /** The package of the rule `violation`, below `data`. */
  readonly path: readonly string[];
  /** The schema of the parameters. */
  readonly schema: Value | undefined;
}

export function isTemplate({ kind, group }: Resource): boolean {
  return kind === 'ConstraintTemplate' && group === 'templates.gatekeeper.sh';
}

export function isConstraint({ group }: Resource): boolean {
  return group === 'constraints.gatekeeper.sh';
}

/** Throws a ConfigFileError with the place in the template. */
export function templateOf(resource: Resource): Template {
  const { value } = resource;
  const kind = textAt(value, 'spec', 'crd', 'spec', 'names', 'kind');
  if (kind === '') throw resourceError(resource, 'the template names no kind: spec.crd.spec.names.kind', 'spec');
  const [target, ...others] = listOf(memberAt(value, 'spec', 'targets'));
  if (target === undefined || others.length > 0)
    throw resourceError(resource, 'a template has one target', 'spec', 'targets');
  const { rego, libs, keys, version } = sourceOf(resource, target);
  const entry = moduleAt(resource, rego, [...keys, 'rego'], version);
  const modules = [entry, ...libs.map((lib, i) => moduleAt(resource, lib, [...keys, 'libs', i], version))];
  const path = packageSegments(entry.module);
  if (!entry.module.rules.some(({ head }) => head.name === 'violation'))
    throw resourceError(resource, 'the policy has no rule violation', ...keys, 'rego');
  for (const { module } of modules.slice(1))
    if (module.package.path[1]?.type !== 'string' || module.package.path[1].value !== 'lib')
      throw resourceError(resource, 'the package of a library begins with lib', ...keys, 'libs');
  const schema = memberAt(value, 'spec', 'crd', 'spec', 'validation', 'openAPIV3Schema');
  return { resource, kind, modules, path, schema: isObject(schema) ? schema : undefined };
}

interface TemplateSource {
  readonly rego: string;
  readonly libs: readonly string[];
  readonly keys: readonly PathKey[];
  readonly version: 'v0' | 'v1';
}

/** The texts of a target: below `code`, of the engine Rego, or of the target itself. */
function sourceOf(resource: Resource, target: Value): TemplateSource {
  const code = listOf(memberAt(target, 'code'));
  const at = code.findIndex((one) => textAt(one, 'engine') === 'Rego');
  if (at < 0 && code.length > 0 && textAt(target, 'rego') === '') {
    const engine = textAt(code[0] ?? null, 'engine');
    throw resourceError(
      resource,
      `policies in ${engine} are not read, only those in Rego`,
      'spec',
      'targets',
      0,
      'code',
    );
  }
  const source = at < 0 ? target : memberAt(target, 'code', at, 'source');
  const keys: readonly PathKey[] = ['spec', 'targets', 0, ...(at < 0 ? [] : ['code', at, 'source'])];
  const rego = textAt(source, 'rego');
  if (rego === '') throw resourceError(resource, 'the target has no policy: rego', ...keys);
  const libs = listOf(memberAt(source, 'libs')).filter((lib) => typeof lib === 'string');
  return { rego, libs, keys, version: textAt(source, 'version') === 'v1' ? 'v1' : 'v0' };
}

/** Rows before the text are empty, so that errors and places have the rows of the file. */
function moduleAt(resource: Resource, text: string, keys: readonly PathKey[], version: 'v0' | 'v1'): TemplateModule {
  const { file } = resource;
  const range = file.place([...resource.keys, ...keys]);
  const written = range === undefined ? '' : file.text.slice(range.start, range.end);
  // A block of text begins in the row after its key; a text in one line has its own row.
  const isBlock = /^[^\n]*[|>][-+\d]*[ \t]*(?:#[^\n]*)?\r?\n/.test(written);
  const row = range === undefined ? 1 : file.lines.place(range.start).line + (isBlock ? 1 : 0);
  const padded = `${'\n'.repeat(row - 1)}${text}`;
  const id = `${file.path}#${[...resource.keys, ...keys].join('.')}`;
  try {
    return { id, text: padded, module: parseModule(file.path, padded, { regoVersion: version }) };
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    throw new ConfigFileError(error.message);
  }
}
