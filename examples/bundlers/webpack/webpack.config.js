import rego from 'writ/bundler';

export default {
  mode: 'production',
  target: 'node22',
  entry: './app.js',
  plugins: [rego.webpack({ types: true })],
  output: { path: `${import.meta.dirname}/dist`, filename: 'app.cjs' },
};
