import { rspack } from '@rspack/core';
import rego from 'writ/bundler';

const compiler = rspack({
  mode: 'production',
  target: 'node22',
  entry: './app.js',
  plugins: [rego.rspack({ types: true })],
  output: { path: `${import.meta.dirname}/dist`, filename: 'app.cjs' },
});

compiler.run((error, stats) => {
  if (error === null && !stats.hasErrors()) return;
  console.error(error ?? stats.toString());
  process.exitCode = 1;
});
