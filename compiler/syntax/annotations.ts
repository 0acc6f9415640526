/** `# METADATA` comments: finds them, reads their fields, and assigns them to statements. */

import { YAMLException } from 'js-yaml';
import { countWhile, type Steps } from '../../values/index.js';
import { equalRefs } from '../ast/equal.js';
import { isScalar } from '../ast/names.js';
import type { AnnotationScope, Annotations, Comment, Package, Rule, Term } from '../ast/nodes.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostics.js';
import { Span } from '../source/location.js';
import { AnnotationError, readFields } from './annotation-fields.js';
import { parseDetails } from './details.js';
import type { Statement } from './grammar/rules.js';
import type { ParseOptions } from './parse-options.js';

/** A block whose target is not known yet; its scope may be left to that. */
type Block = Omit<Annotations, 'scope' | 'path'> & { readonly scope: string | undefined };

interface Lines {
  readonly head: Comment;
  readonly lines: Comment[];
}

/**
 * A block of metadata may have so many characters for each token that a statement may have: its
 * YAML is read in one step, a million characters in some 0.1 s.
 */
const lengthPerToken = 16;

/** The metadata blocks among a module's comments. */
export function* readAnnotations(
  comments: readonly Comment[],
  { maxStatementTokens = Number.POSITIVE_INFINITY }: Pick<ParseOptions, 'maxStatementTokens'>,
): Steps<{
  readonly blocks: readonly Block[];
  readonly problems: readonly Diagnostic[];
}> {
  const blocks: Block[] = [];
  const problems: Diagnostic[] = [];
  for (const lines of yield* findBlocks(comments)) {
    const read = yield* readBlock(lines, lengthPerToken * maxStatementTokens);
    if ('code' in read) problems.push(read);
    else blocks.push(read);
    yield;
  }
  return { blocks, problems };
}

/** The comments that are read in a step. */
const commentsOfStep = 4096;

/**
 * A block is a comment `METADATA` and the comments in the first column of the rows right below, up
 * to the next `METADATA`.
 */
function* findBlocks(comments: readonly Comment[]): Steps<Lines[]> {
  const blocks: Lines[] = [];
  let current: Lines | undefined;
  let lastRow = 0;
  for (const [i, comment] of comments.entries()) {
    if (i % commentsOfStep === commentsOfStep - 1) yield;
    const isHead = comment.text.trim().startsWith('METADATA');
    // Rows are looked up only where a block goes on: most modules have none.
    if (current && !isHead) {
      const { row, col } = comment.loc.source.position(comment.loc.start);
      if (row === lastRow + 1 && col === 1) {
        current.lines.push(comment);
        lastRow = row;
        continue;
      }
      current = undefined;
    }
    if (!isHead) continue;
    current = { head: comment, lines: [] };
    lastRow = comment.loc.row;
    blocks.push(current);
  }
  return blocks;
}

function* readBlock({ head, lines }: Lines, maxLength: number): Steps<Block | Diagnostic> {
  const last = lines.at(-1) ?? head;
  const loc = new Span(head.loc.source, head.loc.start, last.loc.end);
  const text = lines.map((line) => line.text.replace(/^ /, '')).join('\n');
  if (text.trim() === '')
    return diagnose('annotation', head.loc, { reason: 'expected METADATA block, found whitespace' });
  if (text.length > maxLength) {
    return diagnose(
      'annotation',
      head.loc,
      { reason: `METADATA block has more than ${maxLength} characters` },
      parseDetails(head.loc),
    );
  }
  try {
    return { type: 'annotations', loc, endRow: last.loc.row, ...(yield* readFields(text)) };
  } catch (error) {
    if (error instanceof AnnotationError) {
      const at = error.line === undefined ? head.loc : (lines[Math.min(error.line, lines.length - 1)] ?? head).loc;
      return diagnose('annotation', at, { reason: error.message }, parseDetails(at));
    }
    if (error instanceof YAMLException) {
      const line = error.mark?.line ?? 0;
      const at = (lines[Math.min(line, lines.length - 1)] ?? head).loc;
      return diagnose(
        'annotation',
        at,
        { reason: `yaml: line ${line + 1}: ${error.reason}${spaceHint(lines)}` },
        parseDetails(at),
      );
    }
    throw error;
  }
}

/** A frequent cause: a `:` without a space after it. */
function spaceHint(lines: readonly Comment[]): string {
  let hint = '';
  for (const { text, loc } of lines) {
    const parts = text.split(':').slice(1);
    const wrong: string[] = [];
    for (const [i, part] of parts.entries()) {
      if (part === '' && i === parts.length - 1) break;
      const first = String.fromCodePoint(part.codePointAt(0) ?? 0xfffd);
      if (first === ' ' || first === '\t') break;
      wrong.push(`'${first}'`);
    }
    if (wrong.length > 0)
      hint += `\n  Hint: on line ${loc.row}, symbol(s) [${wrong.join(' ')}] immediately following a key/value separator ':' is not a legal yaml space character`;
  }
  return hint;
}

