import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { html, Problem, page, style } from '@platform/kernel';
import type { Answer, TextAnswer } from '../endpoint/answer.ts';
import type { Call } from '../endpoint/call.ts';
import { asksForPage } from './accept.ts';

/** The content of a page for a person; every text is escaped. */
export interface Page {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly link?: { readonly href: string; readonly text: string };
  /** Buttons of a form, each with the address that it is posted to. */
  readonly form?: {
    /** `post` unless given. */
    readonly method?: 'get' | 'post';
    /** A text that the person types. */
    readonly input?: { readonly name: string; readonly label: string };
    readonly buttons: readonly { readonly action: string; readonly text: string }[];
    /** Origins besides the platform that the answer may redirect to: browsers hold redirects against form-action, too (CSP 3, section 6.4.2). */
    readonly leadsTo: string;
  };
  /** In small print. */
  readonly note?: string;
}

/** The media type of pages. */
export const htmlType = 'text/html; charset=utf-8';

const styleHash = createHash('sha256').update(style).digest('base64');

/** The headers of a page that runs no script, loads nothing, and cannot be framed. Its forms lead to `formAction`. */
export function pageHeaders(formAction: string | null = null): TextAnswer['headers'] {
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action ${formAction ?? "'none'"}; frame-ancestors 'none'`,
    // Without a referrer a form is posted with the Origin `null`.
    'Referrer-Policy': formAction === null ? 'no-referrer' : 'same-origin',
  };
}

/** A page for a person as an answer; `headers` are added to those of every page. */
export function htmlPage(status: number, content: Page, headers: TextAnswer['headers'] = {}): TextAnswer {
  const { form } = content;
  return {
    status,
    body: htmlOf(content),
    contentType: htmlType,
    headers: { ...headers, ...pageHeaders(form === undefined ? null : `'self' ${form.leadsTo}`.trim()) },
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
  return asksForPage(headers.accept);
}

function htmlOf({ title, paragraphs, link, form, note }: Page): string {
  const buttons = (form?.buttons ?? []).map(
    ({ action, text }) => html`<button formaction="${action}">${text}</button>`,
  );
  const input =
    form?.input === undefined
      ? null
      : html`<p><label>${form.input.label} <input name="${form.input.name}" autocomplete="off" required></label></p>`;
  const content = html`${paragraphs.map((text) => html`<p>${text}</p>`)}
${form === undefined ? null : html`<form method="${form.method ?? 'post'}">${input}${buttons}</form>`}
${link === undefined ? null : html`<p><a class="button" href="${link.href}">${link.text}</a></p>`}
${note === undefined ? null : html`<p><small>${note}</small></p>`}`;
  return page(title, content);
}
