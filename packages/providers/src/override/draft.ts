import { changedAt, withoutPath } from './paths.ts'

export type Body = Readonly<Record<string, unknown>>

/** The outgoing request while a channel's override is applied to it. */
export interface Draft {
  readonly body: Body
  /** Names are in lower case; `undefined` removes a header. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The client's own headers, with names in lower case. */
  readonly caller: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Edits that change what an upstream charges, described for operators. */
  readonly notes: readonly string[]
}

/** One step of an override. */
export type OverrideStep = (draft: Draft) => Draft

/** Names with a special meaning in JavaScript, and `stream`, which determines how the response is read. */
const untouchable = new Set(['__proto__', 'constructor', 'prototype', 'stream'])
const PRICED = new Set(['model', 'service_tier', 'inference_geo', 'speed'])
const NOTE_CHARACTERS_MAX = 200

/**
 * Applies `change` to the value at `path`. Protected paths are left alone, and so is a missing value that
 * stays missing.
 */
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
