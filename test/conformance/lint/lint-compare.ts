/** Compares what the linter answers with the recording. */
import { isDeepStrictEqual } from 'node:util';

export interface LintCase {
  readonly name: string;
  readonly rule?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: string | null;
  readonly home?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
  readonly command?: string;
  readonly args: readonly string[];
  readonly whole?: true | 'described';
  readonly report?: readonly Entry[];
  readonly summary?: readonly number[];
  readonly skipped?: readonly string[];
  readonly tree?: unknown;
  readonly stdout?: string;
  readonly after?: Readonly<Record<string, string | null>>;
  readonly reads?: readonly string[];
  readonly output?: Readonly<Record<string, string | null>>;
  readonly error?: true;
  readonly mentions?: readonly string[];
  readonly exit: number;
}

export interface LintCall {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Ended extends LintCall {
  /** The answer as JSON; empty where there is none. */
  readonly report: string;
  readonly changed: Readonly<Record<string, string | null>>;
  readonly read: (path: string) => string | null;
}

type Entry = Readonly<Record<string, unknown>>;

interface Violation {
  readonly title: string;
  readonly category: string;
  readonly level: string;
  readonly description: string;
  readonly related_resources?: readonly { readonly ref: string }[];
  readonly location: {
    readonly file?: string;
    readonly row?: number;
    readonly col?: number;
    readonly text?: string;
    readonly end?: { readonly row: number; readonly col: number };
  };
}

interface Document {
  readonly violations: readonly Violation[];
  readonly notices?: readonly {
    readonly title: string;
    readonly category: string;
    readonly severity: string;
    readonly description: string;
  }[];
  readonly summary: Readonly<Record<string, number>>;
}

/** The first difference; undefined if there is none. */
export function lintDifference(one: LintCase, ended: Ended): string | undefined {
  if (ended.exit !== one.exit) return `wanted the exit status ${one.exit}, got ${ended.exit}: ${ended.stderr || ended.stdout}`;
  const missing = one.mentions?.find((word) => !(ended.stderr + ended.stdout).includes(word));
  if (missing !== undefined) return `wanted ${missing} in\n${ended.stderr}${ended.stdout}`;
  const document = documentOf(ended.report);
  return (
    (one.report && reportDifference(one, document)) ??
    (one.tree === undefined ? undefined : different('tree', one.tree, documentOf(ended.stdout))) ??
    (one.stdout === undefined ? undefined : different('stdout', one.stdout, outputOf(ended.stdout, document))) ??
    (one.after && different('files', one.after, ended.changed)) ??
    Object.entries(one.output ?? {})
      .map(([path, text]) => different(path, text, ended.read(path)))
      .find((why) => why !== undefined)
  );
}

function reportDifference(one: LintCase, document: Document | undefined): string | undefined {
  if (document?.violations === undefined) return 'wanted a report';
  const files = { ...one.files, ...(one.stdin !== undefined && { stdin: one.stdin }) };
  const got = document.violations.map((violation) => entryOf(violation, files)).sort(byPlace);
  const { files_scanned, files_failed, rules_skipped, num_violations } = document.summary;
  const skipped = (document.notices ?? [])
    .filter(({ severity }) => severity !== 'none')
    .map(({ category, title }) => `${category}/${title}`);
  return (
    different('report', [...one.report!].sort(byPlace), got) ??
    different('summary', one.summary, [files_scanned, files_failed, rules_skipped, num_violations]) ??
    different('skipped', [...(one.skipped ?? [])].sort(), skipped.sort())
  );
}

/** The parts of messages that depend on the policy. */
const about: Readonly<Record<string, (description: string) => unknown>> = {
  'duplicate-rule': (text) => text.match(/\d+/g)?.map(Number),
  'circular-import': (text) => text.slice(text.indexOf(':') + 2).split(', '),
  'ignored-import': (text) => [text.split(' ').at(-1)],
  'naming-convention': (text) => [/: (\w+) name/.exec(text)?.[1], /"(.*)"/.exec(text)?.[1]],
  'narrow-argument': (text) => [text.replace(',', '').split(' ')[1], text.split(' ').at(-1)],
};

function entryOf(
  { title, category, level, description, related_resources, location }: Violation,
  files: Readonly<Record<string, string>>,
): Entry {
  const isOwn = !(related_resources ?? []).some(({ ref }) => ref.includes('openpolicyagent.org/projects/regal/rules/'));
  const { file, row, col, end, text } = location;
  const line = files[(file ?? '').replace(/^\$DIR\//, '')]?.split('\n')[(row ?? 0) - 1];
  return {
    title,
    category,
    level,
    ...(isOwn ? { description, ...(related_resources && { related_resources }) } : about[title] && { about: about[title](description) }),
    ...(file !== undefined && { file }),
    ...(row !== undefined && { row }),
    ...(col !== undefined && { col }),
    ...(end && { end: [end.row, end.col] }),
    ...(text === undefined ? file !== undefined && file !== '' && { text: null } : text !== line && { text }),
  };
}

function byPlace(a: Entry, b: Entry): number {
  const key = ({ file = '', row = 0, col = 0, title }: Entry) => [file, row, col, title] as [string, number, number, string];
  const [left, right] = [key(a), key(b)];
  const at = left.findIndex((part, i) => part !== right[i]);
  return at < 0 ? 0 : left[at]! < right[at]! ? -1 : 1;
}

/** The output without trailing blanks and times, and without the linter's own words. */
function outputOf(stdout: string, document: Document | undefined): string {
  let text = stdout;
  for (const { title, category, description, related_resources = [] } of document?.violations ?? []) {
    if (!related_resources.some(({ ref }) => ref.includes('openpolicyagent.org/projects/regal/rules/'))) continue;
    for (const { ref } of related_resources) text = text.replaceAll(ref, `{documentation:${category}/${title}}`);
    for (const form of [description, description.replaceAll('"', '&#34;'), description.replaceAll("'", '&#39;')])
      text = text.replaceAll(form, `{description:${title}}`);
  }
  for (const { title, description } of document?.notices ?? []) text = text.replaceAll(description, `{notice:${title}}`);
  return text.replace(/\(\d+(?:\.\d+)?(?:ns|µs|ms|s)\)/g, '({time})').replace(/ +$/gm, '');
}

function documentOf(text: string): Document | undefined {
  try {
    return JSON.parse(text) as Document;
  } catch {
    return undefined;
  }
}

function different(what: string, want: unknown, got: unknown): string | undefined {
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(want ?? null)), JSON.parse(JSON.stringify(got ?? null)))) return undefined;
  if (Array.isArray(want) && Array.isArray(got)) return `${what}:\n${differingLines(want, got)}`;
  return `${what}: wanted\n${shown(want)}\ngot\n${shown(got)}`;
}

/** Items that only one list has. */
function differingLines(want: readonly unknown[], got: readonly unknown[]): string {
  const [wanted, given] = [want, got].map((list) => list.map((item) => JSON.stringify(item)));
  const lacking = wanted!.filter((line) => !given!.includes(line)).map((line) => `  - ${line}`);
  const more = given!.filter((line) => !wanted!.includes(line)).map((line) => `  + ${line}`);
  return [...lacking, ...more].join('\n');
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
}
