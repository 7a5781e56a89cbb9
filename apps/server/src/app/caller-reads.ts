import { LOG_TYPE } from '@tollgate/kit/codes'
import type { Ledger } from '@tollgate/ledger/ledger'
import { findCallOfAnswer, findCallOfRequest } from '@tollgate/store/logs/find-call'
import type { Db } from '@tollgate/store/tables/schema'
import { sumUsage } from '@tollgate/store/usage/sums'
import type { CallerReads } from '../relay/own-account/caller-reads.ts'
import { asSearch, Searches } from '../services/searches.ts'

export interface CallerReadsParts {
  readonly db: Db
  /** The usage log's own database, if it has one; rows are moved there a little later. */
  readonly logs?: Db | undefined
  readonly ledger: Pick<Ledger, 'caughtUp'>
}

/** Agents ask for several calls at once; these reads are short. */
const READS_PER_USER_MAX = 20
const CHARGED = [LOG_TYPE.consumption, LOG_TYPE.refund]

export function callerReads({ db: store, logs, ledger }: CallerReadsParts): CallerReads {
  const databases = { store, logs, searches: new Searches({ perUserMax: READS_PER_USER_MAX }) }
  return {
    findCall: async (search) => {
      await ledger.caughtUp()
      for (const log of logs ? [logs, store] : [store]) {
        const found = await findCallOfRequest(log, search)
        if (found !== undefined) return found
      }
      return asSearch(databases, search.userId, async (own) => {
        const moved = own.logs && (await findCallOfAnswer(own.logs, search))
        return moved ?? findCallOfAnswer(own.store, search)
      })
    },
    spentSince: async ({ id, userId }, sinceMs) => {
      await ledger.caughtUp()
      return asSearch(databases, userId, async (own) => {
        const log = own.logs ?? own.store
        const spent: bigint[] = []
        for (const since of sinceMs) {
          const filter = { userId, tokenId: id, types: CHARGED, from: Math.floor(since / 1000) }
          spent.push((await sumUsage(log, filter)).quota)
        }
        return spent
      })
    },
  }
}
