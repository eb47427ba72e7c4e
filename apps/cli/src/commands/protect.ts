import { labelOfItem, readTarget, requireItem } from '../kinds/target.ts';
import type { Register } from './command-context.ts';
import { withinOption } from './options.ts';

const annotation = 'platform.dev/deletion-protection';

const verbs = {
  protect: {
    description: 'refuse every deletion that would reach a resource',
    value: 'true',
    done: 'protected',
  },
  unprotect: {
    description: 'allow the deletion of a protected resource',
    value: null,
    done: 'not protected',
  },
} as const;

/** `protect` and `unprotect`: set and remove the annotation that protects a resource from deletion. */
export const registerProtect: Register = (program, contextOf) => {
  for (const [verb, { description, value, done }] of Object.entries(verbs)) {
    program
      .command(`${verb} <target...>`)
      .description(description)
      .addOption(withinOption())
      .action(async (words, { in: within }, command) => {
        const ctx = contextOf(command);
        const target = requireItem(ctx.client, readTarget(await ctx.catalog(), words, within));
        const resource = await target.collection.get(target.key, { signal: ctx.signal });
        // By UID, so that a new resource of the same name is not changed instead.
        const path = target.collection.path({ uid: resource.metadata.uid });
        const body = JSON.stringify({ metadata: { annotations: { [annotation]: value } } });
        const contentType = 'application/merge-patch+json';
        const request = { method: 'PATCH', path, body, contentType, repeatable: true, signal: ctx.signal };
        await ctx.client.send(request);
        ctx.out(`${labelOfItem(target, resource)} is ${done}\n`);
      });
  }
};
