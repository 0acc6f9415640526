/** Faults of metadata and entrypoints. */

import { type Annotations, type Comment, nameOfKey } from '../../../../compiler/index.js';
import type { LintRule } from '../../frame/lint-rule.js';
import { commentBlocks, commentColumn, isMetadata } from '../comment-blocks.js';

/** The fields of a block of metadata, and the types of their values. */
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

/** The attribute that a comment seems to name. */
function attributeLike({ text }: Comment): string | undefined {
  return /^\s*(\w+)\s*:/.exec(text)?.[1];
}

/** The attribute that a line of metadata names. */
function attributeOf({ text }: Comment): string | undefined {
  return /^ (\w[^:"']*):(?=\s|$)/.exec(text)?.[1];
}

export const metadataRules: readonly LintRule[] = [
  {
    name: 'annotation-without-metadata',
    category: 'bugs',
    finds: 'A comment looks like metadata, but has no METADATA line above it',
    visit: ({ file, report }) => {
      for (const [first] of commentBlocks(file.module.comments))
        if (commentColumn(first) === 1 && attributes.has(attributeLike(first) ?? '')) report(first.loc);
      return {};
    },
  },
  {
    name: 'invalid-metadata-attribute',
    category: 'bugs',
    finds: 'There is no such attribute of metadata',
    visit: ({ file, report }) => {
      for (const block of commentBlocks(file.module.comments)) {
        if (!isMetadata(block) || !file.module.annotations.some(({ loc }) => loc.includes(block[0].loc))) continue;
        const [, ...rest] = block;
        for (const comment of rest) {
          const name = attributeOf(comment);
          if (name !== undefined && !attributes.has(name)) report(comment.loc);
        }
      }
      return {};
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
            if (head.args !== undefined) continue;
            head.ref.forEach((term, i) => {
              const name = i === 0 ? nameOfKey(term) : term.type === 'string' ? term.value : '';
              if (name.startsWith('_')) report(term.loc);
            });
          }
        },
      };
    },
  },
];
