import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '@platform/kernel';
import type { Answer } from '../endpoint/answer.ts';
import type { Call } from '../endpoint/call.ts';
import { noStore } from '../endpoint/refusals.ts';

/** The content of a page for a person; every text is escaped. */
export interface Page {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly link?: { readonly href: string; readonly text: string };
  /** Buttons of a form, each with the address that it is posted to. */
  readonly form?: {
    readonly buttons: readonly { readonly action: string; readonly text: string }[];
    /** Origins that the answer may redirect to: browsers hold redirects against form-action, too (CSP 3, section 6.4.2). */
    readonly leadsTo: string;
  };
  /** In small print. */
  readonly note?: string;
}

/** A page that runs no script, loads nothing, and cannot be framed. */
export function htmlPage(status: number, page: Page): Answer {
  const formAction = page.form === undefined ? "'none'" : `'self' ${page.form.leadsTo}`;
  return {
    status,
    body: htmlOf(page),
    contentType: 'text/html; charset=utf-8',
    headers: {
      ...noStore,
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
      // Without a referrer a form is posted with the Origin `null`.
      'Referrer-Policy': page.form === undefined ? 'no-referrer' : 'same-origin',
      Vary: 'Accept',
    },
  };
}

/**
 * The page of a refusal, for a browser that asks for one; null for others, for internal errors, and for refusals that need
 * their headers.
 */
export function refusalPage(error: unknown, call: Call, describe: (problem: Problem) => Page): Answer | null {
  const isRefusal = error instanceof Problem && (error.status === 400 || error.status === 403);
  if (!isRefusal || !wantsHtml(call)) return null;
  call.context.problem = error.code;
  const note = `Error ${error.code} · request ${call.id}`;
  return htmlPage(error.status, { note, ...describe(error) });
}

/** Whether the caller is a browser that shows pages. */
export function wantsHtml({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

function htmlOf({ title, paragraphs, link, form, note }: Page): string {
  const lines = paragraphs.map((text) => `<p>${escaped(text)}</p>`);
  if (form !== undefined) {
    const buttons = form.buttons.map(
      ({ action, text }) => `<button formaction="${escaped(action)}">${escaped(text)}</button>`,
    );
    lines.push(`<form method="post">${buttons.join(' ')}</form>`);
  }
  if (link !== undefined) lines.push(`<p><a href="${escaped(link.href)}">${escaped(link.text)}</a></p>`);
  if (note !== undefined) lines.push(`<p><small>${escaped(note)}</small></p>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: #1c1e21; background: #f4f5f7; }
main { max-width: 34rem; margin: 12vh auto; padding: 2rem; background: #fff; border-radius: 8px; box-shadow: 0 1px 4px #0002; }
h1 { margin: 0 0 1rem; font-size: 1.4rem; }
button { font: inherit; padding: .4rem 1.2rem; cursor: pointer; }
small { color: #6b6f76; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e7ea; background: #16181b; } main { background: #212429; } small { color: #a0a4ab; } a { color: #8ab4f8; }
}
</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${lines.join('\n')}
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
