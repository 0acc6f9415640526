import { dirname } from 'node:path';
import { doors } from './doors.js';

/** Files in one folder, tests included, folders in it not. */
const filesOfFolder = 25;
/** Lines of a function. */
const linesOfFunction = 100;
/** Variables of modules. Each says above it why it is no argument or field; this only falls. */
const variablesOfModules = 39;
/** Comments whose first word stands for a noun that they do not name. This only falls. */
const commentsWithoutNoun = 0;
/** Names that several files export, each with a meaning of its own. This only falls. */
const namesOfSeveral = 24;
/** Columns of a comment's line. */
const columnsOfComment = 100;

/** Functions that may be longer, with the reason. */
const longFunctions: ReadonlyMap<string, string> = new Map([
  ['runtime/vm/run.ts', 'the loop of the machine is one switch, a case for each instruction'],
  ['runtime/vm/plan-machine.ts', 'one switch, a case for each statement of a plan'],
]);

/**
 * Finds folders with too many files, functions with too many lines, comments with lines that are
 * too long, comments that open without a noun, names that several files export, and variables of
 * modules.
 * @param sources file texts by path from the project's root
 * @returns one sentence for each, sorted
 */
export function checkSizes(sources: ReadonlyMap<string, string>): string[] {
  const folders = Map.groupBy(
    [...sources.keys()].filter((path) => !doors.includes(path)),
    (path) => dirname(path),
  );
  const crowded = [...folders].filter(([, paths]) => paths.length > filesOfFolder);
  const complaints = crowded.map(
    ([folder, { length }]) => `${folder} has ${length} files: more than ${filesOfFolder} want a folder inside`,
  );
  for (const [path, text] of sources) {
    const lines = text.split('\n');
    const isLongAllowed = longFunctions.has(path) || path.endsWith('.test.ts');
    if (!isLongAllowed) {
      for (const { start, length } of longBodies(lines))
        complaints.push(`${path}:${start}: a function of ${length} lines`);
    }
    for (const [i, line] of lines.entries()) {
      if (line.length <= columnsOfComment || !/^\s*(\/\/|\/\*|\*[\s/])/.test(line) || /https?:\/\/\S{60}/.test(line))
        continue;
      complaints.push(`${path}:${i + 1}: a comment of ${line.length} columns`);
    }
  }
  return [...complaints, ...checkVariables(sources), ...checkOpenings(sources), ...checkNames(sources)].sort();
}

/**
 * First words of a comment that stand for a noun: "What an evaluation reads" are its documents, and
 * "Of the input" names their owner alone.
 */
const withoutNoun =
  /(?:\/\*\*\s*(?:\n\s*\*\s*)?|^\s*\/\/ )(?:What|Whatever|Which|Who|Whoever|That|Those|Told|Of|By|More (?:are|is|would)|Is (?:asked|called|told)|So (?:many|much|long|far|often)|The same(?=[,.:;]| (?:as|at|by|for|from|in|of|on|once|to|where|whether|with|without)\b))\b/gm;

function checkOpenings(sources: ReadonlyMap<string, string>): string[] {
  const count = products(sources).reduce((sum, [, text]) => sum + [...text.matchAll(withoutNoun)].length, 0);
  return count > commentsWithoutNoun
    ? [`${count} comments open without a noun ("What", "So many", "That"): more than ${commentsWithoutNoun}`]
    : [];
}

const exported =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|const|let|interface|type|enum) ([\w$]+)/gm;

/** A reader who meets a name in two files has to find out that it means two things. */
function checkNames(sources: ReadonlyMap<string, string>): string[] {
  const names = products(sources).flatMap(([, text]) => [
    ...new Set([...text.matchAll(exported)].map(([, name]) => name!)),
  ]);
  const several = [...Map.groupBy(names, (name) => name).values()].filter(({ length }) => length > 1);
  return several.length > namesOfSeveral
    ? [`${several.length} names are exported by several files: more than ${namesOfSeveral}`]
    : [];
}

function products(sources: ReadonlyMap<string, string>): (readonly [path: string, text: string])[] {
  return [...sources].filter(([path]) => !path.endsWith('.test.ts') && !/^(bench|examples|scripts|test)\//.test(path));
}

/** All who import a module share its state, so product code needs a reason for it. */
function checkVariables(sources: ReadonlyMap<string, string>): string[] {
  const found = products(sources).flatMap(([path, text]) => {
    const lines = text.split('\n');
    return lines.flatMap((line, i) =>
      /^(export )?let .*[:=]/.test(line) ? [{ place: `${path}:${i + 1}`, hasReason: hasReason(lines, i) }] : [],
    );
  });
  const complaints = found
    .filter(({ hasReason }) => !hasReason)
    .map(({ place }) => `${place}: a variable of a module without a reason above it`);
  if (found.length > variablesOfModules)
    complaints.push(`${found.length} variables of modules: more than ${variablesOfModules}`);
  return complaints;
}

/** Variables that stand together share their reason. */
function hasReason(lines: readonly string[], position: number): boolean {
  let above = position - 1;
  while (lines[above]?.startsWith('let ')) above--;
  return / ?\*\/$|^\/\//.test(lines[above] ?? '');
}

/**
 * Functions and methods of a formatted file that have too many lines: a body ends at the first
 * closing brace with the indent of its head.
 */
function longBodies(lines: readonly string[]): { start: number; length: number }[] {
  const found: { start: number; length: number }[] = [];
  const head =
    /^(\s*)(?:(?:export )?(?:async )?function\b|(?:(?:static|override|async|get|set|readonly|private|protected) )*[#\w$]+(?:<[^>]*>)?\(.*\{$|(?:export )?const [\w$]+ = (?:async )?(?:\(|[\w$]+ =>).*\{$)/;
  const keyword = /^\s*(?:if|for|while|switch|return|describe|test|it)\b/;
  for (const [i, line] of lines.entries()) {
    const indent = keyword.test(line) ? undefined : head.exec(line)?.[1];
    if (indent === undefined) continue;
    const end = lines.findIndex((other, j) => j > i && new RegExp(`^${indent}\\}`).test(other));
    if (end - i + 1 > linesOfFunction) found.push({ start: i + 1, length: end - i + 1 });
  }
  return found;
}
