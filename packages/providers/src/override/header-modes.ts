import { isRecord, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { describesBody, mayPass, maySet } from '../header-names.ts'
import type { Mode } from './body-modes.ts'
import { changed, withHeader, type Draft } from './draft.ts'
import { atPath } from './paths.ts'

/**
 * Operations on headers. They read the headers that the override set so far, and then those of the client.
 */
export const headerModes: Readonly<Record<string, Mode>> = {
  set_header: (operation) => {
    const name = nameAt(operation, 'path')
    const value = headerText(operation['value'])
    if (value === undefined) throw invalid(operation)
    const keepsOwn = operation['keep_origin'] === true
    return (draft) => (keepsOwn && found(draft, name) !== undefined ? draft : withHeader(draft, name, value))
  },
  delete_header: (operation) => {
    const name = nameAt(operation, 'path')
    return (draft) => withHeader(draft, name, undefined)
  },
  copy_header: (operation) => {
    const from = nameAt(operation, 'from')
    const to = nameAt(operation, 'to')
    return (draft) => copied(draft, { from, to }, operation)
  },
  move_header: (operation) => {
    const from = nameAt(operation, 'from')
    const to = nameAt(operation, 'to')
    return (draft) => {
      const moved = copied(draft, { from, to }, operation)
      return moved === draft ? draft : withHeader(moved, from, undefined)
    }
  },
  pass_headers: (operation) => {
    const names = namesIn(operation['value'])
    if (names.length === 0) throw invalid(operation)
    return (draft) => names.reduce((rest, name) => copied(rest, { from: name, to: name }, operation), draft)
  },
  sync_fields: (operation) => {
    const from = placeAt(operation, 'from')
    const to = placeAt(operation, 'to')
    return (draft) => {
      const one = from.read(draft)
      const other = to.read(draft)
      if ((one === undefined) === (other === undefined)) return draft
      return one === undefined ? from.write(draft, other) : to.write(draft, one)
    }
  },
}

function copied(draft: Draft, { from, to }: { from: string; to: string }, operation: JsonObject): Draft {
  const value = found(draft, from)
  if (value === undefined) return draft
  return operation['keep_origin'] === true && draft.headers[to] !== undefined
    ? draft
    : withHeader(draft, to, value)
}

/** Client headers that authenticate the client or belong to its connection cannot be read. */
function found({ headers, caller }: Draft, name: string): string | undefined {
  if (Object.hasOwn(headers, name)) return headers[name]
  const value = mayPass(name) ? caller[name] : undefined
  return value === undefined ? undefined : String(value)
}

/** A place such as `json:<path>` or `header:<name>`; without a prefix it is a path. */
interface Place {
  read(draft: Draft): unknown
  write(draft: Draft, value: unknown): Draft
}

function placeAt(operation: JsonObject, end: 'from' | 'to'): Place {
  const text = textAt(operation, end) ?? ''
  if (text.startsWith('header:')) return headerPlace(checkedName(text.slice('header:'.length), operation))
  const path = text.startsWith('json:') ? text.slice('json:'.length) : text
  if (path === '') throw invalid(operation)
  return {
    read: ({ body }) => atPath(body, path) ?? undefined,
    write: (draft, value) => changed(draft, path, () => value),
  }
}

function headerPlace(name: string): Place {
  return {
    read: (draft) => found(draft, name),
    write: (draft, value) => {
      const text = headerText(value)
      return text === undefined ? draft : withHeader(draft, name, text)
    },
  }
}

function nameAt(operation: JsonObject, end: 'path' | 'from' | 'to'): string {
  return checkedName(textAt(operation, end) ?? '', operation)
}

function checkedName(text: string, operation: JsonObject): string {
  const name = text.trim().toLowerCase()
  if (!maySet(name)) throw invalid(operation)
  return name
}

/** Accepts a list, a comma-separated text, or an object with either as `headers`. */
function namesIn(value: unknown): readonly string[] {
  if (isRecord(value)) return namesIn(value['headers'])
  const texts = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  const names = texts.map((text) => String(text).trim().toLowerCase())
  return names.filter((name) => maySet(name) && mayPass(name) && !describesBody(name))
}

/** Returns the value as one line of text, as headers require. */
function headerText(value: unknown): string | undefined {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain && !/\p{Cc}/u.test(String(value)) ? String(value) : undefined
}

function invalid(operation: JsonObject): Error {
  return problem('channel_override_invalid', { mode: textAt(operation, 'mode') ?? '' })
}
