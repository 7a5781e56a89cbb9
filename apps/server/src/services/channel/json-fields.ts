import { invalidTrait } from '@tollgate/dialects/traits/override'
import { proxyAddress } from '@tollgate/egress/proxies'
import { isRecord, type JsonObject, parseObject } from '@tollgate/kit/json'
import { Problem, problem } from '@tollgate/problems/problem'
import { findInvalidRoute } from '@tollgate/providers/advanced/routes'
import {
  ACCOUNT_CHARACTERS_MAX,
  AFFINITY_SECONDS_MAX,
  isAccountLabel,
  isAffinitySeconds,
  type StoredChannelSettings,
} from '@tollgate/providers/channel-settings'
import { compileOverride } from '@tollgate/providers/override/override'
import { wrongCostRatio } from '../../snapshots/cost-ratios.ts'
import { modelMapping } from '../../snapshots/model-mapping.ts'

/**
 * Fields that hold a JSON object as text. They are validated here and stored as they were typed; "" and
 * `null` mean "none".
 */

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Headers that define the framing of a message; another value would break it. */
const FRAMING = /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer)$/i

/** Headers that are sent with every call; each value is a string. */
export function readHeaders(text: string | null): string {
  return readText('header_override', text, (object) => {
    const wrong = Object.entries(object).find(
      ([name, value]) =>
        !isHeader(name) || FRAMING.test(name) || typeof value !== 'string' || /\p{Cc}/u.test(value),
    )
    if (wrong) throw problem('channel_header_invalid', { name: wrong[0].slice(0, 100) })
  })
}

/** A header name, or a rule that forwards headers of the caller: `*`, `re:^x-`. */
function isHeader(name: string): boolean {
  return name === '*' || name.startsWith('re:') || HEADER_NAME.test(name)
}

/**
 * Overrides of the request body and headers, in either form that new-api knows: a plain object or
 * `operations`.
 */
export function readOverride(text: string | null): string {
  return readText('param_override', text, (object) => {
    try {
      compileOverride(object)
    } catch (cause) {
      if (!(cause instanceof Problem)) throw cause
      throw problem('channel_operation_invalid', { mode: cause.parameters['mode'] ?? '' }, { cause })
    }
  })
}

/** The channel's own settings. An invalid proxy or route is rejected here, instead of at each call. */
export function readSetting(text: string | null): string {
  return readText('setting', text, (object: StoredChannelSettings) => {
    proxyAddress(object.proxy)
    const wrong = wrongCostRatio(object)
    if (wrong !== undefined) throw problem('channel_cost_ratio_invalid', { name: wrong.slice(0, 100) })
    checkRoutes(object.advanced_routes)
    checkTraits(object.model_traits)
    checkAffinity(object.affinity_seconds)
    checkOtherModels(object.other_models)
    checkAccounts(object)
    for (const [name, ...words] of CHECKED_SWITCHES) {
      const value = object[name] ?? false
      if (typeof value !== 'boolean' && !words.some((word) => word === value))
        throw problem('channel_switch_invalid', { name, values: ['true', 'false', ...words].join(', ') })
    }
  })
}

/**
 * Settings that are on or off. Besides true and false the listed words are allowed; any other value would be read
 * as the default, so it is rejected.
 */
const CHECKED_SWITCHES = [
  ['server_tools'],
  ['stored_context', 'as_before'],
  ['responses_websocket'],
  ['trace_context'],
  ['charge_served'],
  ['resend_closed'],
  ['keep_reasoning'],
] as const

function checkAffinity(seconds: unknown): void {
  if (seconds === undefined || seconds === null || isAffinitySeconds(seconds)) return
  throw problem('channel_switch_invalid', { name: 'affinity_seconds', values: `0 … ${AFFINITY_SECONDS_MAX}` })
}

function checkOtherModels(rule: unknown): void {
  if (rule === undefined || rule === null || rule === 'never') return
  throw problem('channel_switch_invalid', { name: 'other_models', values: 'never' })
}

const KEY_HASH = /^[0-9a-f]{12,32}$/

function checkAccounts({ account, key_accounts: byKey }: StoredChannelSettings): void {
  const values = `1 … ${ACCOUNT_CHARACTERS_MAX}`
  const isUnset = account === undefined || account === null || account === ''
  if (!isUnset && !isAccountLabel(account))
    throw problem('channel_switch_invalid', { name: 'account', values })
  if (byKey === undefined || byKey === null) return
  const isValid =
    isRecord(byKey) &&
    Object.entries(byKey).every(([hash, label]) => KEY_HASH.test(hash) && isAccountLabel(label))
  if (!isValid) throw problem('channel_switch_invalid', { name: 'key_accounts', values })
}

function checkRoutes(table: unknown): void {
  if (table === undefined || table === null) return
  if (!Array.isArray(table)) throw problem('channel_routes_invalid')
  const wrong = findInvalidRoute(table)
  if (wrong) throw problem('channel_route_invalid', { ...wrong })
}

function checkTraits(traits: unknown): void {
  const wrong = invalidTrait(traits)
  if (wrong === undefined) return
  const place = [wrong.pattern, wrong.name].filter((each) => each !== '').join(': ')
  throw problem('channel_trait_invalid', { place: place.slice(0, 200), values: wrong.values })
}

/** Maps requested models to upstream models. */
export function readModelMapping(text: string | null): string {
  return readText('model_mapping', text, (object) => {
    const wrong = Object.entries(object).find(([, value]) => typeof value !== 'string')
    if (wrong) throw problem('channel_mapping_invalid', { field: 'model_mapping', name: wrong[0] })
    const circular = [...modelMapping(JSON.stringify(object))].find(([, to]) => to === undefined)
    if (circular) throw problem('channel_mapping_circular', { model: circular[0] })
  })
}

/**
 * One text per model plus a `default`; without the default, calls for other models would have no destination.
 */
export function readByModel(text: string): string {
  return readText('other', text, (object) => {
    const wrong = Object.entries(object).find(([, value]) => typeof value !== 'string' || value.trim() === '')
    if (wrong) throw problem('channel_mapping_invalid', { field: 'other', name: wrong[0] })
    if (!Object.hasOwn(object, 'default')) throw problem('channel_default_missing')
  })
}

/** Maps upstream statuses to statuses for the caller, as strings or numbers: `{"400": "500"}`. */
export function readStatusMapping(text: string | null): string {
  return readText('status_code_mapping', text, (object) => {
    const wrong = Object.entries(object).find(([from, to]) => !isStatus(from) || !isStatus(to))
    if (wrong) throw problem('channel_status_mapping_invalid', { name: wrong[0] })
  })
}

function isStatus(value: unknown): boolean {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599
}

function readText(field: string, text: string | null, check: (object: JsonObject) => void): string {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '' || trimmed === 'null') return ''
  const object = parseObject(trimmed)
  if (!object) throw problem('channel_json_invalid', { field })
  check(object)
  return trimmed
}
