import { Problem } from '@platform/kernel';
import type { Request, Response } from 'express';
import { answer } from './answer.ts';
import { noStore } from './oauth-answer.ts';

/** What a page for a person says; every text is escaped. */
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

/** Answers with a page that runs no script, loads nothing, and cannot be framed. */
export function answerPage(response: Response, status: number, page: Page): void {
  const formAction = page.form === undefined ? "'none'" : `'self' ${page.form.leadsTo}`;
  const headers = {
    ...noStore,
    'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    // Without a referrer a form is posted with the Origin `null`.
    'Referrer-Policy': page.form === undefined ? 'no-referrer' : 'same-origin',
    Vary: 'Accept',
  };
  answer(response, status, htmlOf(page), headers, 'text/html; charset=utf-8');
}

/**
 * Runs a handler whose caller is a person: a refusal is a page when the browser asks for one, and problem+json otherwise.
 * Faults of our own, and refusals that need their headers, go on.
 */
export async function withPages(
  request: Request,
  response: Response,
  describe: (problem: Problem) => Page,
  handle: () => Promise<void>,
): Promise<void> {
  try {
    await handle();
  } catch (error) {
    const isRefusal = error instanceof Problem && (error.status === 400 || error.status === 403);
    if (!isRefusal || !wantsHtml(request)) throw error;
    request.exchange.problem = error.code;
    const note = `Error ${error.code} · request ${request.exchange.id}`;
    answerPage(response, error.status, { note, ...describe(error) });
  }
}

/** Whether the caller is a browser that shows pages. */
export function wantsHtml(request: Request): boolean {
  return /\btext\/html\b/i.test(request.headers.accept ?? '');
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
