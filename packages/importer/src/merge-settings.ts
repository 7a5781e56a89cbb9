import { isRecord, parseObject } from '@tollgate/kit/json'
import { text } from './cell.ts'
import type { SourceRow } from './source.ts'

/** Members of new-api's second JSON column that our one JSON of settings has under the same name. */
const SAME_MEMBERS = [
  'azure_responses_version',
  'claude_beta_query',
  'allow_service_tier',
  'allow_inference_geo',
  'allow_speed',
  'allow_safety_identifier',
  'disable_store',
] as const

/**
 * Returns the settings of a channel as one JSON text. A text that is no JSON object is kept as it is, and then the
 * members of the second column cannot be added to it.
 */
export function mergeSettings(row: SourceRow): string {
  const stored = text(row, 'setting').trim()
  const others = parseObject(text(row, 'settings')) ?? {}
  const added = Object.fromEntries(
    SAME_MEMBERS.flatMap((name) => (others[name] === undefined ? [] : [[name, others[name]]])),
  )
  const { advanced_custom: custom } = others
  const routes = isRecord(custom) && Array.isArray(custom['advanced_routes']) ? custom['advanced_routes'] : []
  const all = { ...added, ...(routes.length > 0 && { advanced_routes: routes }) }
  if (Object.keys(all).length === 0) return stored === 'null' ? '' : stored
  if (stored !== '' && stored !== 'null' && parseObject(stored) === undefined) return stored
  return JSON.stringify({ ...all, ...parseObject(stored) })
}
