import { isOptionKey, type OptionKey, optionDefinition, parseOption } from '@tollgate/contract/options/index'
import { type MissingNeeds, missingNeeds } from '@tollgate/contract/options/needs'
import type { JsonPath } from '../../shared/json/json-scan.ts'
import type { StoredSettings } from './api.ts'

/** Entered values that are not saved yet, as text by key. For a secret, "" means: remove it. */
export type Drafts = ReadonlyMap<OptionKey, string>

/** The settings that a form would send: those entered with a value different from the stored one. */
export function changedKeys(
  keys: readonly OptionKey[],
  drafts: Drafts,
  stored: StoredSettings,
): readonly OptionKey[] {
  return keys.filter((key) => {
    const draft = drafts.get(key)
    return draft !== undefined && isChange(key, draft, stored)
  })
}

function isChange(key: OptionKey, draft: string, stored: StoredSettings): boolean {
  const before = stored.get(key)
  if (optionDefinition(key).isSecret) return draft !== '' || before?.isSet === true
  return normal(key, draft) !== normal(key, before?.text ?? '')
}

/** The text as the server would store it; a text that the server would refuse is returned unchanged. */
function normal(key: OptionKey, text: string): string {
  const parsed = parsedOption(key, text)
  return parsed.type === 'accepted' ? parsed.text : text
}

type Parsed = ReturnType<typeof parseOption>

/** Of each setting: usually the stored text and the entered one. */
const REMEMBERED_TEXTS = 2
const remembered = new Map<OptionKey, ReadonlyMap<string, Parsed>>()

/**
 * Remembers the last texts, because every part of the page that shows whether something changed asks for them on
 * each key. A secret is not kept in memory.
 */
function parsedOption(key: OptionKey, text: string): Parsed {
  if (optionDefinition(key).isSecret) return parseOption(key, text)
  const before = remembered.get(key)
  const known = before?.get(text)
  if (known !== undefined) return known
  const parsed = parseOption(key, text)
  remembered.set(key, new Map([...(before ?? [])].slice(1 - REMEMBERED_TEXTS)).set(text, parsed))
  return parsed
}

export type DraftFault =
  /** The setting does not accept the text; `path` is the position of the mistake in JSON. */
  | { readonly type: 'refused'; readonly path?: JsonPath }
  /** A switch that other settings must be set for first. */
  | { readonly type: 'needs'; readonly missing: MissingNeeds }

/** The fault of a draft that can be found without the server, if any. */
export function faultOf(key: OptionKey, drafts: Drafts, stored: StoredSettings): DraftFault | undefined {
  const draft = drafts.get(key)
  if (draft === undefined) return undefined
  const parsed = parsedOption(key, draft)
  const definition = optionDefinition(key)
  if (parsed.type === 'refused')
    return { type: 'refused', path: definition.kind === 'json' ? refusedPath(key, draft) : undefined }
  if (definition.kind !== 'boolean' || parsed.text !== 'true') return undefined
  const missing = missingNeeds(
    definition,
    (needed) => isOptionKey(needed) && isFilled(needed, drafts, stored),
  )
  return missing && { type: 'needs', missing }
}

function refusedPath(key: OptionKey, text: string): JsonPath {
  const [issue] = optionDefinition(key).schema.safeParse(text).error?.issues ?? []
  return (issue?.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)))
}

export function isFilled(key: OptionKey, drafts: Drafts, stored: StoredSettings): boolean {
  const draft = drafts.get(key)
  return draft === undefined ? stored.get(key)?.isSet === true : draft.trim() !== ''
}

/**
 * The order in which changes are sent, one call each: switches that turn off first, then values, then
 * switches that turn on, so that a switch is never on while a value it needs is missing.
 */
export function inSavingOrder(keys: readonly OptionKey[], drafts: Drafts): readonly OptionKey[] {
  const rank = (key: OptionKey) => {
    if (optionDefinition(key).kind !== 'boolean') return 1
    return drafts.get(key) === 'true' ? 2 : 0
  }
  return keys.toSorted((left, right) => rank(left) - rank(right))
}
