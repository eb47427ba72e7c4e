import { Problem } from '@platform/kernel';
import { fakeLogin } from '../../test/ports.ts';
import { completeHandover, type HandoverPorts, requestHandover, startHandover } from '../index.ts';
import { type HandoverRequest, handoverSeconds } from '../model/handover.ts';

const visitor = {
  uid: 'u-1',
  email: 'a@example.dev',
  session: {
    id: 's1',
    startedAt: 1_700_000_000_000,
    expiresAt: 1_800_010_000,
    emailVerified: true,
    account: null,
    groups: [],
  },
};

function handovers() {
  const { state, ports } = fakeLogin();
  const opened: string[] = [];
  const all: HandoverPorts = {
    ...ports,
    openSite: async (_visitor, project) => {
      opened.push(project);
      return { origins: ['https://shop.example', 'https://www.example'] };
    },
  };
  return { state, ports: all, opened };
}

type Fixture = ReturnType<typeof handovers>;

function requestOf(changes: Partial<HandoverRequest>): HandoverRequest {
  return { project: 'shop', path: '/', origin: null, binding: null, ...changes };
}

/** A code, and the value that the browser holds. */
async function code({ ports }: Fixture, changes: Partial<HandoverRequest> = {}) {
  const visit = { project: 'shop', origin: null, path: '/x', knownBinding: null };
  const { location, bindingValue } = requestHandover(ports, visit);
  const sent = requestOf(Object.fromEntries(new URL(location).searchParams));
  const redirect = await startHandover(ports, { ...sent, ...changes }, visitor);
  return { code: new URL(redirect.location).searchParams.get('code') ?? '', bindingValue, redirect };
}

const refusal = async (run: Promise<unknown>) => {
  const error = await run.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof Problem ? error.code : error;
};

describe('a hand-over code', () => {
  // Attack: the session ends while the code is on its way, and the project's host lets the visitor in for an hour.
  it('ends with the session of its visitor', async () => {
    const fixture = handovers();
    const { code: value, bindingValue } = await code(fixture);
    fixture.state.signedOut.set(visitor.uid, visitor.session.startedAt);
    const callback = { project: 'shop', code: value, bindingValue };
    expect(await refusal(completeHandover(fixture.ports, callback))).toBe('invalid_query');
  });

  it('is valid only in the browser and for the project that it was issued for', async () => {
    const fixture = handovers();
    const { code: value, bindingValue } = await code(fixture);
    const wrong = [
      { project: 'other', code: value, bindingValue },
      { project: 'shop', code: value, bindingValue: null },
      { project: 'shop', code: value, bindingValue: 'x'.repeat(43) },
      { project: 'shop', code: `${value}x`, bindingValue },
    ];
    for (const answer of wrong) {
      expect(await refusal(completeHandover(fixture.ports, answer))).toBe('invalid_query');
    }
    // A failed attempt does not use up the code.
    const handover = await completeHandover(fixture.ports, { project: 'shop', code: value, bindingValue });
    expect(handover).toMatchObject({ origin: 'https://shop.example', path: '/x', visitor });
  });

  it('can be redeemed once, also by concurrent requests', async () => {
    const fixture = handovers();
    const { code: value, bindingValue } = await code(fixture);
    const redeem = () =>
      refusal(completeHandover(fixture.ports, { project: 'shop', code: value, bindingValue }));
    const outcomes = await Promise.all([redeem(), redeem(), redeem()]);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  });

  it(`expires after ${handoverSeconds} seconds`, async () => {
    const fixture = handovers();
    const [inTime, late] = [await code(fixture), await code(fixture)];
    const redeem = ({ code: value, bindingValue }: typeof late) =>
      refusal(completeHandover(fixture.ports, { project: 'shop', code: value, bindingValue }));
    fixture.state.now += (handoverSeconds - 1) * 1000;
    expect(await redeem(inTime)).toBeNull();
    fixture.state.now += 1000;
    expect(await redeem(late)).toBe('invalid_query');
  });

  it('redirects to the requested origin of the project, and to no other origin', async () => {
    const fixture = handovers();
    const { redirect } = await code(fixture, { origin: 'https://www.example' });
    expect(redirect.location).toMatch(/^https:\/\/www\.example\/\.platform\/callback\?code=[\w-]{43}$/);
    expect(await refusal(code(fixture, { origin: 'https://evil.example' }))).toBe('invalid_query');
  });

  it('is not issued for a project on the host of the platform', async () => {
    const fixture = handovers();
    const openSite = async () => ({ origins: ['https://platform.example:8443'] });
    const started = startHandover({ ...fixture.ports, openSite }, requestOf({}), visitor);
    expect(await refusal(started)).toBe('forbidden');
  });
});

describe('the start of a hand-over', () => {
  const start = ({ ports }: Fixture, changes: Partial<HandoverRequest>, who: typeof visitor | null) =>
    startHandover(ports, requestOf(changes), who);

  it('logs in a visitor without a session before it looks up the project', async () => {
    const fixture = handovers();
    const { location, cookie } = await start(fixture, { project: 'shop', path: '/a?b=c&d' }, null);
    expect(location).toMatch(/^https:\/\/idp\.example\/authorize/);
    expect(JSON.parse(cookie?.value.replace('login_trip:', '') ?? '').destination.redirect).toBe(
      '/api/v1/auth/ingress/start?project=shop&path=%2Fa%3Fb%3Dc%26d',
    );
    expect(fixture.opened).toEqual([]);
  });

  it('redirects a visitor without a binding to the host of the project, without a code', async () => {
    const { location } = await start(handovers(), { project: 'shop', path: '/a?b' }, visitor);
    expect(location).toBe('https://shop.example/.platform/callback?path=%2Fa%3Fb');
  });

  it.each([
    ['another host in path', { path: '//evil.example' }],
    ['an invalid binding', { binding: 'x' }],
  ])('rejects %s, with and without a session', async (_, changes) => {
    expect(await refusal(start(handovers(), changes, null))).toBe('invalid_query');
    expect(await refusal(start(handovers(), changes, visitor))).toBe('invalid_query');
  });

  it('shares one value between the tabs of a browser, and replaces a malformed one', () => {
    const { ports } = handovers();
    const visit = { project: 'shop', origin: null, path: '//evil.example' };
    const first = requestHandover(ports, { ...visit, knownBinding: null });
    const second = requestHandover(ports, { ...visit, knownBinding: first.bindingValue });
    expect(second).toEqual(first);
    expect(requestHandover(ports, { ...visit, knownBinding: 'x' }).bindingValue).toHaveLength(43);
    expect(new URL(first.location).searchParams.get('path')).toBe('/');
  });
});
