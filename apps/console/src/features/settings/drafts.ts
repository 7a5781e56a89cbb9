import { isOptionKey, type OptionKey, optionDefinition, parseOption } from '@tollgate/contract/options'
import { type MissingNeeds, missingNeeds } from '@tollgate/contract/options/needs'
import type { JsonPath } from '../../shared/json/json-scan.ts'
import type { StoredSettings } from './api.ts'

/** What has been entered and not yet saved, as text by key. Of a secret, "" means: remove it. */
export type Drafts = ReadonlyMap<OptionKey, string>

/** What a form would send: entered, and different from what is stored. */
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

/** As the server would store it; a text it would refuse stays as it is. */
function normal(key: OptionKey, text: string): string {
  const parsed = parseOption(key, text)
  return parsed.type === 'accepted' ? parsed.text : text
}

export type Fault =
  /** Not what the setting accepts; of JSON, where it is not. */
  | { readonly type: 'refused'; readonly path?: JsonPath }
  /** A switch that needs other settings first. */
  | { readonly type: 'needs'; readonly missing: MissingNeeds }

/** What is wrong with a draft before the server is asked, if anything. */
export function faultOf(key: OptionKey, drafts: Drafts, stored: StoredSettings): Fault | undefined {
  const draft = drafts.get(key)
  if (draft === undefined) return undefined
  const parsed = parseOption(key, draft)
  const definition = optionDefinition(key)
  if (parsed.type === 'refused')
    return { type: 'refused', ...(definition.kind === 'json' && { path: refusedPath(key, draft) }) }
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
 * The order in which changes are sent, one call each: switches that go off first, then values, then switches that go on,
 * so that a switch never stands on what is not yet, or no longer, there.
 */
export function inSavingOrder(keys: readonly OptionKey[], drafts: Drafts): readonly OptionKey[] {
  const rank = (key: OptionKey) => {
    if (optionDefinition(key).kind !== 'boolean') return 1
    return drafts.get(key) === 'true' ? 2 : 0
  }
  return keys.toSorted((left, right) => rank(left) - rank(right))
}
