import rego from 'writ/bundler';

await Bun.build({
  entrypoints: ['app.js'],
  plugins: [rego.bun({ types: true })],
  outdir: 'bun/dist',
});
