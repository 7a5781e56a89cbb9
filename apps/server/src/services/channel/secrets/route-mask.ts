import { isRecord, type JsonObject } from '@tollgate/kit/json'
import { isTemplate, MASK, rejectUnknownMask } from './mask.ts'

/** Masks, in the table of advanced routes, the values sent beside the key and the query of an address. */
export function hideRoutes(table: unknown): unknown {
  return Array.isArray(table) ? table.map((route) => (isRecord(route) ? hideRoute(route) : route)) : table
}

/**
 * Restores a masked value from a stored route with the same destination and authentication; its models and
 * its converter may have changed.
 */
export function restoreRoutes(sent: unknown, stored: unknown): unknown {
  if (!Array.isArray(sent)) return sent
  const known: readonly unknown[] = Array.isArray(stored) ? stored : []
  return sent.map((route, place) => {
    if (!isRecord(route) || !isMasked(route)) return route
    const inOrder = [known[place], ...known].filter(isRecord)
    const same = inOrder.find((other) => whereTo(hideRoute(other)) === whereTo(route))
    return same === undefined ? rejectUnknownMask('advanced_routes') : completed(route, same)
  })
}

function hideRoute(route: JsonObject): JsonObject {
  const { upstream_path: path, auth } = route
  return {
    ...route,
    ...(typeof path === 'string' && { upstream_path: hideInAddress(path) }),
    ...(isRecord(auth) && { auth: hideInAuth(auth) }),
  }
}

function hideInAuth(auth: JsonObject): JsonObject {
  const { value } = auth
  if (value === undefined || value === null || value === '') return auth
  return typeof value === 'string' && isTemplate(value) ? auth : { ...auth, value: MASK }
}

const LOGIN = /^(https?:\/\/)[^/?#]*@/
/** These query parameters select a variant or version of an API and are not secret. */
const PLAIN_PARAMETERS: ReadonlySet<string> = new Set(['alt', 'api-version', 'version', 'beta'])

function hideInAddress(address: string): string {
  const [place = '', ...queries] = address.replace(LOGIN, `$1${MASK}@`).split('?')
  if (queries.length === 0) return place
  const parameters = queries.join('?').split('&').map(hideParameter)
  return `${place}?${parameters.join('&')}`
}

function hideParameter(parameter: string): string {
  const [name = '', ...values] = parameter.split('=')
  const value = values.join('=')
  return value === '' || value === '{model}' || PLAIN_PARAMETERS.has(name) ? parameter : `${name}=${MASK}`
}

function isMasked(route: JsonObject): boolean {
  return JSON.stringify(route) !== JSON.stringify(route).replaceAll(MASK, '')
}

function whereTo(route: JsonObject): string {
  const auth = isRecord(route['auth']) ? route['auth'] : {}
  return JSON.stringify([route['incoming_path'], route['upstream_path'], auth['type'], auth['name']])
}

function completed(sent: JsonObject, stored: JsonObject): JsonObject {
  const { auth } = sent
  const storedAuth = isRecord(stored['auth']) ? stored['auth'] : {}
  return {
    ...sent,
    upstream_path: stored['upstream_path'],
    ...(isRecord(auth) && {
      auth: auth['value'] === MASK ? { ...auth, value: storedAuth['value'] } : auth,
    }),
  }
}
