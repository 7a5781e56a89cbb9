import type { Clock } from '@tollgate/kit/clock'
import type { Cipher } from '@tollgate/kit/cipher'
import { invariant } from '@tollgate/kit/invariant'
import type { Provider } from '@tollgate/providers/provider'
import { type Notice, type Notices, isAbout } from '@tollgate/coordination/notices'
import { listDisabledKeys } from '@tollgate/store/channels/keys'
import { readChannels, type ChannelSnapshotRow } from '@tollgate/store/operations/snapshot-reads'
import type { Db } from '@tollgate/store/tables/schema'
import type { SnapshotChange, Snapshots, Roster, RosterChannel } from './snapshots.ts'
import { rosterChannel } from './channel.ts'
import { StoredKeyring } from './keyring.ts'
import { loadPriceBook, type LoadedPriceBook } from './prices.ts'
import { openRefresher } from './refresher.ts'
import { type RelaySettings, relaySettings } from './relay-settings.ts'
import { buildRoster } from './roster.ts'
import { type OpenSiteSettings, settingFaults, type SettingsLog } from './site-settings.ts'

export interface SnapshotsDeps {
  readonly db: Db
  readonly cipher: Cipher
  readonly notices: Pick<Notices, 'subscribe'>
  readonly clock: Clock
  readonly providers: readonly Provider[]
  /** Reloaded by the snapshots whenever a setting changes; the services share this object. */
  readonly settings: OpenSiteSettings
  readonly log: SnapshotsLog
}

export interface SnapshotsLog extends SettingsLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
}

export interface OpenSnapshots extends Snapshots {
  refreshAll(): Promise<void>
  /** Unsubscribes from change notices. */
  close(): void
}

/** Reads every snapshot, and reads a snapshot again when a notice reports a change of its table. */
export async function openSnapshots(deps: SnapshotsDeps): Promise<OpenSnapshots> {
  const { db } = deps
  const keyring = new StoredKeyring(db)
  const channels = new ChannelShelf(deps)
  const settings = new SettingsShelf(deps)
  const refresh = {
    keyring: openRefresher(() => keyring.reloadAll()),
    channels: openRefresher(() => channels.reload()),
    settings: openRefresher(() => settings.reload()),
  }
  const listeners = new Set<(change: SnapshotChange) => void>()
  let version = 0
  const tell = (change: SnapshotChange): void => {
    for (const listener of listeners) listener(change)
  }
  const announceChange = (): void => {
    version++
    tell({})
  }
  const refreshAll = async (): Promise<void> => {
    await Promise.all([refresh.keyring(), refresh.channels(), refresh.settings()])
    announceChange()
  }

  async function onNotice(notice: Notice): Promise<void> {
    const { id } = notice
    const kind = EMPTIED[notice.entity]
    if (kind !== undefined && id !== undefined) return tell({ emptied: { kind, id: Number(id) } })
    const isAboutToken = isAbout(notice, 'token')
    const isAboutUser = isAbout(notice, 'user')
    await Promise.all([
      isAbout(notice, 'channel') && refresh.channels(),
      isAbout(notice, 'option') && refresh.settings(),
      (isAboutToken || isAboutUser) && id === undefined && refresh.keyring(),
      isAboutToken && id !== undefined && keyring.reloadToken(Number(id)),
      isAboutUser && id !== undefined && keyring.reloadUser(Number(id)),
    ])
    if (RELOADED.some((noun) => isAbout(notice, noun))) announceChange()
  }

  // Subscribe before the first read, so that no change during that read is missed.
  const unsubscribe = deps.notices.subscribe(onNotice)
  await refreshAll()
  return {
    keyring,
    roster: () => channels.roster,
    prices: () => settings.prices,
    get version() {
      return version
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    settings: () => settings.current,
    withdrawChannel: (id) => channels.withdraw(id),
    refreshAll,
    close: unsubscribe,
  }
}

const EMPTIED: Readonly<Record<string, 'user' | 'token'>> = { emptiedUser: 'user', emptiedToken: 'token' }

/** What notices are about after which something is read again. */
const RELOADED = ['channel', 'option', 'token', 'user']

class ChannelShelf {
  readonly #deps: SnapshotsDeps
  #channels: readonly RosterChannel[] = []
  #versions = new Map<number, number>()
  /**
   * Channel id to the row version that was withdrawn. A later version means that the row was changed since,
   * so the channel may be used again.
   */
  readonly #withdrawn = new Map<number, number>()
  roster: Roster

  constructor(deps: SnapshotsDeps) {
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

  /**
   * A channel whose key cannot be decrypted is logged and left out, so that the other channels still load.
   */
  #channel(
    row: ChannelSnapshotRow,
    disabledKeys: ReadonlySet<string> | undefined,
  ): RosterChannel | undefined {
    const { providers, cipher, log } = this.#deps
    const provider = providers.find(({ type }) => type === row.type)
    if (provider === undefined) return undefined
    try {
      return rosterChannel(row, { provider, cipher, disabledKeys })
    } catch {
      log.warn({ channelId: row.id }, "a channel's key cannot be decrypted; was the secret changed?")
      return undefined
    }
  }
}

/** The price book and the relay settings, derived once for each change of the site settings. */
class SettingsShelf {
  readonly #deps: SnapshotsDeps
  #prices: LoadedPriceBook | undefined
  #current: RelaySettings | undefined

  constructor(deps: SnapshotsDeps) {
    this.#deps = deps
  }

  get prices() {
    invariant(this.#prices, 'prices are read before they are asked for')
    return this.#prices.book
  }

  get current(): RelaySettings {
    invariant(this.#current, 'settings are read before they are asked for')
    return this.#current
  }

  async reload(): Promise<void> {
    const { settings, db, clock, log } = this.#deps
    const onFault = settingFaults(log)
    const site = await settings.reload()
    this.#prices = await loadPriceBook(site, { db, clock, onFault }, this.#prices)
    this.#current = relaySettings(site, onFault)
  }
}
