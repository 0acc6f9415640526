/**
 * Code that typical runs do not need, made when some of it is first used: functions that none
 * calls, and modules that not all load. V8 makes an object for each function of a script when the
 * script runs, and reads its description from the pack.
 */
import { type AnyNode, type Node, type Property, parse } from 'acorn';
import { boundNames, type Edit, edited, nodesIn, visit } from '../module-syntax.js';

/** Declarations at the top of a script. */
type Group = readonly AnyNode[];

/** What typical runs do with a script. */
export interface Usage {
  /** Whether a run executes what is at a place of the text. */
  readonly isExecuted: (place: number) => boolean;
  /** Whether all runs load a module, by its path. */
  readonly isNeeded: (module: string) => boolean;
}

/** The length of a group of functions in characters: V8 reads all of it when one is called. */
const groupLength = 2000;

/**
 * The script with groups of declarations, each in a function that makes them. A group is made when
 * it is first used from outside it. Its code sees the variables of the script as before.
 * @param text the script of joined modules, in which each variable at the top has a name of its
 *   own, and a comment with its path begins a module
 */
export function withGroups(text: string, usage: Usage): string {
  const script = new Script(text);
  const seldom = [...script.modules].filter(([path]) => !usage.isNeeded(path)).map(([, nodes]) => nodes);
  const modules = seldom.filter((group) => script.mayBeMadeLate(group));
  const taken = new Set(modules.flat());
  const rest = script.statements.filter((node) => !taken.has(node));
  return script.rewritten([...modules, ...inGroups(script.seldomFunctions(rest, usage.isExecuted))]);
}

function inGroups(functions: readonly AnyNode[]): readonly Group[] {
  const groups: AnyNode[][] = [];
  let length = groupLength;
  for (const one of functions) {
    if (length >= groupLength) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)!.push(one);
    length += one.end - one.start;
  }
  return groups;
}

class Script {
  readonly statements: readonly AnyNode[];
  /** The statements of each module, by its path. */
  readonly modules = new Map<string, AnyNode[]>();
  readonly #text: string;
  /** The names in each statement, its own ones too. */
  readonly #uses = new Map<AnyNode, ReadonlySet<string>>();
  /** The statement that declares a name. */
  readonly #declaring = new Map<string, AnyNode>();
  /** Names that are assigned, or declared again inside of a statement. */
  readonly #changing = new Set<string>();

