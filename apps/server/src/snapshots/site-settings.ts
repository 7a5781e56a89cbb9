import {
  type OptionKey,
  type OptionValue,
  isOptionKey,
  optionDefinition,
  optionKeys,
  parseOption,
} from '@tollgate/contract/options/index'
import { invariant } from '@tollgate/kit/invariant'
import type { Cipher } from '@tollgate/kit/cipher'
import { type StoredOption, listOptions } from '@tollgate/store/operations/options'
import type { Db } from '@tollgate/store/tables/schema'
import { defaultText } from './default-text.ts'

/** All site settings, typed and complete. The relay and the services share this one reading of the table. */
export interface SiteSettings {
  get<Key extends OptionKey>(key: Key): OptionValue<Key>
  /** The value as normalised text, also for secret settings: never put it into a response. */
  text(key: OptionKey): string
  /** The number of changes of this setting; 0 as long as nothing is stored. */
  version(key: OptionKey): number
  /** The stored text, unchanged; `undefined` when the default applies. */
  stored(key: OptionKey): string | undefined
}

/** The current settings, and a way to reload them. */
export interface OpenSiteSettings extends SiteSettings {
  /** Replaces the snapshot as a whole and returns the new one. */
  reload(): Promise<SiteSettings>
}

/** Called for a stored value that cannot be used; the default is used instead. */
export type OnSettingFault = (key: OptionKey, reason: string) => void

export interface SettingsLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

export function settingFaults(log: SettingsLog): OnSettingFault {
  return (option, reason) => log.error({ option, reason }, 'a stored setting is invalid; using its default')
}

interface SettingsSource {
  readonly db: Db
  readonly cipher: Cipher
  readonly log: SettingsLog
  /** Called with the settings that were read, before anybody else gets them. */
  readonly onRead?: (settings: SiteSettings) => void
}

export async function openSiteSettings({
  db,
  cipher,
  log,
  onRead,
}: SettingsSource): Promise<OpenSiteSettings> {
  const parts = { db, cipher, onFault: settingFaults(log) }
  let entries = await readEntries(parts, undefined)
  onRead?.(settingsFrom(() => entries))
  return {
    ...settingsFrom(() => entries),
    reload: async () => {
      const read = await readEntries(parts, entries)
      entries = read
      onRead?.(settingsFrom(() => read))
      return settingsFrom(() => read)
    },
  }
}

interface SiteSettingsParts {
  readonly db: Db
  readonly cipher: Cipher
  readonly onFault: OnSettingFault
}

interface ParsedEntry {
  readonly value: unknown
  readonly text: string
}

interface Entry extends ParsedEntry {
  readonly version: number
  readonly stored: string | undefined
}

type Entries = ReadonlyMap<OptionKey, Entry>

/** Reads all settings again, and parses those that differ from the entries `before`. */
async function readEntries(parts: SiteSettingsParts, before: Entries | undefined): Promise<Entries> {
  const rows = new Map((await listOptions(parts.db)).map((row) => [row.key, row]))
  return new Map(optionKeys.map((key) => [key, entryOf(parts, { key, row: rows.get(key), before })]))
}

function settingsFrom(entries: () => Entries): SiteSettings {
  const entry = (key: OptionKey): Entry => {
    const found = entries().get(key)
    invariant(found, 'every setting has a value')
    return found
  }
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed with the schema of its key
    get: <Key extends OptionKey>(key: Key) => entry(key).value as OptionValue<Key>,
    text: (key) => entry(key).text,
    version: (key) => entry(key).version,
    stored: (key) => entry(key).stored,
  }
}

interface Wanted {
  readonly key: OptionKey
  readonly row: StoredOption | undefined
  readonly before: Entries | undefined
}

function entryOf(parts: SiteSettingsParts, { key, row, before }: Wanted): Entry {
  const version = row?.version ?? 0
  const stored = row && openText(parts, key, row.value)
  if (stored !== undefined) {
    const known = before?.get(key)
    if (known?.stored === stored) return { ...known, version }
    const parsed = parseOption(key, stored)
    if (parsed.type === 'accepted') return { ...parsed, version, stored }
    parts.onFault(key, 'the stored value is not allowed')
  }
  return { ...defaultOf(key), version, stored: undefined }
}

/** Parsed once: most settings have their default, and all are read again after each change of one. */
const defaults = new Map<OptionKey, ParsedEntry>()

function defaultOf(key: OptionKey): ParsedEntry {
  const known = defaults.get(key)
  if (known !== undefined) return known
  const parsed = parseOption(key, defaultText(key))
  invariant(parsed.type === 'accepted', 'the default of a setting is allowed')
  defaults.set(key, parsed)
  return parsed
}

function openText({ cipher, onFault }: SiteSettingsParts, key: OptionKey, value: string): string | undefined {
  if (!optionDefinition(key).isSecret || value === '') return value
  try {
    return cipher.decrypt(value, optionCipherContext(key))
  } catch {
    onFault(key, 'it was encrypted with another CRYPTO_SECRET')
    return undefined
  }
}

/**
 * The encryption context of a secret setting. It binds the ciphertext to its row, so that it cannot be copied
 * to another one.
 */
export function optionCipherContext(key: string): string {
  invariant(isOptionKey(key), 'only known settings are encrypted')
  return `option:${key}`
}
