import type { Notices } from '@tollgate/coordination/notices'
import { addTokenRefusals, type TokenRefusals } from '@tollgate/store/accounts/token-refusals'
import { insertLogRows } from '@tollgate/store/logs/rows'
import { insertLogTexts } from '@tollgate/store/logs/texts'
import type { Db } from '@tollgate/store/tables/schema'
import type { LogTextTable, UsageLogRow } from '@tollgate/store/tables/logs'
import { markToken } from '@tollgate/store/accounts/token-status'
import type { ChannelSwitch } from '../services/channel/switch.ts'

/** Writes of a call to tables outside the ledger. They are rare, and no caller waits for them. */
export interface RelayEffects {
  disableChannel(input: { channelId: number; reason: string }): Promise<void>
  disableKey(input: { channelId: number; key: string; reason: string }): Promise<void>
  markToken(input: { tokenId: number; status: 3 | 4 }): Promise<void>
  writeLogRows(rows: readonly UsageLogRow[]): Promise<void>
  writeTokenRefusals(counts: readonly TokenRefusals[], at: number): Promise<void>
  writeLogTexts(rows: readonly LogTextTable[]): Promise<void>
}

export interface RelayEffectsParts {
  readonly db: Db
  /** The database that the usage log is read from. */
  readonly logs: Db
  readonly notices: Notices
  readonly switch: ChannelSwitch
}

export function relayEffects({ db, logs, notices, switch: channels }: RelayEffectsParts): RelayEffects {
  return {
    disableChannel: async (input) => void (await channels.disable(input)),
    disableKey: (input) => channels.disableKey(input),
    markToken: async ({ tokenId, status }) => {
      if (await markToken(db, { id: tokenId, status }))
        await notices.publish({ entity: 'token', id: tokenId })
    },
    writeLogRows: (rows) => insertLogRows(db, rows),
    writeTokenRefusals: (counts, at) =>
      db.transaction().execute(async (transaction) => {
        for (const count of counts) await addTokenRefusals(transaction, count, at)
      }),
    writeLogTexts: (rows) => insertLogTexts(logs, rows),
  }
}
