import type { BodyDocs, EndpointDocs, ResponseDocs, Schema } from '../endpoint/documentation.ts';
import { answerExample } from './answer-examples.ts';
import { refusalsOf } from './refusals.ts';
import { securityOf } from './security.ts';

/** Responses that several endpoints share are once in `components`; the first endpoint that has one names it. */
export class Responses {
  readonly #names = new Map<string, string>();
  readonly #responses: Record<string, object> = {};

  /** A reference to the response. */
  share(response: object, name: string): object {
    const key = JSON.stringify(response);
    let known = this.#names.get(key);
    if (known === undefined) {
      known = name;
      this.#names.set(key, name);
      this.#responses[name] = response;
    }
    return { $ref: `#/components/responses/${known}` };
  }

  components(): Readonly<Record<string, object>> {
    return this.#responses;
  }
}

/** The Operation Object of an endpoint. */
export function operationOf(endpoint: EndpointDocs, responses: Responses): object {
  const { id, tag, summary, description, parameters = [], body, credential } = endpoint;
  const refusals = Object.entries(refusalsOf(endpoint)).map(([status, response]) => [
    status,
    responses.share(response, `${id}.${status}`),
  ]);
  const good = Object.entries(endpoint.responses).map(([status, answer]) => [status, responseOf(answer)]);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf[credential],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body) }),
    responses: Object.fromEntries([...good, ...refusals]),
  };
}

function requestBodyOf({ mediaTypes, schema, examples }: BodyDocs): object {
  const contentOf = (type: string) => {
    const shown = Object.entries(examples)
      .filter(([, { mediaType = type }]) => mediaType === type)
      .map(([name, { summary, value }]) => [name, { summary, value }]);
    return shown.length === 0 ? { schema } : { schema, examples: Object.fromEntries(shown) };
  };
  return { required: true, content: Object.fromEntries(mediaTypes.map((type) => [type, contentOf(type)])) };
}

function responseOf({
  description,
  schema,
  mediaType = 'application/json',
  stream,
  line,
  headers = {},
  example = schema === undefined ? undefined : answerExample(schema),
}: ResponseDocs): object {
  const described = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ]);
  return {
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...Object.fromEntries(described) },
    ...(schema === undefined
      ? {}
      : {
          content: {
            [mediaType]: example === undefined ? { schema } : { schema, example },
            ...(stream === undefined ? {} : streamContent(stream)),
            ...(line === undefined
              ? {}
              : { 'application/x-ndjson': { schema: line, example: answerExample(line) } }),
          },
        }),
  };
}

function streamContent(schema: Schema): Record<string, object> {
  const example = answerExample(schema) as { readonly type: string; readonly cursor: string };
  const event = `event: ${example.type}\nid: ${example.cursor}\ndata: ${JSON.stringify(example)}\n\n`;
  return {
    'application/x-ndjson': { schema, example },
    'text/event-stream': { schema: { type: 'string' }, example: event },
  };
}
