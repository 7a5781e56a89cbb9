import { isRecord, type JsonObject } from '@tollgate/kit/json'
import { type FieldMask, mapMembers, MASK, rejectUnknownMask } from './mask.ts'

/**
 * String values under such names count as credentials: `api_key`, `accessToken`, `x-secret`. `max_tokens`
 * does not.
 */
const CREDENTIAL = /(?:key|token|secret|password|passwd|authorization|credentials?|cookie)$/i

/** Masks the headers that an override sets and the values under the names of credentials. */
export const overrideMask: FieldMask = {
  hide: (stored) => {
    const { operations } = stored
    if (!Array.isArray(operations)) return mapMembers(stored, hideNamed)
    return { ...stored, operations: operations.map((each) => (isRecord(each) ? hideOperation(each) : each)) }
  },
  restore: (sent, stored) => {
    const { operations } = sent
    if (!Array.isArray(operations))
      return mapMembers(sent, (value, name) => restored(value, stored[name], name))
    const known = Array.isArray(stored['operations']) ? stored['operations'].filter(isRecord) : []
    return { ...sent, operations: operations.map((each, place) => restoreOperation(each, place, known)) }
  },
}

function hideNamed(value: unknown, name: string): unknown {
  if (typeof value === 'string') return value !== '' && CREDENTIAL.test(name) ? MASK : value
  if (Array.isArray(value)) return value.map((item) => hideNamed(item, name))
  return isRecord(value) ? mapMembers(value, hideNamed) : value
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

/** Operations are matched by mode and paths, so that a mask is restored also when the operation has moved. */
function restoreOperation(sent: unknown, place: number, known: readonly JsonObject[]): unknown {
  if (!isRecord(sent)) return sent
  const inOrder = [known[place], ...known].filter(isRecord)
  const same = inOrder.find((other) =>
    ['mode', 'path', 'from', 'to'].every((name) => other[name] === sent[name]),
  )
  return { ...sent, value: restored(sent['value'], same?.['value'], nameOf(sent)) }
}

function restored(sent: unknown, stored: unknown, name: string): unknown {
  if (sent === MASK) return stored === undefined ? rejectUnknownMask(name) : stored
  if (Array.isArray(sent)) {
    const known: readonly unknown[] = Array.isArray(stored) ? stored : []
    return sent.map((item, place) => restored(item, known[place], name))
  }
  if (!isRecord(sent)) return sent
  const known = isRecord(stored) ? stored : {}
  return mapMembers(sent, (value, member) => restored(value, known[member], member))
}
