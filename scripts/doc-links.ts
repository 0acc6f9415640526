/** Links between pages of documentation. */
import { dirname, posix } from 'node:path';

/**
 * Finds links to files, folders or headings that do not exist. Links to other sites are not
 * followed.
 * @param pages texts by path from the project's root
 * @param tree paths of all files from the project's root
 * @returns one sentence for each, by page and line
 */
export function deadLinks(pages: ReadonlyMap<string, string>, tree: readonly string[]): string[] {
  const known = new Set<string>();
  for (const file of tree) {
    for (let path = file; path !== '.' && !known.has(path); path = dirname(path)) known.add(path);
  }
  const complaints: string[] = [];
  for (const [name, page] of pages) {
    for (const [i, line] of page.split('\n').entries()) {
      for (const [, target] of line.replace(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^\w+:/.test(target!)) continue;
        const [path = '', heading] = target!.split('#');
        const file = path === '' ? name : posix.join(dirname(name), path).replace(/\/$/, '');
        const other = pages.get(file);
        const isDead =
          !known.has(file) || (heading !== undefined && other !== undefined && !anchorsOf(other).has(heading));
        if (isDead) complaints.push(`${name}:${i + 1}: the link to ${target} leads nowhere`);
      }
    }
  }
  return complaints;
}

/** The anchors of headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const headings = [...page.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)];
  return new Set(
    headings.map(([, text]) =>
      text!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}
