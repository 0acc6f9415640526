/** Faults of metadata and entrypoints. */

import type { Annotations, Comment } from '../../../../compiler/index.js';
import type { LintRule } from '../../frame/lint-rule.js';

/** What a block of metadata may say. */
const attributes: ReadonlySet<string> = new Set([
  'scope',
  'title',
  'description',
  'related_resources',
  'authors',
  'organizations',
  'schemas',
  'entrypoint',
  'custom',
  'compile',
  'labels',
]);

const attribute = /^ ?(["']?)([A-Za-z_][\w-]*)\1\s*:/;

/** The attribute that a comment names, if it stands where one may. */
function attributeOf({ text }: Comment): string | undefined {
  return attribute.exec(text)?.[2];
}

export const metadataRules: readonly LintRule[] = [
  {
    name: 'annotation-without-metadata',
    category: 'bugs',
    finds: 'A comment looks like metadata, but has no METADATA line above it',
    visit: ({ file, report }) => {
      let last = Number.NEGATIVE_INFINITY;
      return {
        comment: (comment) => {
          const { row, col } = comment.loc.source.position(comment.loc.start);
          if (col !== 1) return;
          const isFirst = row !== last + 1;
          last = row;
          if (isFirst && attributes.has(attributeOf(comment) ?? '') && file.lines[row - 1]?.startsWith('#'))
            report(comment.loc);
        },
      };
    },
  },
  {
    name: 'invalid-metadata-attribute',
    category: 'bugs',
    finds: 'There is no such attribute of metadata',
    visit: ({ file, report }) => {
      const blocks = (node: Annotations): readonly Comment[] =>
        file.module.comments.filter(({ loc }) => node.loc.includes(loc)).slice(1);
      return {
        annotations: (node) => {
          for (const comment of blocks(node)) {
            const name = attributeOf(comment);
            if (name !== undefined && !attributes.has(name)) report(comment.loc);
          }
        },
      };
    },
  },
  {
    name: 'internal-entrypoint',
    category: 'bugs',
    finds: 'An entrypoint has the name of an internal rule',
    visit: ({ report }) => {
      const seen = new Set<Annotations>();
      return {
        rule: ({ annotations, head }) => {
          for (const block of annotations) {
            if (!block.entrypoint || seen.has(block)) continue;
            seen.add(block);
            const part = head.ref.find(
              (term) =>
                (term.type === 'var' && term.name.startsWith('_')) ||
                (term.type === 'string' && term.value.startsWith('_')),
            );
            if (part) report(part.loc);
          }
        },
      };
    },
  },
];
