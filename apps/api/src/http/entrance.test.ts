import { setImmediate as turn } from 'node:timers/promises';
import { Entrance } from './entrance.ts';

/** Three requests at an entrance for two, each of which ends when the test says so. */
function threeRequests(holdMs: number) {
  const entrance = new Entrance({ atOnce: 2, holdMs });
  const begun: number[] = [];
  const requests = [0, 1, 2].map((index) => {
    let end: () => void = () => undefined;
    let fail: (reason: Error) => void = () => undefined;
    const answer = new Promise<void>((resolve, reject) => {
      end = resolve;
      fail = reject;
    });
    const answered = entrance.pass(() => {
      begun.push(index);
      return answer;
    });
    return { answered, end: () => end(), fail: (reason: Error) => fail(reason) };
  });
  return { begun, requests };
}

const never = 60_000;

it('lets so many requests in at the same time, and the next one when one has ended', async () => {
  const { begun, requests } = threeRequests(never);
  expect(begun).toEqual([0, 1]);
  requests[1]?.end();
  await requests[1]?.answered;
  expect(begun).toEqual([0, 1, 2]);
  for (const { end } of requests) end();
  await Promise.all(requests.map(({ answered }) => answered));
});

it('lets the next request in after one that failed, and settles as it does', async () => {
  const { begun, requests } = threeRequests(never);
  const reason = new Error('no');
  requests[0]?.fail(reason);
  await expect(requests[0]?.answered).rejects.toBe(reason);
  expect(begun).toEqual([0, 1, 2]);
  requests[2]?.fail(reason);
  await expect(requests[2]?.answered).rejects.toBe(reason);
  requests[1]?.end();
  await requests[1]?.answered;
});

it('lets the next request in when one takes long', async () => {
  const { begun, requests } = threeRequests(1);
  while (begun.length < 3) await turn();
  for (const { end } of requests) end();
  await Promise.all(requests.map(({ answered }) => answered));
});
