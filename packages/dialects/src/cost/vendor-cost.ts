import { isRecord, type JsonObject } from '../json.ts'
import { scanObject } from '../json-scan.ts'
import { spliceTopLevel } from '../json-splice.ts'
import { editObjectAt } from './edit-object.ts'

/**
 * Members of a usage object by which vendors and other gateways report what they charge: OpenRouter and
 * Perplexity (`cost`, `cost_details`, `is_byok`), DeepInfra (`estimated_cost`), xAI (`cost_in_usd_ticks`).
 * They are removed from every response: a caller would take them for what this gateway charges, and they show
 * what its operator pays.
 */
const VENDOR_COST = ['cost', 'cost_details', 'is_byok', 'estimated_cost', 'cost_in_usd_ticks']

/** Beginnings of the names, except of `is_byok`, which does not come alone. Few texts contain them. */
const MARKS = ['"cost', '"estimated_cost'].map((mark) => Buffer.from(mark))

/** Where the usage object is: in a response, or in the events of the Responses API and of Anthropic Messages. */
export const usagePaths = {
  body: ['usage'],
  response: ['response', 'usage'],
  message: ['message', 'usage'],
} as const satisfies Record<string, readonly string[]>

type UsagePath = (typeof usagePaths)[keyof typeof usagePaths]

/** Removes the vendor's cost from the usage in a JSON text; most often the result is the same buffer. */
export function withoutVendorCost(payload: Buffer, path: UsagePath): Buffer {
  return MARKS.some((mark) => payload.includes(mark)) ? editObjectAt(payload, path, removeCost) : payload
}

/** The same for a text that was parsed to `object`, with the usage at its top level. */
export function bodyWithoutVendorCost(payload: Buffer, { usage }: JsonObject): Buffer {
  const hasCost = isRecord(usage) && VENDOR_COST.some((name) => Object.hasOwn(usage, name))
  return hasCost ? editObjectAt(payload, usagePaths.body, removeCost) : payload
}

export function removeCost(usage: Buffer): Buffer {
  const { members } = scanObject(usage)
  if (!members.some(({ name }) => VENDOR_COST.includes(name))) return usage
  return spliceTopLevel(usage, { set: {}, remove: VENDOR_COST, members })
}
