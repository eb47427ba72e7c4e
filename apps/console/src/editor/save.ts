import { reasonHeader } from '../api/change.ts';
import { RequestError, send } from '../api/http.ts';
import { withRevision } from './draft-text.ts';
import { bodyOf, yamlOf } from './large-text.ts';

/** A dry run, or the write itself. The text goes to the server as it is. */
export async function put(
  path: string,
  text: string,
  revision: number,
  { dryRun, reason = '' }: { readonly dryRun: boolean; readonly reason?: string },
): Promise<string> {
  const content = withRevision(text, revision);
  if (content === null) throw new Error('The text has no metadata in the form of a block.');
  return sendYaml('PUT', `${path}${dryRun ? '?dryRun=true' : ''}`, content, reason);
}

export async function sendYaml(
  method: 'PUT' | 'POST',
  path: string,
  content: string,
  reason = '',
): Promise<string> {
  const response = await send(path, {
    method,
    text: bodyOf(content),
    accept: 'application/yaml',
    headers: reasonHeader(reason),
  });
  return yamlOf(response);
}

/** Whether somebody else was faster. */
export function isStale(error: unknown): boolean {
  return error instanceof RequestError && (error.code === 'revision_conflict' || error.status === 412);
}

/** Whether there is no such resource any more. */
export function isMissing(error: unknown): boolean {
  return error instanceof RequestError && error.status === 404;
}
