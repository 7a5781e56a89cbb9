import type { Clock } from '@tollgate/kit/clock'
import type { Seal } from '@tollgate/kit/seal'
import { invariant } from '@tollgate/kit/invariant'
import type { Provider } from '@tollgate/providers/provider'
import { type Notice, type Notices, isAbout } from '@tollgate/coordination/notices'
import { listDisabledKeys } from '@tollgate/store/channel-keys'
import { readChannels, readOptionTexts, type ChannelBookRow } from '@tollgate/store/books-reads'
import type { Database } from '@tollgate/store/schema'
import type { Kysely } from 'kysely'
import type { Books, Roster, RosterChannel, Settings } from './books.ts'
import { rosterChannel } from './channel.ts'
import { StoredKeyring } from './keyring.ts'
import { loadPriceBook, type LoadedPriceBook } from './prices.ts'
import { openRefresher } from './refresher.ts'
import { buildRoster } from './roster.ts'
import { settingsOf } from './settings.ts'

export interface BooksDeps {
  readonly db: Kysely<Database>
  readonly seal: Seal
  readonly notices: Pick<Notices, 'subscribe'>
  readonly clock: Clock
  readonly providers: readonly Provider[]
  readonly log: BooksLog
}

export interface BooksLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
}

export interface OpenBooks extends Books {
  refreshAll(): Promise<void>
  /** Ends the subscription. */
  close(): void
}

/** Reads every snapshot, and reads them again when a notice says that their table changed. */
export async function openBooks(deps: BooksDeps): Promise<OpenBooks> {
  const { db } = deps
  const keyring = new StoredKeyring(db)
  const channels = new ChannelShelf(deps)
  const options = new OptionShelf(deps)
  const refresh = {
    keyring: openRefresher(() => keyring.reloadAll()),
    channels: openRefresher(() => channels.reload()),
    options: openRefresher(() => options.reload()),
  }
  const refreshAll = async (): Promise<void> => {
    await Promise.all([refresh.keyring(), refresh.channels(), refresh.options()])
  }

  async function onNotice(notice: Notice): Promise<void> {
    const { id } = notice
    const isAboutToken = isAbout(notice, 'token')
    const isAboutUser = isAbout(notice, 'user')
    await Promise.all([
      isAbout(notice, 'channel') && refresh.channels(),
      isAbout(notice, 'option') && refresh.options(),
      (isAboutToken || isAboutUser) && id === undefined && refresh.keyring(),
      isAboutToken && id !== undefined && keyring.reloadToken(Number(id)),
      isAboutUser && id !== undefined && keyring.reloadUser(Number(id)),
    ])
  }

  // First, so that nothing changes unseen while everything is read.
  const unsubscribe = deps.notices.subscribe(onNotice)
  await refreshAll()
  return {
    keyring,
    roster: () => channels.roster,
    prices: () => options.prices,
    settings: () => options.settings,
    withdrawChannel: (id) => channels.withdraw(id),
    refreshAll,
    close: unsubscribe,
  }
}

class ChannelShelf {
  readonly #deps: BooksDeps
  #channels: readonly RosterChannel[] = []
  #versions = new Map<number, number>()
  /** Channel to the version of the row that was refused; any later version counts as the operator's word. */
  readonly #withdrawn = new Map<number, number>()
  roster: Roster

  constructor(deps: BooksDeps) {
    this.#deps = deps
    this.roster = this.#build()
  }

  async reload(): Promise<void> {
    const { db } = this.#deps
    const [rows, disabled] = await Promise.all([readChannels(db), listDisabledKeys(db)])
    const disabledKeys = Map.groupBy(disabled, (key) => key.channel_id)
    this.#versions = new Map(rows.map(({ id, version }) => [id, version]))
    this.#channels = rows.flatMap((row) => {
      const hashes = disabledKeys.get(row.id)?.map((key) => key.key_hash)
      return this.#channel(row, hashes && new Set(hashes)) ?? []
    })
    for (const [id, version] of this.#withdrawn) {
      if (this.#versions.get(id) !== version) this.#withdrawn.delete(id)
    }
    this.roster = this.#build()
  }

  withdraw(id: number): void {
    this.#withdrawn.set(id, this.#versions.get(id) ?? 0)
    this.roster = this.#build()
  }

  #build(): Roster {
    const { providers } = this.#deps
    return buildRoster({ channels: this.#channels, withdrawn: new Set(this.#withdrawn.keys()), providers })
  }

  /** A channel that cannot be used is left out, and said so; the others must not suffer for it. */
  #channel(row: ChannelBookRow, disabledKeys: ReadonlySet<string> | undefined): RosterChannel | undefined {
    const { providers, seal, log } = this.#deps
    const provider = providers.find(({ type }) => type === row.type)
    if (provider === undefined) return undefined
    try {
      return rosterChannel(row, { provider, seal, disabledKeys })
    } catch {
      log.warn({ channelId: row.id }, "a channel's key cannot be opened; was the secret changed?")
      return undefined
    }
  }
}

class OptionShelf {
  readonly #deps: BooksDeps
  #prices: LoadedPriceBook | undefined
  #settings: Settings | undefined

  constructor(deps: BooksDeps) {
    this.#deps = deps
  }

  get prices() {
    invariant(this.#prices, 'prices are read before they are asked for')
    return this.#prices.book
  }

  get settings(): Settings {
    invariant(this.#settings, 'settings are read before they are asked for')
    return this.#settings
  }

  async reload(): Promise<void> {
    const rows = await readOptionTexts(this.#deps.db)
    const texts = new Map(rows.map(({ key, value }) => [key, value]))
    const onUnreadable = (key: string) =>
      this.#deps.log.warn({ key }, 'a stored option cannot be read; its default is used')
    this.#prices = await loadPriceBook(texts, { ...this.#deps, onUnreadable }, this.#prices)
    this.#settings = settingsOf(texts, onUnreadable)
  }
}
