import { asRoot, bare, embedded, expected, isRemote, lifted, officialGroups } from '../conformance/index.ts';
import { createSchemaValidator } from './index.ts';

const groups = officialGroups();

// Skipped if the suite is not available; it is not part of this repository.
(groups === undefined ? describe.skip : describe)('the official suite for Draft 2020-12', () => {
  const validator = createSchemaValidator({ limits: { deadlineMs: 20_000 } });
  afterAll(() => validator.close());
  let index = 0;

  describe.each([asRoot, embedded, bare, lifted])('$name', (form) => {
    for (const group of groups ?? []) {
      const key = String(++index);
      const schema = form.schema(group.schema, index);
      if (schema === undefined) continue;
      it(`${group.file}: ${group.description}`, async () => {
        const text = JSON.stringify(schema);
        const refused = await validator.check(text);
        if (refused.length > 0 && isRemote(group)) {
          expect(refused.every(({ path }) => /\/\$(ref|schema)$/.test(path))).toBe(true);
          return;
        }
        expect(refused).toEqual([]);
        const wrong: string[] = [];
        for (const test of group.tests) {
          const value = form.document(test.data);
          const document = { value, text: JSON.stringify(value) };
          const faults = await validator.validate({ key, schema: text }, document);
          if ((faults.length === 0) !== expected(test))
            wrong.push(`${test.description}: ${JSON.stringify(faults)}`);
        }
        expect(wrong).toEqual([]);
      });
    }
  });

  it('has all required cases', () => {
    const count = (some: typeof groups): number =>
      (some ?? []).reduce((sum, { tests }) => sum + tests.length, 0);
    expect(count(groups)).toBeGreaterThanOrEqual(1_299);
    expect(count(groups?.filter(isRemote))).toBe(57);
  });
});
