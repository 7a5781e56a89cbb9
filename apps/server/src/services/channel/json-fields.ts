import { proxyAddress } from '@tollgate/egress/proxies'
import { Problem, problem } from '@tollgate/kit/problem'
import { wrongRoute } from '@tollgate/providers/advanced/routes'
import { compileOverride } from '@tollgate/providers/override/override'
import { wrongCostRatio } from '../../snapshots/cost-ratios.ts'
import { modelMapping } from '../../snapshots/model-mapping.ts'
import { wrongModelTrait } from '../../snapshots/model-traits.ts'

/**
 * Fields that hold the text of a JSON object. They are checked here and kept as they were typed; "" and `null` mean
 * "none".
 */

type JsonObject = Readonly<Record<string, unknown>>

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** They say how a message is framed; another value would break it. */
const FRAMING = /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer)$/i

/** Headers that go out with every call, texts each. */
export function readHeaders(text: string | null): string {
  return readText('header_override', text, (object) => {
    const wrong = Object.entries(object).find(
      ([name, value]) =>
        !isHeader(name) || FRAMING.test(name) || typeof value !== 'string' || /\p{Cc}/u.test(value),
    )
    if (wrong) throw problem('channel_header_invalid', { name: wrong[0].slice(0, 100) })
  })
}

/** A name, or a rule which of the caller's headers go on: `*`, `re:^x-`. */
function isHeader(name: string): boolean {
  return name === '*' || name.startsWith('re:') || HEADER_NAME.test(name)
}

/** What is put over a body and its headers, in the family's two forms. */
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

/** What a channel does its own way; a proxy or a route that is none is refused here, and not by calls. */
export function readSetting(text: string | null): string {
  return readText('setting', text, (object) => {
    proxyAddress(object['proxy'])
    const wrong = wrongCostRatio(object)
    if (wrong !== undefined) throw problem('channel_cost_ratio_invalid', { name: wrong.slice(0, 100) })
    checkRoutes(object['advanced_routes'])
    checkTraits(object)
    for (const [name, words] of Object.entries(CALLERS_CHOICES)) {
      const value = object[name] ?? false
      if (typeof value !== 'boolean' && !words.some((word) => word === value))
        throw problem('channel_switch_invalid', { name, values: ['true', 'false', ...words].join(', ') })
    }
  })
}

/** What calls may ask of a channel's upstream, with the words beside true and false; others would be read as the default. */
const CALLERS_CHOICES: Readonly<Record<string, readonly string[]>> = {
  server_tools: [],
  stored_context: ['as_before'],
}

function checkRoutes(table: unknown): void {
  if (table === undefined || table === null) return
  if (!Array.isArray(table)) throw problem('channel_routes_invalid')
  const wrong = wrongRoute(table)
  if (wrong) throw problem('channel_route_invalid', { ...wrong })
}

function checkTraits(setting: JsonObject): void {
  const wrong = wrongModelTrait(setting)
  if (wrong === undefined) return
  const place = [wrong.pattern, wrong.name].filter((each) => each !== '').join(': ')
  throw problem('channel_trait_invalid', { place: place.slice(0, 200), values: wrong.values })
}

/** Requested model to upstream model. */
export function readModelMapping(text: string | null): string {
  return readText('model_mapping', text, (object) => {
    const wrong = Object.entries(object).find(([, value]) => typeof value !== 'string')
    if (wrong) throw problem('channel_mapping_invalid', { field: 'model_mapping', name: wrong[0] })
    const circular = [...modelMapping(JSON.stringify(object))].find(([, to]) => to === undefined)
    if (circular) throw problem('channel_mapping_circular', { model: circular[0] })
  })
}

/** A text for each model, and one for the others; without that a call would go where nobody said. */
export function readByModel(text: string): string {
  return readText('other', text, (object) => {
    const wrong = Object.entries(object).find(([, value]) => typeof value !== 'string' || value.trim() === '')
    if (wrong) throw problem('channel_mapping_invalid', { field: 'other', name: wrong[0] })
    if (!Object.hasOwn(object, 'default')) throw problem('channel_default_missing')
  })
}

/** Upstream status to status, as texts or numbers: `{"400": "500"}`. */
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

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    // The caller is told that it is not JSON; where it breaks, their editor shows.
    return undefined
  }
}
