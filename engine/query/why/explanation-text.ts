/** Explanations as text for a terminal. */

import { excerptLines } from '../../../compiler/index.js';
import type {
  Difference,
  DocumentWhy,
  Explanation,
  ExpressionWhy,
  HeldExpression,
  Read,
  Replacement,
  RuleWhy,
  SourceExcerpt,
} from './explanation.js';

/** Colours of the parts; without colour each returns its text. */
export interface ExplanationStyle {
  /** The answer. */
  strong(text: string): string;
  /** Marks of rules that hold. */
  good(text: string): string;
  /** Marks of rules that fail, and carets. */
  bad(text: string): string;
  /** Row numbers and places. */
  dim(text: string): string;
}

const plain: ExplanationStyle = { strong: same, good: same, bad: same, dim: same };

function same(text: string): string {
  return text;
}

/**
 * The explanation as lines; the first one answers the question.
 *
 * @example explanationText(await engine.explain('authz/allow', input))
 */
export function explanationText(explanation: Explanation, style: ExplanationStyle = plain): string {
  const { documents, summary, omitted } = explanation;
  const printer = new Printer(style);
  printer.line(0, style.strong(summary));
  const [only] = documents;
  if (documents.length === 1 && only?.summary === summary) printer.rules(only, 0);
  else for (const document of documents) printer.document(document, 0);
  if (omitted !== undefined) printer.line(0, style.dim(`… ${omitted} more`));
  return `${printer.text}\n`;
}

/**
 * The explanation of a question that should hold and does not: what fails in each rule, without the
 * lines that repeat the question. Text without lines where nothing is known.
 */
export function failureText(explanation: Explanation, style: ExplanationStyle = plain): string {
  const printer = new Printer(style);
  for (const document of explanation.documents) printer.failures(document);
  return printer.text === '' ? explanation.summary : printer.text;
}

class Printer {
  readonly #style: ExplanationStyle;
  readonly #lines: string[] = [];
  readonly #shown = new Set<DocumentWhy>();

