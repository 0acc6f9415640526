import rego from 'writ/bundler';

export default {
  plugins: [rego.vite({ types: true })],
  build: { lib: { entry: '../app.js', formats: ['es'], fileName: 'app' } },
};
