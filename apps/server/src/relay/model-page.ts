import type { DialectName } from '@tollgate/dialects/canonical/raw'
import type { ModelPage } from '@tollgate/dialects/canonical/codec'
import { problem } from '@tollgate/problems/problem'

const LIMIT_MAX = 1_000

interface Named {
  readonly id: string
}

export interface Page<Model extends Named> extends ModelPage {
  readonly models: readonly Model[]
}

/**
 * The page of the list selected by a query: `limit`, `after_id` and `before_id`, or Gemini's `pageSize` and
 * `pageToken`. The whole list if the query selects nothing. Throws a Problem for an id or token that is not
 * in the list. https://docs.anthropic.com/en/api/models-list
 * https://ai.google.dev/api/models#method:-models.list
 */
export function pageOf<Model extends Named>(
  models: readonly Model[],
  query: URLSearchParams,
  dialect: DialectName,
): Page<Model> {
  if (dialect === 'gemini') return geminiPage(models, query)
  const limit = limitIn(query) ?? models.length
  const [after, before] = [textIn(query, 'after_id'), textIn(query, 'before_id')]
  if (after !== undefined && before !== undefined)
    throw problem('invalid_request', { reason: "send 'after_id' or 'before_id', not both" })
  if (before !== undefined) {
    const end = placeOf(models, before, 'before_id')
    const start = Math.max(0, end - limit)
    return { models: models.slice(start, end), hasMore: start > 0, nextToken: undefined }
  }
  return forward(models, after === undefined ? 0 : placeOf(models, after, 'after_id') + 1, limit)
}

function geminiPage<Model extends Named>(models: readonly Model[], query: URLSearchParams): Page<Model> {
  const size = sizeIn(query) ?? models.length
  const token = textIn(query, 'pageToken')
  const last = token === undefined ? undefined : Buffer.from(token, 'base64url').toString()
  return forward(models, last === undefined ? 0 : placeOf(models, last, 'pageToken') + 1, size)
}

function forward<Model extends Named>(models: readonly Model[], start: number, size: number): Page<Model> {
  const page = models.slice(start, start + size)
  const hasMore = start + size < models.length
  const last = page.at(-1)
  const isOver = !hasMore || last === undefined
  return { models: page, hasMore, nextToken: isOver ? undefined : Buffer.from(last.id).toString('base64url') }
}

function placeOf(models: readonly Named[], id: string, param: string): number {
  const place = models.findIndex((model) => model.id === id)
  if (place === -1) throw problem('cursor_unknown', { param })
  return place
}

function limitIn(query: URLSearchParams): number | undefined {
  const text = textIn(query, 'limit')
  if (text === undefined) return undefined
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > LIMIT_MAX)
    throw problem('member_out_of_range', { param: 'limit', min: 1, max: LIMIT_MAX })
  return limit
}

/** Google treats 0 as the default size, and a size above the maximum as the maximum. */
function sizeIn(query: URLSearchParams): number | undefined {
  const text = textIn(query, 'pageSize')
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text))
    throw problem('member_out_of_range', { param: 'pageSize', min: 0, max: LIMIT_MAX })
  const size = Number(text)
  return size === 0 ? undefined : Math.min(size, LIMIT_MAX)
}

function textIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  return text === null || text === '' ? undefined : text
}
