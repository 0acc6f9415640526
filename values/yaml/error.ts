/** Text that is no YAML, or is too much of it; the message starts with `yaml: `. */
export class YamlError extends Error {
  readonly code = 'invalid_yaml';

  constructor(message: string) {
    super(message);
    this.name = 'YamlError';
  }
}
