import { isPlatformError, type Resource } from 'platform-service-client';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { losslessJson } from '../json.ts';
import { labelOfItem, readTarget, requireItem } from '../kinds/target.ts';
import { yamlDiff } from '../output/yaml-diff.ts';
import type { CommandContext } from './command-context.ts';

/** Splits `page/blog/hello 3 5` into the target and one or two revisions. Throws a Failure when there is no revision. */
function splitRevisions(words: readonly string[]): {
  readonly target: readonly string[];
  readonly revisions: readonly number[];
} {
  const isRevision = (word: string | undefined) => word !== undefined && /^[1-9]\d{0,14}$/.test(word);
  let at = words.length;
  while (at > 1 && words.length - at < 2 && isRevision(words[at - 1])) at -= 1;
  // In `page 7 3` the kind needs a name.
  if (at === 1 && words.length === 3 && !/[/:]/.test(words[0] ?? '')) at = 2;
  if (at === words.length) {
    throw new Failure('usage', 'missing argument: a revision', 'platform history lists the revisions');
  }
  return { target: words.slice(0, at), revisions: words.slice(at).map(Number) };
}

/** Shows what has changed since a revision, or from one to another. */
export async function diffRevisions(
  ctx: CommandContext,
  words: readonly string[],
  within: string | undefined,
): Promise<void> {
  const { target: targetWords, revisions } = splitRevisions(words);
  const target = requireItem(ctx.client, readTarget(await ctx.catalog(), targetWords, within));
  const history = target.collection.path(target.key, 'history');
  const read = async (revision: number | undefined) => {
    const path = revision === undefined ? target.collection.path(target.key) : `${history}/${revision}`;
    try {
      const { text } = await ctx.client.send({ method: 'GET', path, signal: ctx.signal });
      return losslessJson.parse(text) as Resource;
    } catch (error) {
      if (revision === undefined || !isPlatformError(error, 'not_found')) throw error;
      const hint = 'platform history lists the revisions';
      throw new Failure('notFound', `revision ${revision} does not exist, or is no longer kept`, hint);
    }
  };
  const [before, after] = [await read(revisions[0]), await read(revisions[1])];
  const difference = yamlDiff(before, after, ctx.colors);
  if (difference === '') return;
  const label = labelOfItem(target, after);
  ctx.out(`${label} from revision ${before.metadata.revision} to ${after.metadata.revision}\n${difference}`);
  ctx.finish(exitCodes.failed);
}
