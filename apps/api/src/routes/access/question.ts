import { accessVerbs } from '@platform/access';
import { Problem } from '@platform/kernel';
import { type AccessQuestion, type AskedCollectionPath, parsePath } from '@platform/resources';
import { z } from 'zod';
import { prefix } from '../resources/dispatch.ts';

/** The longest path that is asked about; no request line is longer. */
const maxPath = 8_192;

/** A verb of roles. */
const verbSchema = z.enum(accessVerbs, `must be one of ${accessVerbs.join(', ')}`);

/** A request path of the generic API, with or without its query. */
const pathSchema: z.ZodType<AskedPath, string> = z
  .string()
  .max(maxPath)
  .transform((path, context) => {
    const parsed = readPath(path);
    if (typeof parsed !== 'string') return parsed;
    context.addIssue({ code: 'custom', message: parsed });
    return z.NEVER;
  });

/** A question about one request. */
export const questionSchema = z.strictObject({ verb: verbSchema, path: pathSchema });

/** The path of `pending-deletion`, which no rule can name: it is for operators. */
export const pendingDeletion = 'pendingDeletion';

/** The subject of a question: a path of a kind, or the list of everything that is being deleted. */
export type AskedPath = AskedCollectionPath | { readonly form: typeof pendingDeletion };

/** Whether the question is about a kind. */
export function isAboutKind(
  question: z.output<typeof questionSchema>,
): question is typeof question & AccessQuestion {
  return question.path.form !== pendingDeletion;
}

/** The parsed path, or what is wrong with it. */
function readPath(path: string): AskedPath | string {
  const [pathname = '', ...query] = path.split('?');
  if (!pathname.startsWith(`${prefix}/`)) return `must be the whole path of a request below ${prefix}/`;
  try {
    const parsed = parsePath(pathname.slice(prefix.length + 1));
    const [fieldSelector, ...more] = new URLSearchParams(query.join('?')).getAll('fieldSelector');
    if (parsed.form === pendingDeletion || fieldSelector === undefined || more.length > 0) return parsed;
    return { ...parsed, fieldSelector };
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}
