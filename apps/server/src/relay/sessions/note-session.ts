import { shortMembersOf } from '@tollgate/dialects/droppable-body'
import { responseId } from '@tollgate/dialects/responses/write-reply'
import type { Delivered } from '../outcome.ts'
import type { Held } from '../stations/hold/held.ts'
import type { Sessions } from './sessions.ts'

type NotedCall = Pick<Held, 'session' | 'operation' | 'caller' | 'call' | 'ask'>

/** Notes the session of a response that a later call may continue; one that its vendor does not store cannot be. */
export function noteSession(
  { session, operation, caller, call, ask }: NotedCall,
  { reading: { replyId } }: Pick<Delivered, 'reading'>,
  sessions: Pick<Sessions, 'note'>,
): void {
  if (session === undefined || replyId === undefined || operation.wire !== 'responses') return
  if (shortMembersOf(ask)['store'] === false) return
  const ownerId = caller.owner.id
  sessions.note({ ownerId, responseId: replyId, session })
  // What the caller got if the response was converted.
  const written = responseId(replyId, { fallbackId: call.id })
  if (written !== replyId) sessions.note({ ownerId, responseId: written, session })
}
