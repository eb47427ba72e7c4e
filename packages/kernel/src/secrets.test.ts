import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasHash, isSameSecret, secretHash } from './secrets.ts';

describe('comparing secrets', () => {
  it.each([
    ['the same', 'secret', 'secret', true],
    ['one that differs at its end', 'secret', 'secreT', false],
    ['a longer one', 'secret', 'secret2', false],
    ['nothing', '', 'secret', false],
  ])('%s', (_, secret, expected, answer) => {
    expect(isSameSecret(secret, expected)).toBe(answer);
    expect(hasHash(secret, secretHash(expected))).toBe(answer);
  });

  it('is false for a hash of another length', () => {
    expect(hasHash('secret', secretHash('secret').slice(1))).toBe(false);
  });

  it('happens in one place, in constant time', () => {
    const root = join(import.meta.dirname, '../../..');
    const careless = ['packages', 'apps']
      .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name, 'src')))
      .filter((sources) => existsSync(join(root, sources)))
      .flatMap((sources) =>
        readdirSync(join(root, sources), { recursive: true, encoding: 'utf8' }).map((path) =>
          join(sources, path),
        ),
      )
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
      .filter((path) => path !== 'packages/kernel/src/secrets.ts')
      .filter((path) =>
        /timingSafeEqual|secretHash\([^()]*\)\s*[!=]==|[!=]==\s*secretHash\(/.test(
          readFileSync(join(root, path), 'utf8'),
        ),
      );
    expect(careless).toEqual([]);
  });
});