  constructor(text: string) {
    this.#text = text;
    const heads: { readonly path: string; readonly end: number }[] = [];
    const { body } = parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      onComment: (_, comment, start, end) => {
        if (/^ \S+\.[jt]s$/.test(comment) && (start === 0 || text[start - 1] === '\n')) heads.push({ path: comment.slice(1), end });
      },
    });
    this.statements = body as AnyNode[];
    for (const node of this.statements) {
      const path = heads.findLast(({ end }) => end <= node.start)?.path;
      if (path !== undefined) this.modules.set(path, [...(this.modules.get(path) ?? []), node]);
      const names = new Set<string>();
      visit(node, ({ name }) => names.add(name));
      this.#uses.set(node, names);
      for (const name of declaredBy(node)) this.#declaring.set(name, node);
      for (const name of changedIn(node)) this.#changing.add(name);
    }
  }

  /**
   * Whether a module may be a group: it only declares names, which have one value each for others,
   * and nothing that may run while the group is made uses it from outside.
   */
  mayBeMadeLate(group: Group): boolean {
    if (group.some((node) => !isDeclaration(node))) return false;
    return this.#areConstant(group) && !this.#mayUse(group);
  }

  #areConstant(group: Group): boolean {
    const names = new Set(group.flatMap(declaredBy));
    const outside = this.statements.filter((node) => !group.includes(node));
    return [...names].every((name) => !this.#changing.has(name) || !outside.some((node) => this.#uses.get(node)!.has(name)));
  }

  /** Whether a statement outside a group uses it that the group uses, itself or by others. */
  #mayUse(group: Group): boolean {
    const names = new Set(group.flatMap(declaredBy));
    const reached = new Set<AnyNode>(group);
    for (const node of reached)
      for (const name of this.#uses.get(node)!) {
        if (names.has(name) && !group.includes(node)) return true;
        const declaring = this.#declaring.get(name);
        if (declaring !== undefined && !isPartTable(declaring)) reached.add(declaring);
      }
    return false;
  }

  /** Functions that are neither called nor handed on in typical runs. */
  seldomFunctions(among: readonly AnyNode[], isExecuted: (place: number) => boolean): readonly AnyNode[] {
    const used = new Set<string>();
    for (const node of this.statements)
      if (!isPartTable(node))
        visit(node, ({ name, start }) => {
          if (isExecuted(start) && this.#declaring.get(name) !== node) used.add(name);
        });
    return among.filter((node) => {
      if (node.type !== 'FunctionDeclaration' || isPartTable(node) || isExecuted(node.start)) return false;
      // A function of a group is called as a member of an object.
      return (
        !used.has(node.id!.name) &&
        this.#areConstant([node]) &&
        ![...nodesIn(node)].some(({ type }) => type === 'ThisExpression' || type === 'MetaProperty')
      );
    });
  }

  /** The text with groups. All that is outside a group uses it by members of an object. */
  rewritten(groups: readonly Group[]): string {
    const members = new Map<string, string>();
    for (const [number, group] of groups.entries())
      for (const [place, name] of group.flatMap(declaredBy).entries())
        members.set(name, `(group${number}_ ??= makeGroup${number}_()).${shortName(place)}`);
    const groupOf = new Map(groups.flatMap((group) => group.map((node) => [node, group] as const)));
    const texts = new Map(this.statements.map((node) => [node, this.#withMembers(node, members, groupOf.get(node) ?? [])]));
    const makers = groups.map((group, number) => {
      const rows = group.flatMap(declaredBy).map((name, place) => `${shortName(place)}: ${name}`);
      const body = group.map((node) => texts.get(node)!).join('\n');
      return `var group${number}_;\nfunction makeGroup${number}_() {\n${body}\nreturn { ${rows.join(', ')} };\n}`;
    });
    return [...makers, ...this.statements.filter((node) => !groupOf.has(node)).map((node) => texts.get(node)!)].join('\n');
  }

  #withMembers(node: AnyNode, members: ReadonlyMap<string, string>, group: Group): string {
    const own = new Set(group.flatMap(declaredBy));
    const edits: Edit[] = [];
    const getters = new Set<number>();
    if (isPartTable(node))
      for (const { start, end, key, value } of partRows(node, members)) {
        edits.push({ start, end, text: `get ${this.#text.slice(key.start, key.end)}() { return ${members.get(value.name)!}; }` });
        getters.add(value.start);
      }
    visit(node, ({ name, start, end }, isShorthand) => {
      const member = members.get(name);
      if (member === undefined || own.has(name) || getters.has(start)) return;
      edits.push({ start, end, text: isShorthand ? `${name}: ${member}` : member });
    });
    return edited(this.#text, edits, node);
  }
}

function isDeclaration(node: AnyNode): boolean {
  return node.type === 'FunctionDeclaration' || node.type === 'VariableDeclaration' || node.type === 'ClassDeclaration';
}

function declaredBy(node: AnyNode): readonly string[] {
  if (node.type === 'VariableDeclaration') return node.declarations.flatMap(({ id }) => boundNames(id));
  return node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration' ? [node.id!.name] : [];
}

/** Names that are assigned, or declared again inside of a statement. */
function changedIn(statement: AnyNode): readonly string[] {
  const names: string[] = [];
  const add = (pattern: Node | null | undefined) => {
    if (pattern) names.push(...boundNames(pattern));
  };
  const top = statement.type === 'VariableDeclaration' ? statement.declarations : [statement];
  for (const node of nodesIn(statement)) {
    if ('params' in node) for (const pattern of node.params) add(pattern);
    if ('id' in node && !(top as readonly AnyNode[]).includes(node)) add(node.id);
    if (node.type === 'CatchClause') add(node.param);
    else if (node.type === 'AssignmentExpression' || node.type === 'ForInStatement' || node.type === 'ForOfStatement') add(node.left);
    else if (node.type === 'UpdateExpression') add(node.argument);
  }
  return names;
}

/** The exports of the modules of a folder: few of them are asked for. */
function isPartTable(node: AnyNode): boolean {
  return node.type === 'FunctionDeclaration' && /^partOf\d+$/.test(node.id!.name);
}

type PartRow = Property & { readonly value: { readonly name: string } };

/** Rows of functions: `name: name_of_the_function`. */
function partRows(table: AnyNode, members: ReadonlyMap<string, string>): readonly PartRow[] {
  return [...nodesIn(table)].filter((node): node is PartRow => {
    return node.type === 'Property' && node.kind === 'init' && node.value.type === 'Identifier' && members.has(node.value.name);
  });
}

/** Letters are texts that V8 has at hand. */
function shortName(place: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const rest = Math.floor(place / letters.length);
  return `${rest === 0 ? '' : shortName(rest - 1)}${letters[place % letters.length]!}`;
}
