import { Environment } from '@marcbachmann/cel-js';

/** A named format: it says why a text does not have it. */
class Format {
  readonly validate: (text: string) => readonly string[];

  constructor(validate: (text: string) => readonly string[]) {
    this.validate = validate;
  }
}

/** A format of texts that match an expression and are no longer than `most`. */
const matching = (pattern: RegExp, most: number, what: string) =>
  new Format((text) => [
    ...(text.length > most ? [`must be no more than ${most} characters`] : []),
    ...(text.length <= most && pattern.test(text) ? [] : [`must be ${what}`]),
  ]);

const label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const label1035 = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const longest = 10_485_760;

/** A prefix of a name may end with a hyphen, after which a name is generated. */
const prefixOf = (format: Format) =>
  new Format((text) => format.validate(/.-$/.test(text) ? `${text.slice(0, -1)}a` : text));

const labelFormat = matching(label, 63, 'lower case letters, digits and hyphens (RFC 1123)');
const subdomainFormat = matching(subdomain, 253, 'labels of RFC 1123, separated by dots');
const label1035Format = matching(label1035, 63, 'a letter, then lower case letters, digits and hyphens');

const qualifiedName = new Format((text) => {
  const [name = '', prefix, ...more] = text.split('/').reverse();
  const isName = name.length <= 63 && /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(name);
  const isPrefix = prefix === undefined || subdomainFormat.validate(prefix).length === 0;
  return isName && isPrefix && more.length === 0 ? [] : ['must be a name with an optional prefix'];
});

const time = String.raw`\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[zZ]|[+-]\d{2}:\d{2})`;
const isDate = (text: string) => !Number.isNaN(Date.parse(text));

const formats: Readonly<Record<string, Format>> = {
  dns1123Label: labelFormat,
  dns1123Subdomain: subdomainFormat,
  dns1035Label: label1035Format,
  dns1123LabelPrefix: prefixOf(labelFormat),
  dns1123SubdomainPrefix: prefixOf(subdomainFormat),
  dns1035LabelPrefix: prefixOf(label1035Format),
  qualifiedName,
  labelValue: matching(/^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/, 63, 'a value of a label'),
  uri: new Format((text) => (text.startsWith('/') || URL.canParse(text) ? [] : ['must be a URI'])),
  uuid: matching(/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i, 36, 'a UUID'),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, longest, 'base64'),
  date: new Format((text) =>
    /^\d{4}-\d{2}-\d{2}$/.test(text) && isDate(text) ? [] : ['must be a date of RFC 3339'],
  ),
  datetime: new Format((text) =>
    new RegExp(String.raw`^\d{4}-\d{2}-\d{2}[tT]${time}$`).test(text) && isDate(text)
      ? []
      : ['must be a time of RFC 3339'],
  ),
};

/** The name that the formats are below. */
class Formats {}

/** Adds `format.named("uuid")`, `format.uuid()` and so on, and `validate`. */
export function registerFormats(environment: Environment): void {
  const [type, names] = ['kubernetes.NamedFormat', 'kubernetes.Formats'];
  const wrapping = new Environment({ enableOptionalTypes: true })
    .registerType(type, { ctor: Format, fields: {} })
    .registerVariable('value', 'dyn');
  const optional = (value: unknown) =>
    wrapping.evaluate(value === undefined ? 'optional.none()' : 'optional.of(value)', {
      value: value ?? null,
    });
  environment
    .registerType(type, { ctor: Format, fields: {} })
    .registerType(names, { ctor: Formats, fields: {} })
    .registerConstant('format', names, new Formats())
    .registerFunction(`${names}.named(string): optional<${type}>`, (_: Formats, name: string) =>
      optional(Object.hasOwn(formats, name) ? formats[name] : undefined),
    )
    .registerFunction(`${type}.validate(string): optional`, (format: Format, text: string) => {
      const faults = format.validate(text);
      return optional(faults.length === 0 ? undefined : faults);
    });
  for (const [name, format] of Object.entries(formats))
    environment.registerFunction(`${names}.${name}(): ${type}`, () => format);
}
