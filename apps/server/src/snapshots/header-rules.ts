import { maySet } from '@tollgate/providers/header-names'
import { RE2JS } from 're2js'
import { jsonMembers } from './json-object.ts'

/** One rule by which a channel sets a request header or passes one on from the caller. */
export type HeaderRule =
  | { readonly type: 'set'; readonly name: string; readonly template: string }
  /** Forwards headers of the caller. */
  | { readonly type: 'pass'; readonly fits: (name: string) => boolean }

/** Parses the channel field `header_override`. Entries that are not valid headers are left out. */
export function headerRules(text: string): readonly HeaderRule[] {
  return jsonMembers(text).flatMap(([key, value]): HeaderRule[] => {
    const name = key.trim().toLowerCase()
    if (name === '*') return [{ type: 'pass', fits: () => true }]
    if (name.startsWith('re:')) return passing(key.trim().slice('re:'.length))
    if (typeof value !== 'string' || !maySet(name)) return []
    return [{ type: 'set', name, template: value }]
  })
}

function passing(pattern: string): HeaderRule[] {
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
    return [{ type: 'pass', fits: (name) => compiled.matcher(name).find() }]
  } catch {
    return []
  }
}
