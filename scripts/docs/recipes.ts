/** The recipes of CONTRIBUTING.md: what they change, and what they run. */

/** One block of a step. */
export type Action =
  | { readonly kind: 'create'; readonly file: string; readonly text: string }
  | {
      readonly kind: 'change';
      readonly file: string;
      readonly before: readonly string[];
      readonly after: readonly string[];
    }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'print'; readonly command: string; readonly output: string };

interface Recipe {
  readonly title: string;
  readonly actions: readonly Action[];
}

/**
 * Reads the recipes of a page: each is a heading below `## Recipes`, with steps. The first path of
 * a step in backticks is the file of its blocks. A `diff` changes this file; `sh` has commands that
 * must succeed; `console` has a command behind `$` and its output; a block in another language is
 * the whole of a new file.
 */
export function recipesOf(page: string): Recipe[] {
  const [, recipes = ''] = page.split(/^## Recipes$/m);
  const sections = recipes.split(/^## /m)[0]!.split(/^### /m).slice(1);
  return sections.map((section) => {
    const title = section.slice(0, section.indexOf('\n'));
    const steps = section.split(/^\d+\. /m).slice(1);
    return { title, actions: steps.flatMap(actionsOf) };
  });
}

function actionsOf(step: string): Action[] {
  const [, file = ''] = /`((?:[\w.-]+\/)+[\w.-]+\.\w+)`/.exec(step) ?? [];
  return [...step.matchAll(/^ {3}```(\w+)\n(.*?)^ {3}```$/gms)].flatMap(([, language, indented]): Action[] => {
    const lines = indented!
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(3));
    if (language === 'sh') return lines.map((command) => ({ kind: 'run', command }));
    if (language === 'console')
      return [{ kind: 'print', command: lines[0]!.replace('$ ', ''), output: `${lines.slice(1).join('\n')}\n` }];
    if (language === 'diff') return [{ kind: 'change', file, before: side(lines, '+'), after: side(lines, '-') }];
    return [{ kind: 'create', file, text: `${lines.join('\n')}\n` }];
  });
}

/** The lines of a difference without those of the other side. */
function side(lines: readonly string[], other: string): string[] {
  return lines.filter((line) => !line.startsWith(other)).map((line) => line.slice(1));
}

/** A text after a change. The lines of the place must occur once. */
export function changed(text: string, { file, before, after }: Action & { readonly kind: 'change' }): string {
  const whole = `\n${text}`;
  const place = `\n${before.join('\n')}\n`;
  const found = whole.split(place).length - 1;
  if (found !== 1) throw new Error(`${file} has these lines ${found} times, not once:${place}`);
  return whole.replace(place, () => `\n${after.join('\n')}\n`).slice(1);
}
