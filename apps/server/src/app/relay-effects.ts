import type { Notices } from '@tollgate/coordination/notices'
import type { Clock } from '@tollgate/kit/clock'
import { findChannel, updateChannel } from '@tollgate/store/channels'
import { insertLogRows } from '@tollgate/store/log-rows'
import type { Database, UsageLogRow } from '@tollgate/store/schema'
import { markToken } from '@tollgate/store/token-status'
import type { Kysely } from 'kysely'

/** What a call may change in tables besides the books: seldom, and never waited for by a caller. */
export interface RelayEffects {
  disableChannel(input: { channelId: number; reason: string }): Promise<void>
  markToken(input: { tokenId: number; status: 3 | 4 }): Promise<void>
  writeLogRows(rows: readonly UsageLogRow[]): Promise<void>
}

const AUTOMATICALLY_DISABLED = 3
const ENABLED = 1

export function relayEffects(parts: { db: Kysely<Database>; clock: Clock; notices: Notices }): RelayEffects {
  const { db, clock, notices } = parts
  return {
    disableChannel: async ({ channelId, reason }) => {
      const channel = await findChannel(db, channelId)
      if (channel?.status !== ENABLED) return
      const note = { status_reason: reason, status_time: Math.floor(clock.nowMs() / 1000) }
      const change = { status: AUTOMATICALLY_DISABLED, other_info: JSON.stringify(note) }
      const { version } = channel
      if (await updateChannel(db, { id: channelId, version, change }))
        await notices.publish({ entity: 'channel', id: channelId })
    },
    markToken: async ({ tokenId, status }) => {
      if (await markToken(db, { id: tokenId, status }))
        await notices.publish({ entity: 'token', id: tokenId })
    },
    writeLogRows: (rows) => insertLogRows(db, rows),
  }
}
