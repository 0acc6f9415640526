/** Regular expressions and globs as the solver has them: patterns without assertions inside. */
import { type CharSet, globTree, parsePlainRegex, type RegexNode, type Value } from '../../../../values/index.js';
import { lastCharacter, smtText } from '../formulas.js';

const anything = '(re.* re.allchar)';

/** The texts in which a pattern is found; undefined for a form that is not known. */
export function regexTerm(pattern: string): string | undefined {
  const tree = parsePlainRegex(withPlainClasses(pattern))?.node;
  return tree && termOrNone(() => foundTerm(tree));
}

/** The texts that a glob matches; undefined for none that is known. */
export function globTerm(pattern: string, delimiters: Value): string | undefined {
  const tree = globTree(pattern, delimiters);
  return tree && termOrNone(() => wholeTerm(tree));
}

class UnknownForm extends Error {}

function termOrNone(make: () => string): string | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof UnknownForm) return undefined;
    throw error;
  }
}

/** The texts in which a pattern is found: each alternative may have anchors of its own. */
function foundTerm(node: RegexNode): string {
  if (node.kind === 'group') return foundTerm(node.of);
  if (node.kind === 'alternate') return joined('re.union', node.nodes.map(foundTerm));
  const inner = node.kind === 'concat' ? [...node.nodes] : [node];
  const isAnchor = (one: RegexNode | undefined, what: 'start' | 'end') => one?.kind === 'assert' && one.what === what;
  const isStart = isAnchor(inner[0], 'start');
  if (isStart) inner.shift();
  const isEnd = isAnchor(inner.at(-1), 'end');
  if (isEnd) inner.pop();
  // The alternatives of the only group may have anchors, too.
  const [only] = inner;
  if (!isStart && !isEnd && inner.length === 1 && only?.kind === 'group') return foundTerm(only);
  const terms = inner.map(wholeTerm);
  return joined('re.++', [...(isStart ? [] : [anything]), ...terms, ...(isEnd ? [] : [anything])]);
}

/** The texts that a pattern matches from end to end. */
function wholeTerm(node: RegexNode): string {
  switch (node.kind) {
    case 'set':
      return setTerm(node.set);
    case 'concat':
      return joined('re.++', joinedLetters(node.nodes));
    case 'alternate':
      return joined('re.union', node.nodes.map(wholeTerm));
    case 'group':
      return wholeTerm(node.of);
    case 'repeat':
      return repeated(wholeTerm(node.of), node.min, node.max);
    default:
      throw new UnknownForm();
  }
}

/** Characters that follow each other are one text. */
function joinedLetters(nodes: readonly RegexNode[]): readonly string[] {
  const terms: string[] = [];
  let text = '';
  const finish = () => {
    if (text !== '') terms.push(`(str.to_re ${smtText(text)})`);
    text = '';
  };
  for (const node of nodes) {
    const [only, ...others] = node.kind === 'set' ? node.set : [];
    if (only !== undefined && others.length === 0 && only[0] === only[1]) text += String.fromCodePoint(only[0]);
    else {
      finish();
      terms.push(wholeTerm(node));
    }
  }
  finish();
  return terms;
}

/** A lazy repetition matches the same texts. */
function repeated(term: string, min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) {
    if (min === 0) return `(re.* ${term})`;
    return min === 1 ? `(re.+ ${term})` : `(re.++ ((_ re.^ ${min}) ${term}) (re.* ${term}))`;
  }
  return min === 0 && max === 1 ? `(re.opt ${term})` : `((_ re.loop ${min} ${max}) ${term})`;
}

function setTerm(set: CharSet): string {
  const ranges = set.map(([low, high]) => {
    // Sets that go to the end of Unicode end with the solver's characters.
    const last = high === 0x10ffff ? lastCharacter - 1 : high;
    if (low >= lastCharacter || last >= lastCharacter) throw new UnknownForm();
    const text = (code: number) => smtText(String.fromCodePoint(code));
    if (low === 0 && high === 0x10ffff) return 're.allchar';
    return low === last ? `(str.to_re ${text(low)})` : `(re.range ${text(low)} ${text(last)})`;
  });
  return joined('re.union', ranges);
}

function joined(operator: string, parts: readonly string[]): string {
  if (parts.length === 0) return operator === 're.union' ? 're.none' : '(str.to_re "")';
  return parts.length === 1 ? parts[0]! : `(${operator} ${parts.join(' ')})`;
}

/** Classes of POSIX as members of a class. */
const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: '\\t ',
  digit: '0-9',
  lower: 'a-z',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** A pattern with the ranges of POSIX classes in their place. */
function withPlainClasses(pattern: string): string {
  return pattern.replace(/\\.|\[\^?\]?(?:\\.|\[:[a-z]+:\]|[^\]\\])*\]/gs, (part) =>
    part.startsWith('[') ? part.replace(/\\.|\[:([a-z]+):\]/gs, (all, name) => posixClasses[name] ?? all) : part,
  );
}
