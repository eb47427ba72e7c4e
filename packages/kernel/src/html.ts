/** A piece of HTML that is safe to put into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: text is escaped, HTML is not, lists are joined, and null is left out. */
type Value = string | number | Html | null | readonly Value[];

/**
 * Writes HTML: `` html`<p>${text}</p>` ``. Every text that is filled in is escaped for content and for quoted attributes.
 *
 * Attack: a name or an error message that holds markup. It is shown as it was written and never runs.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.map((part, index) => part + textOf(values[index] ?? null)).join(''));
}

/** HTML that something else has made and escaped, such as a Markdown renderer. */
export function trusted(text: string): Html {
  return new Html(text);
}

function textOf(value: Value): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(textOf).join('\n');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