  constructor(style: ExplanationStyle) {
    this.#style = style;
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  line(indent: number, text: string): void {
    this.#lines.push(text === '' ? '' : `${' '.repeat(indent)}${text}`);
  }

  /** A document that several expressions read is shown once. */
  document(why: DocumentWhy, indent: number): void {
    if (indent === 0) this.line(0, '');
    else if (this.#shown.has(why)) return this.line(indent, `${why.summary}${this.#style.dim(' (see above)')}`);
    this.#shown.add(why);
    this.line(indent, indent === 0 ? this.#style.strong(why.summary) : why.summary);
    this.rules(why, indent);
  }

  /** If a rule holds, the others are told in one line each. */
  rules(why: DocumentWhy, indent: number): void {
    const holds = why.rules.some(({ outcome }) => outcome === 'holds');
    for (const rule of why.rules) {
      // The summary tells of a default.
      if (rule.kind === 'default' || (indent > 0 && isTold(rule, why))) continue;
      if (indent === 0 && !(holds && rule.outcome !== 'holds')) this.line(0, '');
      this.#rule(
        rule,
        indent,
        holds && rule.outcome !== 'error',
        why.summary,
        why.rules.length === 1 && why.value !== undefined,
      );
    }
    if (why.omitted !== undefined) this.line(indent, this.#style.dim(`… ${why.omitted} more rules`));
  }

  /** Several rules are told apart by their heads. */
  failures(why: DocumentWhy): void {
    const [only] = why.rules;
    if (why.rules.length === 1 && only?.failed !== undefined) this.#expression(only.failed, 0);
    else {
      this.line(0, why.summary);
      for (const rule of why.rules) if (rule.kind !== 'default') this.#rule(rule, 0, false, why.summary);
    }
  }

  /** @param isWhole whether the document has the values of this rule alone */
  #rule(rule: RuleWhy, indent: number, isShort: boolean, summary: string, isWhole = false): void {
    const { good, dim } = this.#style;
    const { outcome, message, values = [], location, failed, held = [] } = rule;
    const place = dim(`${location.file}:${location.row}`);
    const note = outcome === 'unused' || outcome === 'no match' ? dim(`  ${message}`) : '';
    if (rule.kind !== 'query') this.line(indent, `${this.#mark(rule)} ${rule.name}  ${place}${note}`);
    const [first, ...others] = values.map(({ text }) => text);
    const isKnown = others.length === 0 && (first === 'true' || summary.includes(` is ${first}: `));
    if (outcome === 'holds' && values.length > 0 && !isKnown && !isWhole) {
      const more = rule.solutions === undefined ? '' : dim(`  … (${rule.solutions} solutions)`);
      this.line(indent + 2, `${good('gives')} ${values.map(({ text }) => text).join(', ')}${more}`);
    }
    const told = new Set<string>();
    for (const expression of held) this.#held(expression, indent + 2, told);
    if (failed === undefined) return;
    if (isShort) this.line(indent + 2, dim(`row ${failed.excerpt.row}: ${failed.message}`));
    else this.#expression(failed, indent + 2);
  }

  #mark({ outcome }: RuleWhy): string {
    const { good, bad, dim } = this.#style;
    if (outcome === 'holds') return good('✓');
    return outcome === 'unused' ? dim('·') : bad('✗');
  }

  /** @param told the reads that expressions before it have shown */
  #held({ excerpt, reads, documents = [] }: HeldExpression, indent: number, told: Set<string>): void {
    const [source = ''] = excerptLines({ ...excerpt, length: 0 }, this.#excerptStyle);
    this.line(indent, source);
    const assigned = reads.filter((read) => !reads.some((other) => isAssigned(excerpt.line, other, read)));
    const shown = assigned.filter((read) => !told.has(read.text) && !isToldBy(documents, read));
    for (const { text } of shown) told.add(text);
    this.#reads(shown, indent + gutterWidth(excerpt));
    for (const document of documents) this.document(document, indent + gutterWidth(excerpt));
  }

  #expression(why: ExpressionWhy, indent: number): void {
    const {
      excerpt,
      message,
      reads,
      candidates,
      differences = [],
      with: replacements = [],
      inner = [],
      held = [],
      documents = [],
    } = why;
    for (const line of excerptLines({ ...excerpt, note: message }, this.#excerptStyle)) this.line(indent, line);
    const below = indent + gutterWidth(excerpt);
    for (const difference of differences) this.#difference(difference, below);
    const shown = reads.filter((read) => !isToldBy(documents, read));
    if (candidates === undefined) {
      this.#replacements(replacements, below);
      this.#reads(shown, below, message);
    } else {
      if (candidates.every((candidate) => candidate.with === undefined)) this.#replacements(replacements, below);
      for (const candidate of candidates) {
        this.line(below, this.#style.bad(candidate.message));
        this.#replacements(candidate.with ?? [], below + 2);
        this.#reads(candidate.reads, below + 2, candidate.message);
      }
      const more = (why.tried ?? 0) - candidates.length;
      if (more > 0) this.line(below, this.#style.dim(`… ${more} more`));
    }
    const told = new Set<string>();
    for (const each of held) this.#held(each, below, told);
    for (const each of inner) this.#expression(each, below);
    if (documents.length > 0 && candidates !== undefined) this.line(below, this.#style.dim('the first of them:'));
    for (const document of documents) this.document(document, below);
  }

  #replacements(replacements: readonly Replacement[], indent: number): void {
    for (const { target, value } of replacements) this.line(indent, `with ${target} as ${value.text}`);
  }

  #difference({ at, left, right }: Difference, indent: number): void {
    const { good, bad } = this.#style;
    const place = at === '' ? '' : `${at}: `;
    if (left && right) this.line(indent, `${this.#style.dim('~')} ${place}${bad(left.text)}, not ${good(right.text)}`);
    else if (left) this.line(indent, bad(`- ${place}${left.text}`));
    else if (right) this.line(indent, good(`+ ${place}${right.text}`));
  }

  /** Leaves out values that a message tells, and undefined parts, which it explains. */
  #reads(reads: readonly Read[], indent: number, message?: string): void {
    const shown =
      message === undefined
        ? reads
        : reads.filter(({ text, value }) => value !== undefined && !message.includes(`${text} is `));
    const width = Math.max(0, ...shown.map(({ text }) => text.length));
    for (const { text, value } of shown) {
      this.line(
        indent,
        `${text.padEnd(width)} ${this.#style.dim('=')} ${value === undefined ? this.#style.dim('undefined') : value.text}`,
      );
    }
  }

  get #excerptStyle() {
    return { gutter: this.#style.dim, mark: this.#style.bad };
  }
}

/** Whether the summary tells all of a rule: where it stands, and its value, which needs no body. */
function isTold({ outcome, held = [] }: RuleWhy, { rules, value, summary }: DocumentWhy): boolean {
  return (
    outcome === 'holds' && held.length === 0 && rules.length === 1 && value !== undefined && summary.endsWith(' holds')
  );
}

/** Whether a line below tells the value of a read. */
function isToldBy(documents: readonly DocumentWhy[], { document }: Read): boolean {
  return documents.some(({ name, value }) => name === document && value !== undefined);
}

/** Whether a line assigns a read to another one, which tells its value. */
function isAssigned(line: string, { text: name, value: of }: Read, { text, value }: Read): boolean {
  return text !== '' && value?.text === of?.text && line.includes(`${name} := ${text}`);
}

/** The width of a row's number and the bar behind it. */
function gutterWidth({ row }: SourceExcerpt): number {
  return String(row).length + 3;
}
