/**
 * The Markdown of hovers as HTML, in the place of the package `marked`: code, lists, links, strong
 * words. Texts of policies are in it, which may come from a link of somebody else, so that HTML in
 * them stays a text.
 */

interface CodeToken {
  readonly type: 'code';
  readonly lang: string;
  text: string;
  /** Whether the text is HTML already, coloured by the client. */
  escaped: boolean;
}

export class Marked {
  readonly #walk: (token: CodeToken) => void;

  constructor({ walkTokens = () => undefined }: { readonly walkTokens?: (token: CodeToken) => void } = {}) {
    this.#walk = walkTokens;
  }

  parse(markdown: string): string {
    // Texts, each followed by the language and the code of a fence.
    const parts = markdown.split(/^```(\w*)\n(.*?)\n?```$/ms);
    return parts.map((part, i) => [blocksOf(part), '', this.#code(part, parts[i - 1] ?? '')][i % 3]).join('');
  }

  #code(text: string, lang: string): string {
    const token: CodeToken = { type: 'code', lang, text, escaped: false };
    this.#walk(token);
    return `<pre><code>${token.escaped ? token.text : escaped(text)}</code></pre>`;
  }
}

function blocksOf(text: string): string {
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim() !== '');
  return blocks
    .map((block) => {
      const lines = block.trim().split('\n');
      if (!lines.every((line) => line.startsWith('- '))) return `<p>${inline(lines.join('\n'))}</p>`;
      return `<ul>${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join('')}</ul>`;
    })
    .join('');
}

function inline(text: string): string {
  let html = '';
  let done = 0;
  for (const found of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\[([^\][]*)\]\(([^()\s]+)\)/g)) {
    const [whole, code, strong, label, address = ''] = found;
    html += escaped(text.slice(done, found.index));
    if (code !== undefined) html += `<code>${escaped(code)}</code>`;
    else if (strong !== undefined) html += `<strong>${escaped(strong)}</strong>`;
    // Files of the project have no address in the page.
    else if (!/^https?:\/\//.test(address)) html += escaped(label!);
    else html += `<a href="${escaped(address)}" target="_blank" rel="noopener noreferrer">${escaped(label!)}</a>`;
    done = found.index + whole.length;
  }
  return html + escaped(text.slice(done));
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
