import { problem } from '@tollgate/kit/problem'
import { modelMapping } from '../../books/model-mapping.ts'

/**
 * Fields that hold the text of a JSON object. They are checked here and kept as they were typed; "" and `null` mean
 * "none".
 */

type JsonObject = Readonly<Record<string, unknown>>

export function readObject(field: string, text: string | null): string {
  return readText(field, text, () => undefined)
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
