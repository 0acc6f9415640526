/** Examples of the linter's pages. */

/** Why a rule is there, a policy that it finds something in, and one that it is content with. */
export interface RuleGuide {
  readonly why: string;
  /** Rules and imports of the package `example`; a text with a package of its own; or files. */
  readonly bad: string;
  readonly good: string;
  /** Options that the examples need. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The name of the file. Default: `example/example.rego`. */
  readonly file?: string;
}

export type CategoryGuide = Readonly<Record<string, RuleGuide>>;

/** Files by path: a line `-- path` begins one. */
export function filesOf(text: string, file = 'example/example.rego'): Readonly<Record<string, string>> {
  const parts = text.split(/^-- (\S+)\n/m);
  if (parts.length === 1) return { [file]: withPackage(text, file) };
  const files: Record<string, string> = {};
  for (let i = 1; i < parts.length; i += 2) files[parts[i]!] = withPackage(parts[i + 1]!, parts[i]!);
  return files;
}

function withPackage(text: string, file: string): string {
  const name = file.endsWith('_test.rego') ? 'example_test' : 'example';
  const whole = /^package /m.test(text) ? text : `package ${name}\n\n${text}`;
  return `${whole.trimEnd()}\n`;
}
