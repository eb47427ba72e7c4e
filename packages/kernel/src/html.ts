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

/** The style of all pages, in light and dark. Pages allow it by its hash, so no other style applies. */
export const style = `
:root { color-scheme: light dark; --text: #1c1e21; --soft: #5c6168; --back: #f4f5f7; --card: #fff; --line: #d9dce1; --link: #0b57d0; --accent: #1b2733; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e7ea; --soft: #a9aeb6; --back: #16181b; --card: #212429; --line: #3a3f47; --link: #8ab4f8; --accent: #cfe3f5; }
}
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; padding: 1rem; color: var(--text); background: var(--back); }
main { max-width: 36rem; margin: 8vh auto; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow-wrap: anywhere; }
main.wide { max-width: 72rem; margin: 2rem auto; }
h1 { margin: 0 0 1rem; font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
p, ul, dl { margin: 0 0 1rem; }
a { color: var(--link); } a:focus-visible, button:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
button, .button { display: inline-block; font: inherit; padding: .4rem 1.2rem; margin: 0 .5rem .5rem 0; cursor: pointer; text-decoration: none; color: var(--card); background: var(--accent); border: 1px solid var(--accent); border-radius: 6px; }
button.choice { display: block; width: 100%; text-align: left; color: var(--text); background: none; border-color: var(--line); }
input { font: inherit; padding: .4rem .6rem; color: inherit; background: none; border: 1px solid var(--soft); border-radius: 6px; }
small, .soft { color: var(--soft); }
code, pre { font: .9em/1.5 ui-monospace, monospace; } pre { overflow-x: auto; padding: 1rem; background: var(--back); border-radius: 6px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); } dd { margin: 0 0 .5rem; }
`;

/** A complete page in the style of the platform. It runs no script and loads only the icon of its address. `wide` gives tables the room they need. */
export function page(title: string, content: Html, { wide = false } = {}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
<body>
<main${trusted(wide ? ' class="wide"' : '')}>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}
