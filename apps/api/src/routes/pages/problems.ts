import { existsSync, readFileSync } from 'node:fs';
import { html, Problem, page, problemCodes, trusted } from '@platform/kernel';
import { marked } from 'marked';
import type { Answer } from '../../endpoint/answer.ts';
import { json } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { list, object, text } from '../../endpoint/schema-fields.ts';
import { htmlType, pageHeaders, wantsHtml } from '../../http/page.ts';

/** The sections of docs/errors.md, as Markdown, by code. */
let sections: ReadonlyMap<string, string> | undefined;

/** The pages by code, because Markdown takes a millisecond and anybody may ask; only known codes are kept. */
const pages = new Map<string, string>();

const summaryFields = { type: text, code: text, status: { type: 'integer' }, title: text };
const summary = object(summaryFields);

/** `GET /problems`: every code of a refusal. */
export const problemList = endpoint({
  method: 'GET',
  path: '/problems',
  id: 'listProblems',
  tag: 'Operations',
  summary: 'List the codes of refusals',
  access: 'public',
  unlimited: 'a text in memory',
  responses: {
    200: {
      description: 'The codes; a page for browsers.',
      schema: object({ items: list(summary) }),
      example: { items: [summaryOf('revision_conflict')] },
    },
  },
  handle: (_deps, _input, call): Answer => {
    const items = Object.keys(problemCodes).map(summaryOf);
    if (!wantsHtml(call)) return json(200, { items });
    const rows = items.map(
      ({ code, status, title }) =>
        html`<tr><td>${status}</td><td><a href="/problems/${code}">${code}</a></td><td>${title}</td></tr>`,
    );
    const table = html`<div class="scroll"><table>
<thead><tr><th>Status</th><th>Code</th><th>Title</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
    return pageAnswer(page('Errors', table, { wide: true }));
  },
});

/** `GET /problems/{code}`: what a code means and what to do; it is the `type` of the refusals that have it. */
export const problem = endpoint({
  method: 'GET',
  path: '/problems/{code}',
  id: 'getProblem',
  tag: 'Operations',
  summary: 'Explain a code of a refusal',
  access: 'public',
  unlimited: 'a text in memory',
  responses: {
    200: {
      description: 'Its meaning and the remedy; a page for browsers.',
      schema: object({ ...summaryFields, description: text }),
      example: {
        ...summaryOf('revision_conflict'),
        description: 'Another client wrote after the resource was read.',
      },
    },
  },
  problems: ['not_found', 'malformed_path'],
  handle: (_deps, _input, call): Answer => {
    const code = String(call.params['code']);
    sections ??= readSections();
    const description = sections.get(code);
    if (description === undefined) throw new Problem('not_found', `There is no error code ${code}.`);
    const known = summaryOf(code);
    if (!wantsHtml(call)) return json(200, { ...known, description });
    const shown = pages.get(code) ?? problemPage(known, description);
    pages.set(code, shown);
    return pageAnswer(shown);
  },
});

function problemPage({ code, status, title }: ReturnType<typeof summaryOf>, description: string): string {
  const content = trusted(
    marked.parse(description.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'), { async: false }),
  );
  const body = html`<p class="soft">${status} ${code}</p>${content}<p><a href="/problems">All errors</a></p>`;
  return page(title, body);
}

function summaryOf(code: string): { type: string; code: string; status: number; title: string } {
  const { status, title } = problemCodes[code as keyof typeof problemCodes];
  return { type: `/problems/${code}`, code, status, title };
}

function pageAnswer(body: string): Answer {
  return { status: 200, body, contentType: htmlType, headers: pageHeaders() };
}

/** The sections of docs/errors.md without the status that each begins with. */
function readSections(): ReadonlyMap<string, string> {
  const parts = readFileSync(findErrors(), 'utf8').split(/^## /m).slice(1);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [
        part.slice(0, end),
        part
          .slice(end)
          .trim()
          .replace(/^\d{3}\.\s+/, ''),
      ];
    }),
  );
}

/** `docs/errors.md` at or above this file: of the repository for the sources and the build, of the image when deployed. */
function findErrors(start: URL = new URL('.', import.meta.url)): URL {
  for (let at = start; ; at = new URL('..', at)) {
    const file = new URL('docs/errors.md', at);
    if (existsSync(file)) return file;
    if (at.pathname === '/') throw new Error(`no docs/errors.md at or above ${start.pathname}`);
  }
}
