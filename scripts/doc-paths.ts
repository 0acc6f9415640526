/** Files and folders that a page of documentation names in backticks. */

const path = /`([\w.-]+(?:\/[\w.-]+)*\/?)`/g;
const isFile = /^[\w./-]*[\w-]\.(?:ts|mjs|cjs|json)$/;

/**
 * Finds paths that are not in the tree. A name may leave out folders in front, as
 * `lower-lookup.ts` does. Built files (`dist/`) are not in the tree.
 * @param page the text of the page
 * @param tree paths of files from the project's root
 * @returns one sentence for each, in the order of the page
 */
export function unknownPaths(name: string, page: string, tree: readonly string[]): string[] {
  const known = new Set<string>();
  for (const file of tree) {
    const parts = file.split('/');
    for (let end = 1; end <= parts.length; end++) {
      for (let start = 0; start < end; start++) known.add(parts.slice(start, end).join('/'));
    }
  }
  const complaints: string[] = [];
  for (const [i, line] of page.split('\n').entries()) {
    for (const [, written] of line.matchAll(path)) {
      const asked = written!.replace(/\/$/, '');
      const isPath = isFile.test(asked) || written!.includes('/');
      if (isPath && !asked.startsWith('dist') && !known.has(asked))
        complaints.push(`${name}:${i + 1}: ${written} is not in the tree`);
    }
  }
  return complaints;
}
