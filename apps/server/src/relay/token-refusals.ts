import type { LogEventOf } from '@tollgate/contract/log-event/event'
import type { Clock } from '@tollgate/kit/clock'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { randomToken } from '@tollgate/kit/ids'
import type { TokenRefusals as RefusedCount } from '@tollgate/store/accounts/token-refusals'
import { rowWithoutCall } from '@tollgate/store/logs/rows'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { Log } from './log.ts'
import type { KnownToken } from './refused-token.ts'

interface RefusalDeps {
  readonly clock: Clock
  readonly log: Log
  readonly writeLogRows: (rows: readonly UsageLogRow[]) => Promise<void>
  /** Adds to the sums of the tokens, at a time in seconds. */
  readonly writeTokenRefusals: (counts: readonly RefusedCount[], at: number) => Promise<void>
}

/** A refused call of a known token. */
export interface RefusedTokenCall extends KnownToken {
  readonly code: string
  /** The call has a row of its own in the usage log. */
  readonly hasRow: boolean
}

/**
 * Counts every refused call of a known token, by token and reason. Once a minute it adds to the sums of the tokens, and
 * writes a row in the usage log for the calls that have none of their own: who looks for failing calls finds them,
 * however many there are. Never blocks, never throws.
 */
export interface TokenRefusals {
  note(refusal: RefusedTokenCall): void
  close(): Promise<void>
}

const FLUSH_MS = 60_000
const HOUR_MS = 3_600_000
/** Pairs of token and reason that one minute counts apart. */
export const ENTRIES_MAX = 2_000
/** Rows of a token in an hour; what is refused beyond them is counted in the row of all others. */
export const ROWS_PER_TOKEN_MAX = 20
/** What could not be written and waits for the next minute. */
const WAITING_MAX = 10_000

interface Entry {
  readonly token: KnownToken['token'] | undefined
  readonly code: string
  /** All refused calls. */
  refused: number
  /** Those without a row of their own. */
  rowless: number
  readonly firstAddress: string
  lastAddress: string
  readonly at: number
}

export function openTokenRefusals(deps: RefusalDeps): TokenRefusals {
  const { clock } = deps
  const rowsInHour = new RowLimit(clock)
  const waiting = new WaitingWrites(deps)
  let entries = new Map<string, Entry>()
  let timer: NodeJS.Timeout | undefined

  function findEntry({ token, code, address }: RefusedTokenCall): Entry {
    const key = `${token.id} ${code}`
    const entry = entries.get(key)
    if (entry !== undefined) return entry
    const isKept = entries.size < ENTRIES_MAX
    const place = isKept ? key : OTHERS
    const kept = entries.get(place) ?? openEntry(isKept ? { token, code } : undefined, address)
    entries.set(place, kept)
    return kept
  }

  function openEntry(named: Pick<Entry, 'token' | 'code'> | undefined, address: string): Entry {
    const { token, code } = named ?? { token: undefined, code: SEVERAL }
    const at = Math.floor(clock.nowMs() / 1000)
    return { token, code, refused: 0, rowless: 0, firstAddress: address, lastAddress: address, at }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = [...entries.values()]
    entries = new Map()
    waiting.add(batch, limitRows(batch, rowsInHour))
    await waiting.write()
    if (waiting.size > 0) timer ??= setTimeout(() => void flush(), FLUSH_MS).unref()
  }

  return {
    note(refusal) {
      const entry = findEntry(refusal)
      entry.refused++
      if (!refusal.hasRow) entry.rowless++
      entry.lastAddress = refusal.address
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref()
    },
    close: flush,
  }
}

const OTHERS = 'others'
const SEVERAL = 'several'

/** The rows of a minute: one for each token and reason, and one for all beyond the limit. */
function limitRows(batch: readonly Entry[], rowsInHour: RowLimit): readonly UsageLogRow[] {
  const rowlessEntries = batch.filter(({ rowless }) => rowless > 0)
  const own = rowlessEntries.filter(({ token }) => token !== undefined && rowsInHour.take(token.id))
  const others = rowlessEntries.filter((entry) => !own.includes(entry))
  const rows = own.map(buildRow)
  const [first] = others
  if (first === undefined) return rows
  const rowless = others.reduce((sum, entry) => sum + entry.rowless, 0)
  const lastAddress = others.at(-1)?.lastAddress ?? first.lastAddress
  return [...rows, buildRow({ ...first, token: undefined, code: SEVERAL, rowless, lastAddress })]
}

class RowLimit {
  readonly #clock: Clock
  #endsAt = 0
  #counts = new Map<number, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  take(tokenId: number): boolean {
    const now = this.#clock.monotonicMs()
    if (now >= this.#endsAt) {
      this.#endsAt = now + HOUR_MS
      this.#counts = new Map()
    }
    const count = (this.#counts.get(tokenId) ?? 0) + 1
    this.#counts.set(tokenId, count)
    return count <= ROWS_PER_TOKEN_MAX
  }
}

/** Writes sums and rows; what fails is kept for another try. */
class WaitingWrites {
  readonly #deps: RefusalDeps
  #sums: { readonly count: RefusedCount; readonly at: number }[] = []
  #rows: UsageLogRow[] = []

  constructor(deps: RefusalDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#sums.length + this.#rows.length
  }

  add(batch: readonly Entry[], rows: readonly UsageLogRow[]): void {
    const sums = batch.flatMap(({ token, code, refused, at }) =>
      token === undefined ? [] : [{ count: { tokenId: token.id, code, refused }, at }],
    )
    this.#sums = this.#cut([...this.#sums, ...sums])
    this.#rows = this.#cut([...this.#rows, ...rows])
  }

  async write(): Promise<void> {
    const sums = this.#sums.splice(0)
    const rows = this.#rows.splice(0)
    for (const [at, counts] of Map.groupBy(sums, (sum) => sum.at))
      await this.#deps
        .writeTokenRefusals(
          counts.map(({ count }) => count),
          at,
        )
        .catch((error: unknown) => {
          this.#sums.push(...counts)
          this.#warn(error)
        })
    if (rows.length === 0) return
    // A row that was written although the database failed to say so is not written twice.
    await this.#deps.writeLogRows(rows).catch((error: unknown) => {
      this.#rows.push(...rows)
      this.#warn(error)
    })
  }

  #cut<Item>(items: Item[]): Item[] {
    if (items.length <= WAITING_MAX) return items
    this.#deps.log.warn({ lost: items.length - WAITING_MAX }, 'counts of refused calls were dropped')
    return items.slice(-WAITING_MAX)
  }

  #warn(error: unknown): void {
    this.#deps.log.warn({ error }, 'could not write the counts of refused calls; they are written later')
  }
}

function buildRow({ token, code, rowless, firstAddress, lastAddress, at }: Entry): UsageLogRow {
  const event: LogEventOf<'calls_refused'> = { event: 'calls_refused', refused: rowless, reason: code }
  return {
    ...rowWithoutCall,
    request_id: `refused:${randomToken(18)}`,
    user_id: token?.owner.id ?? 0,
    created_at: at,
    type: LOG_TYPE.refusal,
    content: '',
    username: token?.owner.username ?? '',
    token_id: token?.id ?? 0,
    token_name: token?.name ?? '',
    group_name: '',
    ip: lastAddress,
    other: JSON.stringify({ ...event, first_address: firstAddress, last_address: lastAddress }),
  }
}
