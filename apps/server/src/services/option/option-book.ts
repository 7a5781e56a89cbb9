import {
  type OptionKey,
  type OptionValue,
  isOptionKey,
  optionDefinition,
  optionKeys,
  parseOption,
} from '@tollgate/contract/options'
import { invariant } from '@tollgate/kit/invariant'
import type { Seal } from '@tollgate/kit/seal'
import { type StoredOption, listOptions } from '@tollgate/store/options'
import type { Database } from '@tollgate/store/schema'
import type { Kysely } from 'kysely'
import { defaultText } from './default-text.ts'

/** The site's settings in memory: complete, typed, replaced whole by `reload`. */
export interface OptionBook {
  get<Key extends OptionKey>(key: Key): OptionValue<Key>
  /** Normal text form. Of a secret too: never put it into an answer. */
  text(key: OptionKey): string
  /** Counts its changes; 0 as long as nothing is stored. */
  version(key: OptionKey): number
  reload(): Promise<void>
}

export interface OptionBookParts {
  readonly store: Kysely<Database>
  readonly seal: Seal
  /** Told of a stored value that cannot be used; the default stands in. */
  readonly onFault: (key: OptionKey, reason: string) => void
}

interface Entry {
  readonly value: unknown
  readonly text: string
  readonly version: number
}
type Entries = ReadonlyMap<OptionKey, Entry>

export async function openOptionBook(parts: OptionBookParts): Promise<OptionBook> {
  let entries = await loadEntries(parts)
  const entryOf = (key: OptionKey): Entry => {
    const entry = entries.get(key)
    invariant(entry, 'every option has a value')
    return entry
  }
  return {
    get: (key) => typedValue(key, entryOf(key)),
    text: (key) => entryOf(key).text,
    version: (key) => entryOf(key).version,
    reload: async () => {
      entries = await loadEntries(parts)
    },
  }
}

/** Each entry was parsed with the schema of its key. */
function typedValue<Key extends OptionKey>(_key: Key, entry: Entry): OptionValue<Key> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return entry.value as OptionValue<Key>
}

async function loadEntries(parts: OptionBookParts): Promise<Entries> {
  const stored = new Map((await listOptions(parts.store)).map((row) => [row.key, row]))
  return new Map(optionKeys.map((key) => [key, entryFrom(parts, key, stored.get(key))]))
}

function entryFrom(parts: OptionBookParts, key: OptionKey, row: StoredOption | undefined): Entry {
  const version = row?.version ?? 0
  const text = row && openText(parts, key, row.value)
  if (text !== undefined) {
    const parsed = parseOption(key, text)
    if (parsed.type === 'accepted') return { ...parsed, version }
    parts.onFault(key, 'the stored value is not allowed')
  }
  const standIn = parseOption(key, defaultText(key))
  invariant(standIn.type === 'accepted', 'the default of an option is allowed')
  return { ...standIn, version }
}

function openText({ seal, onFault }: OptionBookParts, key: OptionKey, value: string): string | undefined {
  if (!optionDefinition(key).isSecret || value === '') return value
  try {
    return seal.open(value, optionSealContext(key))
  } catch {
    onFault(key, 'it was encrypted with another CRYPTO_SECRET')
    return undefined
  }
}

export function optionSealContext(key: string): string {
  invariant(isOptionKey(key), 'only known options are sealed')
  return `option:${key}`
}
