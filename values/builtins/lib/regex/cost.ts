/**
 * How much a backtracking matcher may spend on a pattern. A choice is free where the next character
 * decides it: a loop over characters that the following part cannot start with never profits from
 * giving one back. Any other unbounded loop multiplies the work by the length of the text, any
 * other choice by its number of ways. Loops within loops are left to RE2 unless every choice inside
 * is free.
 */
import { anyCharacter, type CharSet, charSet, overlap } from './charset.js';
import type { RegexNode } from './syntax.js';

interface Cost {
  /** Matching at one place takes time within `ways × length^degree`. */
  readonly degree: number;
  readonly ways: number;
  /** Matches only where the text begins. */
  readonly anchored: boolean;
  /** A group inside a loop keeps other text in RE2 than in a RegExp. */
  readonly groupInLoop: boolean;
}

/** Beyond this no text is short enough. */
const maxWays = 64;

/** The cost of a pattern, undefined where it has no bound worth having. */
export function costOf(node: RegexNode): Cost | undefined {
  const meter = new Meter();
  meter.visit(node, [], false);
  if (meter.tooDear || meter.ways > maxWays) return undefined;
  return {
    degree: (meter.loops ? 1 : 0) + meter.degree,
    ways: meter.ways,
    anchored: isAnchored(node),
    groupInLoop: meter.groupInLoop,
  };
}

class Meter {
  degree = 0;
  ways = 1;
  loops = false;
  tooDear = false;
  groupInLoop = false;

  /** `follow`: the characters that may follow the node in a match. */
  visit(node: RegexNode, follow: CharSet, inLoop: boolean): void {
    switch (node.kind) {
      case 'concat': {
        let after = follow;
        for (const inner of node.nodes.toReversed()) {
          this.visit(inner, after, inLoop);
          after = firstThen(inner, after);
        }
        return;
      }
      case 'alternate':
        this.#alternate(node.nodes, follow, inLoop);
        return;
      case 'group':
        if (inLoop && node.index > 0) this.groupInLoop = true;
        this.visit(node.of, follow, inLoop);
        return;
      case 'repeat':
        this.#repeat(node, follow, inLoop);
        return;
      default:
    }
  }

  #choose(ways: number, inLoop: boolean): void {
    if (inLoop) this.tooDear = true;
    this.ways *= ways;
  }

  #alternate(nodes: readonly RegexNode[], follow: CharSet, inLoop: boolean): void {
    let seen: CharSet = [];
    let decided = true;
    for (const node of nodes) {
      const first = firstThen(node, follow);
      if (overlap(seen, first) || isNullable(node)) decided = false;
      seen = charSet([...seen, ...first]);
      this.visit(node, follow, inLoop);
    }
    if (!decided) this.#choose(nodes.length, inLoop);
  }

  #repeat(node: RegexNode & { kind: 'repeat' }, follow: CharSet, inLoop: boolean): void {
    const { of, min, max } = node;
    if (isNullable(of)) {
      this.tooDear = true;
      return;
    }
    const first = firstOf(of);
    const isFree = !overlap(first, follow) || min === max;
    const isLoop = max > 1;
    // A body of fixed shape repeated a fixed number of times is but a longer pattern, as long as
    // nothing in it varies.
    this.visit(of, isLoop ? charSet([...first, ...follow]) : follow, inLoop || (isLoop && of.kind !== 'set'));
    if (max === Number.POSITIVE_INFINITY) {
      this.loops = true;
      if (!isFree) {
        if (inLoop) this.tooDear = true;
        this.degree++;
      }
    } else if (!isFree) this.#choose(max - min + 1, inLoop);
    if (max !== Number.POSITIVE_INFINITY && max > 1 && of.kind !== 'set' && inLoop) this.tooDear = true;
  }
}

/** Whether a node may match without taking a character. */
function isNullable(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'assert':
      return true;
    case 'concat':
      return node.nodes.every(isNullable);
    case 'alternate':
      return node.nodes.some(isNullable);
    case 'group':
      return isNullable(node.of);
    case 'repeat':
      return node.min === 0 || isNullable(node.of);
  }
}

/** The characters that a match of a node may start with. */
function firstOf(node: RegexNode): CharSet {
  switch (node.kind) {
    case 'set':
      return node.set;
    case 'assert':
      return [];
    case 'concat': {
      const ranges: CharSet[number][] = [];
      for (const part of node.nodes) {
        ranges.push(...firstOf(part));
        if (!isNullable(part)) break;
      }
      return charSet(ranges);
    }
    case 'alternate':
      return charSet(node.nodes.flatMap(firstOf));
    case 'group':
    case 'repeat':
      return firstOf(node.of);
  }
}

function firstThen(node: RegexNode, follow: CharSet): CharSet {
  // An assertion depends on the text around it: assume that it holds.
  if (node.kind === 'assert') return node.what === 'end' ? [] : node.what === 'start' ? follow : anyCharacter;
  return isNullable(node) ? charSet([...firstOf(node), ...follow]) : firstOf(node);
}

function isAnchored(node: RegexNode): boolean {
  switch (node.kind) {
    case 'assert':
      return node.what === 'start';
    case 'group':
      return isAnchored(node.of);
    case 'concat':
      return node.nodes.slice(0, 1).some(isAnchored);
    case 'alternate':
      return node.nodes.every(isAnchored);
    default:
      return false;
  }
}
