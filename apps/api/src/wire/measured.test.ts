import { type Outbound, OutboundError } from '@platform/kernel';
import { createMetrics } from '../http/metrics.ts';
import { measureIdTokens, measureIssuer, measureOutbound } from './measured.ts';

const metrics = createMetrics(null, '0.0.0');
const line = async (text: string) =>
  (await metrics.render()).split('\n').find((each) => each.startsWith(text));

describe('measured', () => {
  it('counts tokens by kind', async () => {
    const issuer = measureIssuer(metrics, { issue: () => ({ token: 't', expiresIn: 1 }) });
    const kind = { name: 'access' } as Parameters<typeof issuer.issue>[0];
    expect(issuer.issue(kind, {})).toEqual({ token: 't', expiresIn: 1 });
    expect(await line('platform_api_tokens_issued_total{kind="access"}')).toMatch(/ 1$/);
  });

  it('counts the ID tokens of the OAuth proxy, and none that could not be signed', async () => {
    const publicKeys = async () => [];
    const signer = measureIdTokens(metrics, { sign: async () => 't', publicKeys });
    expect(await signer.sign('e', {})).toBe('t');
    expect(await signer.publicKeys('e')).toEqual([]);
    const broken = measureIdTokens(metrics, { sign: () => Promise.reject(new Error('no key')), publicKeys });
    await expect(broken.sign('e', {})).rejects.toThrow('no key');
    expect(await line('platform_api_tokens_issued_total{kind="proxy_id"}')).toMatch(/ 1$/);
  });

  it('times requests upstream by their outcome, and passes answers and failures on', async () => {
    const failure = new OutboundError('timeout', 'too long');
    const outbound: Outbound = {
      request: async () => ({ status: 404, headers: {}, body: Buffer.from('') }),
      getJson: () => Promise.reject(failure),
    };
    const measured = measureOutbound(metrics, outbound);
    expect(await measured.request({ method: 'POST', url: 'https://a' })).toMatchObject({ status: 404 });
    await expect(measured.getJson('https://a')).rejects.toBe(failure);
    const count = 'platform_api_upstream_request_duration_seconds_count';
    expect(await line(`${count}{method="POST",outcome="4xx"}`)).toMatch(/ 1$/);
    expect(await line(`${count}{method="GET",outcome="timeout"}`)).toMatch(/ 1$/);
  });

  it('counts refusals by reason', async () => {
    metrics.refused('no_match');
    expect(await line('platform_api_tokens_refused_total{reason="no_match"}')).toMatch(/ 1$/);
  });
});
