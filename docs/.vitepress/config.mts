import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { MarkdownRenderer, UserConfig } from 'vitepress';
import { contributors, firstPages, sidebars } from './pages.mjs';
import { rego } from './rego.mjs';

const docs = join(import.meta.dirname, '..');

/** What pages link to beside other pages. */
const linkedFiles = ['deploy', 'why.schema.json', 'recording.schema.json'];

/** `owner/name` on GitHub, where its workflow builds the site. */
const repository = process.env.GITHUB_REPOSITORY;

export default {
  title: 'writ',
  description: 'Rego policies as functions of a Node project, decisions over the REST API of OPA.',
  lang: 'en',
  base: process.env.WRIT_DOCS_BASE ?? '/',
  cleanUrls: false,
  srcExclude: contributors,
  outDir: '../docs-out',
  cacheDir: '../node_modules/.site/cache',
  // The icon of the tab: without one, browsers ask for a file that is not there.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  vite: {
    resolve: {
      alias: {
        'writ-docs-theme': join(
          docs,
          '../node_modules/.site/node_modules/vitepress/dist/client/theme-default/without-fonts.js',
        ),
      },
    },
  },
  markdown: {
    languages: [rego as never],
    languageAlias: { caddyfile: 'nginx', console: 'shellsession' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    config: plainMarkdown,
  },
  themeConfig: {
    nav: firstPages(),
    sidebar: sidebars() as never,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    ...(repository !== undefined && { socialLinks: [{ icon: 'github', link: `https://github.com/${repository}` }] }),
  },
  // Only a page can be dead for VitePress: files that pages link to are copied, and tested.
  ignoreDeadLinks: [(link: string) => existsSync(join(docs, link.replace(/(?<=\/)index$/, '').replace(/^\//, '')))],
  buildEnd({ outDir }) {
    for (const name of linkedFiles) cpSync(join(docs, name), join(outDir, name), { recursive: true });
    writeFileSync(join(outDir, 'deploy/index.html'), listing('deploy'));
  },
} satisfies UserConfig;

/** A page with links to all files below a folder. */
function listing(folder: string): string {
  const files = readdirSync(join(docs, folder), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => relative(join(docs, folder), join(parentPath, name))).sort();
  const items = paths.map((path) => `<li><a href="${path}">${path}</a></li>`);
  return `<!doctype html><html lang="en"><title>${folder}</title><main><h1>${folder}</h1><ul>${items.join('')}</ul></main></html>\n`;
}

/** Two braces are text on these pages, not an expression of Vue, and files are no pages. */
function plainMarkdown(markdown: MarkdownRenderer): void {
  for (const rule of ['text', 'code_inline'] as const) {
    const render = markdown.renderer.rules[rule]!;
    markdown.renderer.rules[rule] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
  }
  const link = markdown.renderer.rules.link_open!;
  markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const href = tokens[index]!.attrGet('href')!;
    const isFile = !/^\w+:|\.md(?:#|$)|^#/.test(href) && existsSync(join(docs, dirname(env.relativePath), href));
    if (!isFile) return link(tokens, index, options, env, self);
    tokens[index]!.attrSet('target', '_self');
    return self.renderToken(tokens, index, options);
  };
  // Indented code looks as code between fences does.
  markdown.renderer.rules.code_block = (tokens, ...rest) => markdown.renderer.rules.fence!(tokens, ...rest);
}

/** The anchors of headings are those of GitHub, so a link leads to the same place there and here. */
function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}
