/** Text that is no YAML, or is too much of it; the message starts with `yaml: `. */
export class YamlError extends Error {
  readonly code = 'invalid_yaml';
  readonly isTooDeep: boolean;

  constructor(message: string, isTooDeep = false) {
    super(message);
    this.name = 'YamlError';
    this.isTooDeep = isTooDeep;
  }

  static tooDeep(): YamlError {
    return new YamlError('yaml: exceeded max depth', true);
  }
}
