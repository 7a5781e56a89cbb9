import { type FieldMask, isObject, type JsonObject, mapMembers, MASK, nothingBehind } from './mask.ts'

/** Texts under such names are taken for credentials: `api_key`, `accessToken`, `x-secret`. `max_tokens` is none. */
const CREDENTIAL = /(?:key|token|secret|password|passwd|authorization|credentials?|cookie)$/i

/** What an override sets as a header, and what it puts under the name of a credential. */
export const overrideMask: FieldMask = {
  hide: (stored) => {
    const { operations } = stored
    if (!Array.isArray(operations)) return mapMembers(stored, hideNamed)
    return { ...stored, operations: operations.map((each) => (isObject(each) ? hideOperation(each) : each)) }
  },
  restore: (sent, stored) => {
    const { operations } = sent
    if (!Array.isArray(operations))
      return mapMembers(sent, (value, name) => restored(value, stored[name], name))
    const known = Array.isArray(stored['operations']) ? stored['operations'].filter(isObject) : []
    return { ...sent, operations: operations.map((each, place) => restoreOperation(each, place, known)) }
  },
}

function hideNamed(value: unknown, name: string): unknown {
  if (typeof value === 'string') return value !== '' && CREDENTIAL.test(name) ? MASK : value
  if (Array.isArray(value)) return value.map((item) => hideNamed(item, name))
  return isObject(value) ? mapMembers(value, hideNamed) : value
}

function hideOperation(operation: JsonObject): JsonObject {
  const { mode, value } = operation
  const isHeader = mode === 'set_header' && value !== undefined && value !== ''
  const name = nameOf(operation)
  return { ...operation, ...('value' in operation && { value: isHeader ? MASK : hideNamed(value, name) }) }
}

function nameOf({ path, mode }: JsonObject): string {
  return [path, mode].find((text) => typeof text === 'string') ?? ''
}

/** An operation is the same when it does the same in the same place. */
function restoreOperation(sent: unknown, place: number, known: readonly JsonObject[]): unknown {
  if (!isObject(sent)) return sent
  const inOrder = [known[place], ...known].filter(isObject)
  const same = inOrder.find((other) =>
    ['mode', 'path', 'from', 'to'].every((name) => other[name] === sent[name]),
  )
  return { ...sent, value: restored(sent['value'], same?.['value'], nameOf(sent)) }
}

function restored(sent: unknown, stored: unknown, name: string): unknown {
  if (sent === MASK) return stored === undefined ? nothingBehind(name) : stored
  if (Array.isArray(sent)) {
    const known: readonly unknown[] = Array.isArray(stored) ? stored : []
    return sent.map((item, place) => restored(item, known[place], name))
  }
  if (!isObject(sent)) return sent
  const known = isObject(stored) ? stored : {}
  return mapMembers(sent, (value, member) => restored(value, known[member], member))
}
