import { FakeTimers } from '@platform/development/testing';
import { createClient } from '../src/client.ts';
import type { ReconcileOptions } from '../src/reconcile/options.ts';
import { reconcile } from '../src/reconcile/reconcile.ts';
import { FakePlatform } from './fake-platform.ts';
import { scriptedFetch } from './scripted-fetch.ts';

export const id = 'ctrl.example.dev';
export const finalizer = `${id}/cleanup`;
export const kind = { group: 'example.dev', version: 'v1', plural: 'widgets' };
export const projects = { group: 'example.dev', version: 'v1', plural: 'projects' };
export const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A controller that runs against a fake platform, with the calls of its handlers. */
export function run(options: Partial<ReconcileOptions> = {}) {
  const platform = new FakePlatform();
  const timers = new FakeTimers();
  const reader = createClient({
    baseUrl: 'http://platform.test',
    timers,
    fetch: scriptedFetch(platform.serve).fetch,
    retry: { attempts: 1 },
  });
  const seen: string[] = [];
  const errors: string[] = [];
  const stopping = new AbortController();
  const start = () => {
    const ended = reconcile({
      reader,
      controller: id,
      kind,
      within: [projects],
      async reconcile({ metadata }) {
        seen.push(`reconcile ${metadata.name}`);
        return undefined;
      },
      onError: (error, resource) =>
        errors.push(`${resource?.metadata.name ?? ''} ${(error as Error).message}`),
      signal: stopping.signal,
      timers,
      ...options,
    });
    stops.push(async () => {
      stopping.abort();
      await ended;
    });
    return ended;
  };
  return { platform, timers, seen, errors, stopping, start };
}
