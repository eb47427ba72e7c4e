import { fakeClock } from '@platform/development/testing';
import { openSealer } from '../../test/fakes.ts';
import { resealUpstreamSecret, sealPortableSecret } from './seal-portable-secret.ts';

const extension = { projectUid: 'p1', extensionUid: 'e1' };
const fixture = () => ({ sealer: openSealer, clock: fakeClock() });

describe('a portable secret', () => {
  it('for a project is taken from everybody who may write there, at any time, and nowhere else', () => {
    const ports = fixture();
    const sealed = sealPortableSecret(ports, 's', { projectUid: 'p1' });
    ports.clock.advance(365 * 86_400 * 1_000);
    expect(resealUpstreamSecret(ports, sealed, extension, 'u2')).not.toBeNull();
    expect(resealUpstreamSecret(ports, sealed, { ...extension, projectUid: 'p2' }, 'u1')).toBeNull();
  });

  it('for a person is taken from that person, within a day', () => {
    const ports = fixture();
    const sealed = sealPortableSecret(ports, 's', { userEmail: 'u1' });
    expect(resealUpstreamSecret(ports, sealed, extension, 'u2')).toBeNull();
    expect(resealUpstreamSecret(ports, sealed, extension, null)).toBeNull();
    ports.clock.advance(86_400 * 1_000);
    expect(resealUpstreamSecret(ports, sealed, extension, 'u1')).not.toBeNull();
    ports.clock.advance(1_000);
    expect(resealUpstreamSecret(ports, sealed, extension, 'u1')).toBeNull();
  });

  it('for a person does not last longer when the clock was ahead and is set back', () => {
    const ports = fixture();
    const sealed = sealPortableSecret(ports, 's', { userEmail: 'u1' });
    ports.clock.advance(-86_401 * 1_000);
    expect(resealUpstreamSecret(ports, sealed, extension, 'u1')).toBeNull();
  });

  it('is sealed again for the extension, so that the stored secret opens for no other', () => {
    const ports = fixture();
    const stored = resealUpstreamSecret(
      ports,
      sealPortableSecret(ports, 's', { userEmail: 'u1' }),
      extension,
      'u1',
    );
    expect(resealUpstreamSecret(ports, String(stored), extension, 'u1')).toBeNull();
    const context = { purpose: 'upstream_client_secret', project: 'p1', extension: 'e1' };
    expect(openSealer.unseal(String(stored), context)).toBe('s');
  });
});
