import { byPath, collection, given, read, replacement } from './builders.ts';
import type { Suite } from './suite.ts';

/** Documents that a parser or a binary JSON type would not return unchanged. */
const documents: Readonly<Record<string, string>> = {
  'numbers that a double cannot hold':
    '{"a":1e400,"b":-1E-400,"c":1.10,"d":9007199254740993,"e":-0,"f":1.0e+2}',
  'an integer of 300 digits': `{"n":${'1234567890'.repeat(30)}}`,
  'keys of the prototype': '{"__proto__":{"a":1},"constructor":null,"hasOwnProperty":[],"toString":0}',
  'keys in the order they were sent': '{"z":1,"a":2,"10":3,"2":4}',
  'a key sent twice': '{"a":1,"a":2}',
  'white space inside': '{ "a" :\t[ 1 ,\n 2 ] ,\r\n "b" : { } }',
  'escapes as they were written': '{"a":"\\u0041\\/\\b\\f\\n\\r\\t\\"\\\\","\\u0062":1}',
  'text in every script': '{"grüße":"日本語 🎉 עברית \u0301 \u2028","é":"\u00e9"}',
  'a placeholder or a quote of SQL': '{"a":"$1 ? :name \'; drop table resources; -- %s {0}"}',
  'deep nesting': `{"a":${'['.repeat(62)}${']'.repeat(62)}}`,
  'nothing in it': '{}',
};

/** Stored documents are returned as the text that was written. */
export function lossless({ guarantee }: Suite): void {
  for (const [what, text] of Object.entries(documents)) {
    guarantee(`a stored document keeps ${what}`, async (store) => {
      const metadata = `{"annotations":${text}}`;
      const row = await given(store, { spec: text, metadata });
      expect(row).toMatchObject({ spec: text, metadata });
      expect(await read(store, row)).toEqual(row);
      expect(await store.reader.get(byPath(row), null)).toMatchObject({ outcome: 'read', resource: row });
      const page = await store.reader.list(collection('Widget'), { limit: 1, after: null }, null);
      expect(page).toMatchObject({ items: [row] });

      const later = await given(store);
      await store.writer.replace(replacement(later, { spec: text, metadata, specChanged: true }));
      expect(await read(store, later)).toMatchObject({ spec: text, metadata });
    });
  }

  guarantee('a document of half a megabyte is stored unchanged', async (store) => {
    const text = `{"a":"${'x'.repeat(250_000)}","b":[${'1,'.repeat(124_999)}1]}`;
    const row = await given(store, { spec: text });
    expect((await read(store, row))?.spec === text).toBe(true);
  });
}
