import { brokenRule, rulesOf, rulesText } from './rules.ts';

describe('the rules of a field', () => {
  const broken = (schema: object, value: string) =>
    brokenRule(rulesOf(schema, schema), value, 'type' in schema && schema.type !== 'string');

  it.each([
    [{ type: 'integer', minimum: 1 }, '0', 'It must be at least 1.'],
    [{ type: 'integer', minimum: 1 }, '1', undefined],
    [{ type: 'integer' }, '1.5', 'It must be an integer.'],
    [{ type: 'integer' }, 'x', 'It must be a number.'],
    [{ type: 'number', exclusiveMaximum: 1.5 }, '1.5', 'It must be less than 1.5.'],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true }, '0', 'It must be more than 0.'],
    [
      { type: 'integer', maximum: 9007199254740992n },
      '9007199254740993',
      'It must be at most 9007199254740992.',
    ],
    [{ type: 'string', minLength: 2 }, '🚜', 'It must have at least 2 characters.'],
    [{ type: 'string', maxLength: 1 }, '🚜', undefined],
    [{ type: 'string', minLength: 2 }, '', undefined],
  ])('of %p: %p is answered by %p', (schema, value, answer) => {
    expect(broken(schema, value)).toBe(answer);
  });

  it('are said in words', () => {
    const schema = { type: 'string', minLength: 1, maxLength: 63, pattern: '^a' };
    expect(rulesText(rulesOf(schema, schema))).toBe(
      'At least 1 character, at most 63 characters, matching ^a.',
    );
    expect(rulesText(rulesOf({ type: 'string' }, {}))).toBeUndefined();
  });
});
