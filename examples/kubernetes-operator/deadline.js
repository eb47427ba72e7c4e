import { Observable } from '@kubernetes/client-node';

/**
 * Options of a request that gives up after a time, or at the signal. Without them a request over a connection that is cut without a word
 * goes on for many minutes, and a leader that waits for it would lead on after another one has taken over.
 */
export function endingWithin(milliseconds, signal) {
  const timeout = AbortSignal.timeout(Math.ceil(milliseconds));
  const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const middleware = {
    pre(request) {
      request.setSignal(either);
      return new Observable(Promise.resolve(request));
    },
    post: (response) => new Observable(Promise.resolve(response)),
  };
  return { middleware: [middleware], middlewareMergeStrategy: 'append' };
}