interface Attached {
  readonly rules: readonly Rule[];
  readonly annotations: readonly Annotations[];
  readonly problems: readonly Diagnostic[];
}

/** Gives each block to the statement after it, and each rule the blocks that are about it. */
export function* attachAnnotations(
  pkg: Package,
  statements: readonly Statement[],
  blocks: readonly Block[],
): Steps<Attached> {
  const rules = statements.filter((statement) => statement.type === 'rule');
  if (blocks.length === 0) return { rules, annotations: [], problems: [] };
  const problems: Diagnostic[] = [];
  const annotations: Annotations[] = [];
  const rows = statements.map((statement) => statement.loc.row);
  // Statements come in order of the text, but a rule without a body may be located at its end.
  const reached = rows.map(maximumSoFar());
  yield;
  for (const block of blocks) {
    const target = statements[countWhile(reached, (row) => row <= block.loc.row)];
    const scope = block.scope ?? defaultScope(block, target);
    const problem = checkScope(block, scope, target);
    if (problem) problems.push(problem);
    else
      annotations.push({
        ...block,
        scope: scope as AnnotationScope,
        path: target?.type === 'rule' ? rulePath(pkg, target) : pkg.path,
      });
  }
  yield;
  return { rules: problems.length > 0 ? rules : yield* annotated(pkg, rules, annotations), annotations, problems };
}

function maximumSoFar(): (number: number) => number {
  let maximum = 0;
  return (number) => {
    maximum = Math.max(maximum, number);
    return maximum;
  };
}

function defaultScope(block: Block, target: Statement | undefined): string {
  if (target?.type === 'rule') return block.entrypoint ? 'document' : 'rule';
  return target?.type ?? '';
}

function checkScope(block: Block, scope: string, target: Statement | undefined): Diagnostic | undefined {
  const have = target?.type;
  const wrong = (want: string): Diagnostic => diagnose('annotationTarget', block.loc, { scope, want, have });
  if (scope === 'rule' || scope === 'document') {
    if (have !== 'rule') return wrong('rule');
  } else if (scope === 'package' || scope === 'subpackages') {
    if (have !== 'package') return wrong('package');
  } else return diagnose('annotationScope', block.loc, { scope });
  if (block.entrypoint && scope !== 'document' && scope !== 'package')
    return diagnose('annotationEntrypoint', block.loc, { scope });
  return undefined;
}

/** The package's path and the part of the rule's ref before the first variable. */
function rulePath(pkg: Package, rule: Rule): readonly Term[] {
  const { ref } = rule.head;
  const [head, ...rest] = ref;
  const name: Term = head.type === 'var' ? { type: 'string', loc: head.loc, value: head.name } : head;
  const variable = rest.findIndex((term) => !isScalar(term));
  return [...pkg.path, name, ...(variable < 0 ? rest : rest.slice(0, variable))];
}

/** The rules that get their blocks in a step. */
const rulesOfStep = 256;

/**
 * A block of scope `document` is about all rules of its path, one of scope `rule` about the next.
 */
function* annotated(pkg: Package, rules: readonly Rule[], annotations: readonly Annotations[]): Steps<readonly Rule[]> {
  const left = new Map<string, Annotations[]>();
  for (const block of annotations) {
    if (block.scope !== 'rule' && block.scope !== 'document') continue;
    const key = pathName(block.path);
    const blocks = left.get(key);
    if (blocks === undefined) left.set(key, [block]);
    else blocks.push(block);
  }
  const result: Rule[] = [];
  for (const [i, rule] of rules.entries()) {
    if (i % rulesOfStep === 0) yield;
    const path = rulePath(pkg, rule);
    const blocks = left.get(pathName(path)) ?? [];
    const own = blocks.filter(
      (block) => (block.scope === 'document' || rule.loc.row > block.loc.row) && equalRefs(block.path, path),
    );
    const used = own.findLast(({ scope }) => scope === 'rule');
    if (used) blocks.splice(blocks.indexOf(used), 1);
    result.push(own.length === 0 ? rule : { ...rule, annotations: own });
  }
  return result;
}

/** Equal paths have the same name; others seldom do. */
function pathName(path: readonly Term[]): string {
  return path.map((term) => ('value' in term ? String(term.value) : 'name' in term ? term.name : term.type)).join('.');
}
