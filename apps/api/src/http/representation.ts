import { type Html, html, page } from '@platform/kernel';
import { parse, stringify } from 'lossless-json';
import type { Answer } from '../endpoint/answer.ts';
import type { Call } from '../endpoint/call.ts';
import { asksForPage, preferredType } from './accept.ts';
import { htmlType, pageHeaders } from './page.ts';
import { jsonToYaml, yamlType } from './yaml.ts';

/** Larger answers stay JSON: a page of them would be slow to make and to show. */
const maxLength = 1024 * 1024;

/** Wildcards cover YAML and pages too, but JSON comes first. */
const namesOtherForm = /yaml|html/i;

/** Answers of the login and of the endpoints for proxies, which scripts in browsers read. */
const forPrograms = /^\/api\/v1\/auth\//;

type Members = Readonly<Record<string, unknown>>;

/**
 * A JSON answer in the form that the caller prefers (RFC 9110, section 12.5.1): as YAML, or as a page for a person who opens its address in
 * a browser. Any other answer stays as it is.
 */
export function represent(call: Call, answer: Answer): Answer {
  const { accept } = call.headers;
  const isRead = call.method === 'GET' || call.method === 'HEAD';
  // JSON and YAML of a revision share its ETag: a cache must not give one for the other (RFC 9110, section 12.5.5).
  if (isRead) call.varyBy('Accept');
  if (accept === undefined || !namesOtherForm.test(accept)) return answer;
  const { status, body, contentType } = answer;
  if (status >= 300 || contentType !== undefined || typeof body !== 'string') return answer;
  if (body.length > maxLength) return answer;
  const offersPage = isRead && !forPrograms.test(call.path) && asksForPage(accept);
  const preferred = preferredType(accept, [
    'application/json',
    yamlType,
    ...(offersPage ? ['text/html'] : []),
  ]);
  if (preferred === yamlType) return { ...answer, body: jsonToYaml(body), contentType: yamlType };
  return preferred === 'text/html' ? pageOf(call, body, status) : answer;
}

function pageOf(call: Call, body: string, status: number): Answer {
  const value = parse(body);
  const title = decodeURIComponent(call.path.slice(call.path.lastIndexOf('/') + 1));
  const items = isMembers(value) && Array.isArray(value['items']) ? value['items'].filter(isMembers) : null;
  const json = html`<pre>${stringify(value, undefined, 2) ?? ''}</pre>`;
  const content =
    items === null
      ? html`${json}${backLink()}`
      : html`${items.length === 0 ? html`<p>There is nothing here.</p>` : tableOf(items, call.path)}
${nextLink(value as Members, call)}<details><summary>As JSON</summary>${json}</details>${backLink()}`;
  return {
    status,
    body: page(title, content, { wide: true }),
    contentType: htmlType,
    headers: pageHeaders(),
  };
}

function tableOf(items: readonly Members[], path: string): Html {
  const rows = items.map((item) => {
    const metadata = isMembers(item['metadata']) ? item['metadata'] : item;
    const above = Array.isArray(metadata['ancestors']) ? metadata['ancestors'].map(String) : [];
    return html`<tr><td>${linkTo(item, metadata, path)}</td><td>${[...above].join(' / ')}</td><td>${textOf(item['kind'])}</td><td>${textOf(
      metadata['creationTimestamp'] ?? metadata['created_at'] ?? metadata['time'],
    )}</td><td>${metadata['deletionTimestamp'] ? 'being deleted' : ''}</td></tr>`;
  });
  return html`<div class="scroll"><table>
<thead><tr><th>Name</th><th>Below</th><th>Kind</th><th>Created</th><th>State</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** The name of an item with a link to it: resources by uid, since a list may hold items of several parents. */
function linkTo(item: Members, metadata: Members, path: string): Html {
  const name = textOf(metadata['name'] ?? metadata['email'] ?? metadata['id'] ?? metadata['uid']);
  const collection = /^\/api\/v1\/resources(?:\/[^/]+){3}/.exec(path)?.[0];
  if (collection !== undefined) {
    return html`<a href="${collection}/uid:${textOf(metadata['uid'])}">${name}</a>`;
  }
  return typeof item['name'] === 'string'
    ? html`<a href="${path}/${encodeURIComponent(item['name'])}">${name}</a>`
    : html`${name}`;
}

function nextLink(list: Members, call: Call): Html | null {
  const next = isMembers(list['metadata']) ? list['metadata']['continue'] : list['continue'];
  if (typeof next !== 'string' || next === '') return null;
  const query = call.searchParams;
  query.set('continue', next);
  return html`<p><a href="?${query.toString()}">Next page</a></p>`;
}

function backLink(): Html {
  return html`<p class="soft"><a href="/">Start page</a></p>`;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
