/** Colours of code: the tokens of each line in view, by one expression for each language. */
import { RangeSetBuilder } from '@codemirror/state';
import type { DecorationSet, EditorView, PluginValue, ViewUpdate } from '@codemirror/view';
import { Decoration, ViewPlugin } from '@codemirror/view';

export type CodeLanguage = 'rego' | 'listing' | 'program' | 'js' | 'json';

/** Groups are named by the class of the token: `tok-string` and so on. */
const expressions: Readonly<Record<CodeLanguage, RegExp>> = {
  rego: /(?<comment>#.*)|(?<string>"(?:[^"\\]|\\.)*"|`[^`]*`)|(?<keyword>\b(?:package|import|default|if|else|contains|some|every|in|not|with|as)\b)|(?<atom>\b(?:true|false|null)\b)|(?<name>\b(?:input|data)\b)|(?<number>\b\d[\d.eE]*\b)|(?<call>\b[a-z_][\w.]*(?=\())/g,
  listing:
    /(?<keyword>^(?:plan|func)\b|\b(?:returns|path)\b|^ *block \d+$)|(?<op>(?<=^ *)[A-Z]\w*)|(?<string>"(?:[^"\\]|\\.)*")|(?<comment> {2}\S*:\d+:\d+$)|(?<name>\b(?:input|data)\b)|(?<local>\bl\d+\b)|(?<atom>\b(?:true|false|null)\b)|(?<number>\b\d+\b)/g,
  program:
    /(?<comment> {2};.*$|(?<=^ *)\d+ )|(?<keyword>^(?:plan|rule|function)\b)|(?<op>(?<=^ *\d+ +)\w+)|(?<string>"(?:[^"\\]|\\.)*")|(?<label>@\d+)|(?<local>\br\d+\b)|(?<dim>\b\w+=)|(?<atom>\b(?:true|false|null)\b)|(?<number>\b\d+\b)/g,
  js: /(?<comment>\/\/.*)|(?<string>"(?:[^"\\]|\\.)*"|`[^`]*`)|(?<keyword>\b(?:const|let|function|return|if|else|for|while|do|break|continue|try|catch|throw|new|switch|case|default|of|in|typeof)\b)|(?<atom>\b(?:true|false|null|undefined)\b)|(?<local>\br\d+\b)|(?<label>\b[bcdfgp]\d+\b)|(?<number>\b\d[\d.]*\b)/g,
  json: /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<atom>\b(?:true|false|null)\b)|(?<number>-?\b\d[\d.eE+-]*)/g,
};

/** Longer lines are coloured up to here: no expression may make a line costly. */
const longest = 2000;

const marks = new Map<string, Decoration>();

function markOf(kind: string): Decoration {
  let mark = marks.get(kind);
  if (mark === undefined) marks.set(kind, (mark = Decoration.mark({ class: `tok-${kind}` })));
  return mark;
}

/** Colours the lines in view. */
export function colours(language: CodeLanguage) {
  return ViewPlugin.define((view) => new Colours(view, language), { decorations: (plugin) => plugin.decorations });
}

class Colours implements PluginValue {
  decorations: DecorationSet;
  readonly #language: CodeLanguage;

  constructor(view: EditorView, language: CodeLanguage) {
    this.#language = language;
    this.decorations = this.#build(view);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged || update.viewportChanged) this.decorations = this.#build(update.view);
  }

  #build(view: EditorView): DecorationSet {
    const builder = new RangeSetBuilder<Decoration>();
    for (const { from, to } of view.visibleRanges) {
      for (let at = from; at <= to; ) {
        const line = view.state.doc.lineAt(at);
        for (const match of line.text.slice(0, longest).matchAll(expressions[this.#language])) {
          const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
          if (kind !== undefined)
            builder.add(line.from + match.index, line.from + match.index + match[0].length, markOf(kind));
        }
        at = line.to + 1;
      }
    }
    return builder.finish();
  }
}
