import { type Problem, problemCodes } from '@platform/kernel';
import type { Page } from './page.ts';
import type { RequestContext } from './request-context.ts';

const loginPath = '/api/v1/auth/login';

/** A refusal as a page for a person: what happened, every fault, and the next step. */
export function problemPage(
  problem: Problem,
  { id, path, query }: Pick<RequestContext, 'id' | 'path' | 'query'>,
): Page {
  const faults = (problem.errors ?? []).map(({ path: at, message }) => `${at}: ${message}`);
  return {
    title: problemCodes[problem.code].title,
    paragraphs: [problem.message, ...faults],
    link: nextStep(problem, query === '' ? path : `${path}?${query}`),
    note: `Error ${problem.code} · request ${id}`,
  };
}

function nextStep({ code }: Problem, address: string): NonNullable<Page['link']> {
  // A refused login cannot continue: its state and its code are used up.
  if (address.startsWith('/api/v1/auth/')) return { href: `${loginPath}?redirect=%2F`, text: 'Start again' };
  if (code === 'unauthenticated') {
    return { href: `${loginPath}?redirect=${encodeURIComponent(address)}`, text: 'Log in' };
  }
  return { href: `/problems/${code}`, text: 'Read more' };
}
