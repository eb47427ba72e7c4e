import { losslessJson } from '../json.ts';
import { labelOf } from '../kinds/target.ts';
import { ageOf, outputOption } from '../output/format.ts';
import { documentOf } from '../output/show-resources.ts';
import { table } from '../output/table.ts';
import { toYaml } from '../output/yaml.ts';
import type { Register } from './command-context.ts';
import { readCount } from './options.ts';

/** `search`: finds resources of every kind by name or uid. */
export const registerSearch: Register = (program, contextOf) => {
  program
    .command('search <text>')
    .description('find resources of every kind by a part of their name, or by their uid')
    .option('-l, --selector <labels>', 'only resources with these labels: app=shop,!tier')
    .option('-k, --kind <kind>', 'only this kind: Page or Page.example.dev')
    .option('--limit <count>', 'show at most this many, 1 to 1000', readCount, 100)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `\nExamples:
  platform search shop
  platform search shop -k Page -l tier=web
  platform search 0190a5c2-5f0e-7cc3-98c4-dc0c0c07398f`,
    )
    .action(async (text: string, { selector: labelSelector, kind, limit, output }, command) => {
      const ctx = contextOf(command);
      const { items, complete } = await ctx.client.search(text, {
        labelSelector,
        kind,
        limit,
        signal: ctx.signal,
      });
      const located = items.map((resource) => ({ ancestors: resource.metadata.ancestors, resource }));
      const labels = items.map((item) =>
        labelOf(item.kind, [...item.metadata.ancestors, item.metadata.name]),
      );
      if (output === 'json') ctx.out(losslessJson.pretty({ items: located.map(documentOf) }));
      else if (output === 'yaml') ctx.out(located.map((each) => toYaml(documentOf(each))).join('---\n'));
      else if (output === 'name') ctx.out(labels.map((label) => `${label}\n`).join(''));
      else if (items.length === 0) ctx.out('Nothing found.\n');
      else {
        const rows = items.map(({ apiVersion, metadata }, index) => [
          labels[index] ?? '',
          apiVersion,
          ageOf(metadata.creationTimestamp, ctx.now),
          ...(output === 'wide' ? [metadata.uid] : []),
        ]);
        const headings = ['RESOURCE', 'API VERSION', 'AGE', ...(output === 'wide' ? ['UID'] : [])];
        ctx.out(table(headings, rows));
      }
      if (complete === false)
        ctx.err(
          'Not everything was found in time or fits into an answer; search for the beginning of the name.\n',
        );
      else if (items.length === limit) ctx.err(`Only the first ${limit} are shown; raise --limit.\n`);
    });
};
