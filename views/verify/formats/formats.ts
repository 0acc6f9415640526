/** The formats by name, each loaded when it is used, and the format of a file by its name. */
import type { Format } from './format.js';

/** How the numbers of a format come to policies: through doubles, or as they are written. */
type NumberForm = 'double' | 'exact';

interface FormatEntry {
  readonly load: () => Promise<Format>;
  readonly numbers?: NumberForm;
}

const formats: Readonly<Record<string, FormatEntry>> = {
  cyclonedx: { load: async () => (await import('./sbom/cyclonedx.js')).cyclonedx },
  dockerfile: { load: async () => (await import('./docker/dockerfile.js')).dockerfile },
  dotenv: { load: async () => (await import('./dotenv.js')).dotenv },
  edn: { load: async () => (await import('./edn/edn.js')).edn },
  hcl1: { load: async () => (await import('./hcl/hcl1.js')).hcl1, numbers: 'exact' },
  hcl2: { load: async () => (await import('./hcl/hcl2.js')).hcl2 },
  hocon: { load: async () => (await import('./hocon/hocon.js')).hocon },
  ignore: { load: async () => (await import('./ignore.js')).ignore },
  ini: { load: async () => (await import('./ini.js')).ini },
  json: { load: async () => (await import('./json.js')).json },
  jsonc: { load: async () => (await import('./jsonc.js')).jsonc },
  nginx: { load: async () => (await import('./nginx.js')).nginx },
  properties: { load: async () => (await import('./properties.js')).properties },
  spdx: { load: async () => (await import('./sbom/spdx.js')).spdx },
  textproto: { load: async () => (await import('./textproto/textproto.js')).textproto },
  toml: { load: async () => (await import('./toml.js')).toml, numbers: 'exact' },
  xml: { load: async () => (await import('./xml.js')).xml },
  yaml: { load: async () => (await import('./yaml/yaml.js')).yaml },
};

/** Formats without a parser here, with the usual command that makes JSON of one. */
const elsewhere: Readonly<Record<string, string | undefined>> = {
  cue: 'cue export -',
  groovy: undefined,
  jsonnet: 'jsonnet -',
  vcl: undefined,
};

/** The names that `--parser` takes. */
export const formatNames: readonly string[] = [...Object.keys(formats), ...Object.keys(elsewhere)].sort();

export class UnknownFormatError extends Error {}

export interface LoadedFormat {
  readonly name: string;
  readonly format: Format;
  readonly numbers: NumberForm;
}

/**
 * The format of a name, or one whose values a command makes: a name with a space is a command line.
 * Rejects with an UnknownFormatError.
 */
export async function loadFormat(name: string): Promise<LoadedFormat> {
  const entry = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (entry !== undefined) return { name, format: await entry.load(), numbers: entry.numbers ?? 'double' };
  if (/\s/.test(name.trim())) {
    const { commandFormat } = await import('./command.js');
    return { name: 'command', format: commandFormat(name), numbers: 'double' };
  }
  if (Object.hasOwn(elsewhere, name))
    throw new UnknownFormatError(
      `unknown parser: ${name}: a command reads this format for writ: --parser ${JSON.stringify(elsewhere[name] ?? 'COMMAND -')}, which gets the text and writes JSON`,
    );
  throw new UnknownFormatError(`unknown parser: ${name}`);
}

/** Formats by extension, where the two have different names. */
const extensions: Readonly<Record<string, string>> = {
  yml: 'yaml',
  hcl: 'hcl2',
  tf: 'hcl2',
  tfvars: 'hcl2',
  gitignore: 'ignore',
  dockerignore: 'ignore',
  env: 'dotenv',
  textpb: 'textproto',
};

/** The name of a file's format, or its extension where that is unknown. */
export function formatOf(path: string): string {
  if (path === '-') return 'yaml';
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'dockerfile' || name.startsWith('dockerfile.') || name.endsWith('.dockerfile')) return 'dockerfile';
  if (name === '.env' || name.startsWith('.env.')) return 'dotenv';
  if (name === 'nginx.conf') return 'nginx';
  if (name.startsWith('jenkinsfile')) return 'groovy';
  const dot = name.lastIndexOf('.');
  const extension = dot < 0 ? '' : name.slice(dot + 1);
  return Object.hasOwn(extensions, extension) ? extensions[extension]! : extension;
}

/** Whether a file of a folder is read: others are passed over. */
export function isReadable(path: string): boolean {
  const name = formatOf(path);
  return Object.hasOwn(formats, name) || Object.hasOwn(elsewhere, name);
}
