import { Problem } from '@platform/kernel';
import { fakeLogin } from '../../test/ports.ts';
import { beginHandover, finishHandover, type HandoverPorts, startHandover } from '../index.ts';
import { handoverSeconds } from '../model/handover.ts';

const visitor = {
  uid: 'u-1',
  email: 'a@example.dev',
  session: { expiresAt: 1_800_010_000, emailVerified: true, account: null, groups: [] },
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

type World = ReturnType<typeof handovers>;

/** A code, and the value that the browser holds. */
async function code({ ports }: World, more: Record<string, string> = {}) {
  const visit = { project: 'shop', origin: null, path: '/x', knownBinding: null };
  const { location, bindingValue } = beginHandover(ports, visit);
  const query = new URLSearchParams({ ...Object.fromEntries(new URL(location).searchParams), ...more });
  const arrival = await startHandover(ports, query, visitor);
  return { code: new URL(arrival.location).searchParams.get('code') ?? '', bindingValue, arrival };
}

const refusal = async (run: Promise<unknown>) => {
  const error = await run.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof Problem ? error.code : error;
};

describe('a hand-over code', () => {
  it('names visitor and path, for the browser and project that it was issued for', async () => {
    const world = handovers();
    const { code: value, bindingValue } = await code(world);
    const wrong = [
      { project: 'other', code: value, bindingValue },
      { project: 'shop', code: value, bindingValue: null },
      { project: 'shop', code: value, bindingValue: 'x'.repeat(43) },
      { project: 'shop', code: `${value}x`, bindingValue },
    ];
    for (const answer of wrong) {
      expect(await refusal(finishHandover(world.ports, answer))).toBe('invalid_query');
    }
    // A wrong try does not burn the code of its owner.
    const handover = await finishHandover(world.ports, { project: 'shop', code: value, bindingValue });
    expect(handover).toMatchObject({ origin: 'https://shop.example', path: '/x', visitor });
  });

  it('is good once, also when it is redeemed several times at the same moment', async () => {
    const world = handovers();
    const { code: value, bindingValue } = await code(world);
    const redeem = () => refusal(finishHandover(world.ports, { project: 'shop', code: value, bindingValue }));
    const outcomes = await Promise.all([redeem(), redeem(), redeem()]);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  });

  it(`is good for ${handoverSeconds} seconds`, async () => {
    const world = handovers();
    const [inTime, late] = [await code(world), await code(world)];
    const redeem = ({ code: value, bindingValue }: typeof late) =>
      refusal(finishHandover(world.ports, { project: 'shop', code: value, bindingValue }));
    world.state.now += (handoverSeconds - 1) * 1000;
    expect(await redeem(inTime)).toBeNull();
    world.state.now += 1000;
    expect(await redeem(late)).toBe('invalid_query');
  });

  it('leads to the origin that was asked for, when it is the project’s', async () => {
    const world = handovers();
    const { arrival } = await code(world, { origin: 'https://www.example' });
    expect(arrival.location).toMatch(/^https:\/\/www\.example\/\.platform\/callback\?code=[\w-]{43}$/);
    expect(await refusal(code(world, { origin: 'https://evil.example' }))).toBe('invalid_query');
  });

  it('is not issued for a project on the host of the platform', async () => {
    const world = handovers();
    const openSite = async () => ({ origins: ['https://platform.example:8443'] });
    const query = new URLSearchParams({ project: 'shop' });
    expect(await refusal(startHandover({ ...world.ports, openSite }, query, visitor))).toBe('forbidden');
  });
});

describe('the start of a hand-over', () => {
  const start = ({ ports }: World, query: Record<string, string>, who: typeof visitor | null) =>
    startHandover(ports, new URLSearchParams(query), who);

  it('logs in a visitor without a session, and says nothing of the project before', async () => {
    const world = handovers();
    const { location, cookie } = await start(world, { project: 'shop', path: '/a?b=c&d' }, null);
    expect(location).toMatch(/^https:\/\/idp\.example\/authorize/);
    expect(JSON.parse(cookie?.replace('login_trip:', '') ?? '').destination.redirect).toBe(
      '/api/v1/auth/ingress/start?project=shop&path=%2Fa%3Fb%3Dc%26d',
    );
    expect(world.opened).toEqual([]);
  });

  it('sends a visitor without a binding to the project’s host, and issues no code', async () => {
    const { location } = await start(handovers(), { project: 'shop', path: '/a?b' }, visitor);
    expect(location).toBe('https://shop.example/.platform/callback?path=%2Fa%3Fb');
  });

  it.each([
    ['no project', {}],
    ['another host in path', { project: 'shop', path: '//evil.example' }],
    ['a binding that is none', { project: 'shop', binding: 'x' }],
  ])('refuses %s, with and without a session', async (_, query) => {
    expect(await refusal(start(handovers(), query as Record<string, string>, null))).toBe('invalid_query');
    expect(await refusal(start(handovers(), query as Record<string, string>, visitor))).toBe('invalid_query');
  });

  it('shares the value of a browser between tabs, but takes none that is not like its own', () => {
    const { ports } = handovers();
    const visit = { project: 'shop', origin: null, path: '//evil.example' };
    const first = beginHandover(ports, { ...visit, knownBinding: null });
    const second = beginHandover(ports, { ...visit, knownBinding: first.bindingValue });
    expect(second).toEqual(first);
    expect(beginHandover(ports, { ...visit, knownBinding: 'x' }).bindingValue).toHaveLength(43);
    expect(new URL(first.location).searchParams.get('path')).toBe('/');
  });
});
