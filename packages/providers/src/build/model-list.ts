import type { BalanceReader, ModelList, Upstream } from '../provider.ts'
import { isRecord, recordAt } from '@tollgate/dialects/json'
import { joinUrl } from './url.ts'

/** GET `<base><path>`, names from `data[].id`. */
export function openaiModels(path = '/v1/models'): ModelList {
  return { url: (upstream) => joinUrl(upstream.baseUrl, path), read: (body) => readNames(body, 'data', 'id') }
}

/** Names out of a list of objects; none when the answer has another shape. */
export function readNames(body: unknown, list: string, member: string): string[] {
  const items: unknown = isRecord(body) ? body[list] : undefined
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown) => {
    const name = isRecord(item) ? item[member] : undefined
    return typeof name === 'string' && name !== '' ? [name] : []
  })
}

/** GET at the channel's own base, so that a key is never sent anywhere else; the amount at `where`, dots between names. */
export function balanceAt(path: string, where: string): BalanceReader {
  return {
    url: (upstream: Upstream) => joinUrl(upstream.baseUrl, path),
    read: (body) => amountAt(body, where),
  }
}

/** A number, or a text that is one. */
export function amountAt(body: unknown, where: string): number | undefined {
  const path = where.split('.')
  const last = path.pop() ?? ''
  let object = isRecord(body) ? body : {}
  for (const name of path) object = recordAt(object, name) ?? {}
  const amount = Number(object[last] ?? Number.NaN)
  return Number.isFinite(amount) ? amount : undefined
}
