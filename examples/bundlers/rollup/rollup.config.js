import rego from 'writ/bundler';

export default {
  input: 'app.js',
  plugins: [rego.rollup({ types: true })],
  output: { file: 'rollup/dist/app.js', format: 'es', sourcemap: true },
};
