import { renderEnvelope, sealedMemberIn, withoutMember } from '@platform/resources';
import type { ChangeEntry } from './change-entry.ts';

/** An entry of the change log as a CloudEvent in structured mode (CloudEvents 1.0, JSON format). */
export interface CloudEvent {
  /** Every attempt has the same id, so that a receiver recognizes what it has already. */
  readonly id: string;
  readonly body: string;
}

/** The media type of {@link CloudEvent.body}. */
export const cloudEventType = 'application/cloudevents+json';

/** Renders an entry; `source` is the URL of the API that has the resource. Sealed values stay inside. */
export function renderEvent(entry: ChangeEntry, source: string): CloudEvent {
  const { cursor, operation, actor, time, requestId, reason, cascadeId, removed } = entry;
  const { uid, revision } = entry.resource;
  const id = `${uid}-${revision}${removed ? '-removed' : ''}`;
  const attributes = JSON.stringify({
    specversion: '1.0',
    id,
    source,
    type: `dev.platform.resource.${operation}`,
    time,
    subject: uid,
    datacontenttype: 'application/json',
    partitionkey: uid,
    sequence: sequenceOf(revision, removed),
  });
  const data = JSON.stringify({
    cursor: cursor.text,
    operation,
    removed,
    actor,
    requestId,
    ...(reason === null ? {} : { reason }),
    ...(cascadeId === null ? {} : { cascadeId }),
  });
  const body = `${attributes.slice(0, -1)},"data":${data.slice(0, -1)},"object":${objectOf(entry)}}}`;
  return { id, body };
}

/**
 * Grows with each event of a resource. A removal keeps the revision, and no later one of the resource exists. The CloudEvents extension
 * `sequence` is compared as text, so it has the digits of the greatest revision.
 */
function sequenceOf(revision: number, removed: boolean): string {
  return String(revision + (removed ? 1 : 0)).padStart(16, '0');
}

/** Attack: a receiver, or whoever can write a subscription, collects the sealed values of Secrets. */
function objectOf({ resource }: ChangeEntry): string {
  const member = sealedMemberIn(resource);
  const spec = member === null ? resource.spec : withoutMember(resource.spec, member.name);
  return renderEnvelope({ ...resource, spec });
}
