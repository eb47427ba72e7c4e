import supertest, { type Response, type Test } from 'supertest';
import { requireDocumented } from './conformance.ts';

const verbs = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;

/** The verbs of supertest; every answer has to be as the document says. */
type DocumentedRequest = Readonly<Record<(typeof verbs)[number], (path: string) => Test>>;

/** `supertest`, whose every answer must be as the document says. Tests of the service import this instead. */
export default function request(target: Parameters<typeof supertest>[0]): DocumentedRequest {
  const plain = supertest(target);
  const documented = (verb: (typeof verbs)[number]) => (path: string) =>
    plain[verb](path).expect((answer: Response) => requireDocumented(verb.toUpperCase(), path, answer));
  return Object.fromEntries(verbs.map((verb) => [verb, documented(verb)])) as DocumentedRequest;
}

export type { Response, Test };
