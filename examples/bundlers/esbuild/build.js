import { build } from 'esbuild';
import rego from 'writ/bundler';

await build({
  entryPoints: ['app.js'],
  bundle: true,
  format: 'esm',
  sourcemap: true,
  plugins: [rego.esbuild({ types: true })],
  outfile: 'esbuild/dist/app.js',
});
