import { createHash } from 'node:crypto'
import type { Coordination } from '@tollgate/coordination/coordination'
import { shortMembersOf } from '@tollgate/dialects/droppable-body'
import { recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { isMemberSet } from '@tollgate/dialects/canonical/state-members'
import { type Binding, bindingText, bindingTo, readBinding } from './binding.ts'
import type { Delivered } from '../outcome.ts'
import type { Held } from '../stations/hold/held.ts'

/**
 * Where a vendor keeps the conversation that ends with a message: the channel and key that the user got the
 * message from. Nobody else may continue it.
 */
export interface KeptThreads {
  keep(userId: number, messageId: string, keeper: Binding): void
  /** `undefined` for a message that this user did not get. Never rejects. */
  find(userId: number, messageId: string): Promise<Binding | undefined>
}

const DAY_MS = 86_400_000
const BOUNDS = { lifetimeMs: DAY_MS, entriesMax: 50_000, bytesMax: 8 * 1024 * 1024, valueBytesMax: 48 }

export function openKeptThreads({ ttlCache }: Pick<Coordination, 'ttlCache'>): KeptThreads {
  const threads = ttlCache('kept-threads', BOUNDS)
  return {
    keep: (userId, messageId, keeper) => threads.put(buildKey(userId, messageId), bindingText(keeper)),
    find: async (userId, messageId) => {
      const text = await threads.get(buildKey(userId, messageId))
      return text === undefined ? undefined : readBinding(text)
    },
  }
}

/** Hashed because ids in requests may have any length. */
function buildKey(userId: number, messageId: string): string {
  return createHash('sha256').update(`${userId}\n${messageId}`).digest('base64url')
}

/** The message whose conversation a request continues at its vendor. */
export function readContinuedMessage({ thread }: JsonObject): string | undefined {
  return textAt(recordAt({ thread }, 'thread') ?? {}, 'previous_message_id')
}

/** Notes the message that a later call may continue, before its caller has all of it. */
export function noteThread(
  { ask, call, caller, operation }: Pick<Held, 'ask' | 'call' | 'caller' | 'operation'>,
  { channel, reading: { replyId = '' } }: Pick<Delivered, 'channel' | 'reading'>,
  threads: Pick<KeptThreads, 'keep'>,
): void {
  if (operation.wire !== 'messages' || replyId === '' || !channel.settings.allowsKeptResponses) return
  const keyIndex = call.trail.at(-1)?.keyIndex
  if (keyIndex === undefined || !isMemberSet(shortMembersOf(ask)['thread'])) return
  threads.keep(caller.owner.id, replyId, bindingTo({ channel, keyIndex }, DAY_MS))
}
