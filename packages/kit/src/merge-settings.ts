import { isRecord, parseObject } from './json.ts'

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
 * Returns the settings of a channel as one JSON text. A first text that is no JSON object is kept as it is, and
 * then the members of the second one cannot be added to it.
 */
export function mergeSettings(first: string, second: string): string {
  const stored = first.trim() === 'null' ? '' : first.trim()
  const others = parseObject(second) ?? {}
  const added = Object.fromEntries(
    SAME_MEMBERS.flatMap((name) => (others[name] === undefined ? [] : [[name, others[name]]])),
  )
  const { advanced_custom: custom } = others
  const routes = isRecord(custom) && Array.isArray(custom['advanced_routes']) ? custom['advanced_routes'] : []
  const all = { ...added, ...(routes.length > 0 && { advanced_routes: routes }) }
  const isObject = stored === '' || parseObject(stored) !== undefined
  return Object.keys(all).length === 0 || !isObject
    ? stored
    : JSON.stringify({ ...parseObject(stored), ...all })
}
