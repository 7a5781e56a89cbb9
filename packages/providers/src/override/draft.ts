import { changedAt, withoutPath } from './paths.ts'

export type Body = Readonly<Record<string, unknown>>

/** What goes out while a channel's override is at work on it. */
export interface Draft {
  readonly body: Body
  /** Names in lower case; `undefined` takes a header away. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The caller's own headers, names in lower case. */
  readonly caller: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Edits that change what an upstream charges, in words for operators. */
  readonly notes: readonly string[]
}

/** One step of an override. */
export type Step = (draft: Draft) => Draft

/** Names that mean something to JavaScript, or that decide how the answer is read. */
const untouchable = new Set(['__proto__', 'constructor', 'prototype', 'stream'])
const PRICED = new Set(['model', 'service_tier', 'inference_geo', 'speed'])
const NOTE_CHARACTERS_MAX = 200

/** The value at `path` as `change` makes it; what may not be touched, or is not there and stays so, is left. */
export function changed(draft: Draft, path: string, change: (own: unknown) => unknown): Draft {
  if (!isTouchable(path)) return draft
  const body = changedAt(draft.body, path, change)
  return body === draft.body ? draft : noted({ ...draft, body }, path)
}

export function removed(draft: Draft, path: string): Draft {
  if (!isTouchable(path)) return draft
  const body = withoutPath(draft.body, path)
  return body === draft.body ? draft : noted({ ...draft, body }, path)
}

export function withHeader(draft: Draft, name: string, value: string | undefined): Draft {
  return { ...draft, headers: { ...draft.headers, [name]: value } }
}

function noted(draft: Draft, path: string): Draft {
  if (!PRICED.has(path)) return draft
  const value = draft.body[path]
  const note = value === undefined ? `delete ${path}` : `set ${path} = ${JSON.stringify(value)}`
  return { ...draft, notes: [...draft.notes, note.slice(0, NOTE_CHARACTERS_MAX)] }
}

function isTouchable(path: string): boolean {
  const [first = '', ...rest] = path.split('.')
  return (
    path !== '' &&
    !untouchable.has(first) &&
    rest.every((part) => part === 'stream' || !untouchable.has(part))
  )
}
