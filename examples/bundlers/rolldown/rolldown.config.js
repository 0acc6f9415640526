import rego from 'writ/bundler';

export default {
  input: 'app.js',
  plugins: [rego.rolldown({ types: true })],
  output: { file: 'rolldown/dist/app.js', format: 'es', sourcemap: true },
};
