import { createClient } from 'platform-service-client';

// Rewrites every page at version v2. `update` detects concurrent changes, so none is lost, and it keeps finalizers. The program can be
// run again: pages that are already rewritten are skipped.

interface PageSpec {
  title: string;
  text?: string;
  paragraphs?: string[];
}

const { PLATFORM: baseUrl = 'http://localhost:8080', TOKEN = '' } = process.env;
const client = createClient({ baseUrl, token: TOKEN });
const kind = <Spec>(plural: string, version: string) =>
  client.resources<Spec>({ group: 'sites.example', version, plural });

for await (const site of kind('sites', 'v1').list()) {
  for await (const section of kind('sections', 'v1').in(site.metadata.name).list()) {
    const pages = kind<PageSpec>('pages', 'v2').in(site.metadata.name, section.metadata.name);
    for await (const { metadata } of pages.list()) {
      const { spec } = await pages.update(metadata.name, (page) => {
        const { text, ...rest } = page.spec;
        return text === undefined
          ? false
          : { ...page, spec: { ...rest, paragraphs: text.split(/(?<=\.) /) } };
      });
      console.log(metadata.name, JSON.stringify(spec.paragraphs));
    }
  }
}
