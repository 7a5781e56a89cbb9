import { problem } from '@tollgate/problems/problem'
import type { Provider } from '@tollgate/providers/provider'
import { splitList } from '../comma-list.ts'
import type { CHANNEL_KEY_MODES } from '@tollgate/contract/channel-fields'
import { isRecord, parseJson } from '@tollgate/kit/json'

const KEYS_MAX = 20_000
const PREVIEW_LENGTH_MIN = 16
const HEAD_CHARACTERS = 6
const TAIL_CHARACTERS = 4
/** Control characters in a key would end up in a header. */
const CONTROL = /\p{Cc}/u

/**
 * Splits the keys of a channel, which are separated by commas or lines, and removes duplicates. A JSON object
 * is one key, including its commas; several objects stand one per line or in a JSON array.
 */
export function splitKeys(text: string): string[] {
  const trimmed = text.trim()
  const documents = documentsIn(trimmed) ?? (trimmed.startsWith('{') ? documentsByLine(trimmed) : undefined)
  return documents ? [...new Set(documents.map((one) => JSON.stringify(one)))] : splitList(trimmed)
}

/**
 * An object may have been pasted over several lines, but keys are stored one per line, so the whole text is
 * tried as one JSON document first.
 */
function documentsIn(text: string): readonly object[] | undefined {
  if (!/^[{[]/.test(text)) return undefined
  const value = parseJson(text)
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  return all.length > 0 && all.every(isRecord) ? all : undefined
}

function documentsByLine(text: string): readonly object[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const all = lines.map(parseJson)
  if (!all.every(isRecord)) throw problem('channel_key_malformed')
  return all
}

/** Returns the keys in their stored form, one per line. Throws when there is none or when one cannot work. */
export function readKeys(text: string, provider: Provider | undefined): string {
  const keys = splitKeys(text)
  if (keys.length === 0) throw problem('channel_key_missing')
  if (keys.length > KEYS_MAX) throw problem('channel_keys_too_many', { max: KEYS_MAX })
  for (const key of keys) checkKey(key, provider)
  return keys.join('\n')
}

function checkKey(key: string, provider: Provider | undefined): void {
  if (CONTROL.test(key)) throw problem('channel_key_malformed')
  provider?.credentials.check(key)
}

/** Shows enough to recognise a key but not to use or guess it; of a short key nothing is shown. */
export function previewKeys(text: string): string {
  return previewLines(splitKeys(text))
}

/** The same for keys that are already split. */
export function previewLines([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? previewKey(first) : `${previewKey(first)} +${others.length}`
}

export function previewKey(key: string): string {
  if (key.startsWith('{')) return '{***}'
  if (key.length < PREVIEW_LENGTH_MIN) return '***'
  return `${key.slice(0, HEAD_CHARACTERS)}***${key.slice(-TAIL_CHARACTERS)}`
}

export interface SentKeys {
  /** As typed by the operator. */
  readonly text: string
  readonly mode: (typeof CHANNEL_KEY_MODES)[number] | undefined
  readonly storedCount: number
  /** Decrypts the stored keys, one per line. */
  readonly openStored: () => string
}

/**
 * Returns a channel's keys after an update, one per line. The edit form of a console written for new-api
 * shows one empty field for a channel with several keys, and a key typed there would replace all of them.
 * Therefore an update that leaves fewer keys must state its mode.
 */
export function keysAfter(
  { text, mode, storedCount, openStored }: SentKeys,
  provider: Provider | undefined,
): string {
  const sent = readKeys(text, provider)
  if (mode === 'append') return readKeys(`${openStored()}\n${sent}`, undefined)
  const sentCount = sent.split('\n').length
  if (mode === undefined && sentCount < storedCount)
    throw problem('channel_key_mode_needed', { stored: storedCount, sent: sentCount })
  return sent
}
