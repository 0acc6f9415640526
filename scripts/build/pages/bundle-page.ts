import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import type { BuiltFile } from '../library/split-modules.js';
import { ownTexts } from '../source-text.js';

const page = 'cli/web/page';
/** Its text is data of the page until a run is asked for. */
const worker = 'cli/web/worker/main.ts';

/**
 * The inspector's page as one file without its data, `inspector/page.html.gz`, and the engine that
 * evaluates in it, `inspector/engine.js.gz`. The command puts them together.
 */
export async function bundlePage(
  options: BuildOptions,
): Promise<{ readonly files: readonly BuiltFile[]; readonly metafiles: readonly Metafile[] }> {
  const [script, style, engine] = await Promise.all([
    one({ ...options, entryPoints: [`${page}/main.tsx`], jsx: 'automatic', jsxImportSource: 'preact' }),
    one({ ...options, entryPoints: [`${page}/style.css`] }),
    one({ ...options, entryPoints: [worker] }),
  ]);
  // CodeMirror adds style elements. The nonce need not be secret: texts never become markup here.
  const nonce = sha256(style.text);
  // Browsers compare the hash with the text between the tags.
  const policy = [
    "default-src 'none'",
    // The page of a server asks that server for its data.
    "connect-src 'self'",
    `script-src 'sha256-${sha256(script.text)}'`,
    `style-src 'nonce-${nonce}'`,
    'worker-src blob:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const html = frame({ policy, nonce, style: style.text, script: script.text });
  return {
    files: [
      { path: 'inspector/page.html.gz', contents: gzipSync(html, { level: 9 }) },
      { path: 'inspector/engine.js.gz', contents: gzipSync(engine.text, { level: 9 }) },
    ],
    metafiles: [script.metafile, engine.metafile],
  };
}

/** The command replaces DATA and ENGINE. */
function frame(parts: {
  readonly policy: string;
  readonly nonce: string;
  readonly style: string;
  readonly script: string;
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${parts.policy}">
<meta name="color-scheme" content="light dark">
<title>writ</title>
<link rel="icon" href="data:,">
<style nonce="${parts.nonce}">${parts.style}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="data">DATA</script>
<script type="text/plain" id="engine">ENGINE</script>
<script>${parts.script}</script>
</body>
</html>
`;
}

/** A script or a style sheet for an element of a page. */
async function one(options: BuildOptions): Promise<{ readonly text: string; readonly metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    ...options,
    bundle: true,
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    format: 'iife',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
    outdir: 'out',
    plugins: [ownTexts],
  });
  const text = outputFiles![0]!.text.trim();
  // The text ends at the first closing tag, wherever that stands.
  if (/<\/(?:script|style)/i.test(text)) throw new Error(`${String(options.entryPoints)} contains a closing tag`);
  return { text, metafile: metafile! };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
