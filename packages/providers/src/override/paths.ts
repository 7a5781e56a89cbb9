import { isRecord } from '@tollgate/dialects/json'
import { ownValue } from '@tollgate/kit/own-value'

type Body = Readonly<Record<string, unknown>>

/**
 * Reads and changes places in a JSON value by dotted paths. The parts are member names and list indices, as
 * in `messages.0.content`; `-1` is the last item, and `*` or `#` selects all items when changing.
 */

export function atPath(value: unknown, path: string): unknown {
  let at: unknown = value
  for (const part of path.split('.')) {
    if (Array.isArray(at)) at = at.at(placeOf(part) ?? Number.NaN)
    else if (isRecord(at) && Object.hasOwn(at, part)) at = at[part]
    else return undefined
  }
  return at
}

/**
 * Creates missing objects on the path, but not missing list items. Changed values are copied; unchanged ones
 * are the same objects as before.
 */
export function changedAt(body: Body, path: string, change: (value: unknown) => unknown): Body {
  const changed = changedIn(body, path.split('.'), change)
  return isRecord(changed) ? changed : body
}

export function withoutPath(body: Body, path: string): Body {
  const parts = path.split('.')
  const last = parts.pop() ?? ''
  return parts.length === 0 ? cut(body, last) : changedAt(body, parts.join('.'), (it) => cutFrom(it, last))
}

type Change = (value: unknown) => unknown

function changedIn(value: unknown, parts: readonly string[], change: Change): unknown {
  const [part, ...rest] = parts
  if (part === undefined) return change(value)
  if (Array.isArray(value)) return changedInList(value, part, (item) => changedIn(item, rest, change))
  const holder = isRecord(value) ? value : {}
  const own = ownValue(holder, part)
  const changed = changedIn(own, rest, change)
  return changed === own ? value : { ...holder, [part]: changed }
}

function changedInList(list: readonly unknown[], part: string, change: Change): readonly unknown[] {
  if (part === '*' || part === '#') {
    const items = list.map(change)
    return items.every((item, place) => item === list[place]) ? list : items
  }
  const place = placeOf(part)
  if (place === undefined || place >= list.length || place < -list.length) return list
  const own = list.at(place)
  const changed = change(own)
  return changed === own ? list : list.with(place, changed)
}

function cutFrom(holder: unknown, last: string): unknown {
  if (isRecord(holder)) return cut(holder, last)
  if (!Array.isArray(holder)) return holder
  const place = placeOf(last)
  const isThere = place !== undefined && place < holder.length && place >= -holder.length
  return isThere ? holder.toSpliced(place, 1) : holder
}

function cut(holder: Body, name: string): Body {
  if (!Object.hasOwn(holder, name)) return holder
  const { [name]: _dropped, ...rest } = holder
  return rest
}

function placeOf(part: string): number | undefined {
  return /^-?\d{1,6}$/.test(part) ? Number(part) : undefined
}
