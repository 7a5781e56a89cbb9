import { type RouteDefinition, fileTypes, signIns } from '@tollgate/contract/route'
import { z } from 'zod'
import type { BoundRoute } from '../services/handler.ts'

/** Accepts any Zod schema; the check is only that the field was not forgotten. */
const schemaField = z.custom<z.ZodType>((value) => value instanceof z.ZodType)

const recordSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']),
  path: z.string().regex(/^\/api(?:\/(?:[a-z0-9_-]+|:[A-Za-z]\w*))+$/),
  access: z.enum(['public', 'user', 'admin', 'root']),
  owner: z.enum(['none', 'self', 'manage', 'site']),
  rate: z.enum(['api', 'critical', 'reveal', 'probe', 'callback']),
  bodyBytesMax: z.int().positive(),
  changesState: z.boolean(),
  isBillable: z.boolean(),
  signIn: z.enum(signIns),
  guardedWhen: z
    .strictObject({
      condition: z.string().min(3),
      signIn: z.enum(['recent', 'fresh']),
      access: z.enum(['user', 'admin', 'root']).optional(),
      orSecretAgain: z.boolean().optional(),
    })
    .optional(),
  shownWhen: z.strictObject({ condition: z.string().min(3), signIn: z.enum(['recent', 'fresh']) }).optional(),
  isOpenToDefaultPassword: z.boolean().optional(),
  summary: z.string().min(3),
  params: schemaField,
  query: schemaField,
  body: schemaField,
  data: schemaField,
  extra: schemaField.optional(),
  files: z.array(z.enum(fileTypes)).min(1).optional(),
  envelope: z.enum(['message', 'text', 'code']).optional(),
  byApiToken: z.literal(true).optional(),
  acceptsForm: z.boolean().optional(),
  isRepeatable: z.literal(true).optional(),
  badBodyStatus: z.literal(400).optional(),
})

/** The route table is incomplete or inconsistent. The server does not start. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
}

/**
 * Checks that every route of the table has a complete record and exactly one handler; throws an error that
 * lists everything missing.
 */
export function checkRegistry(table: readonly RouteDefinition[], bound: readonly BoundRoute[]): void {
  const faults = [
    ...table.flatMap(recordFaults),
    ...duplicates(table).map((name) => `${name}: named twice in the route table`),
    ...duplicates(bound.map(({ route }) => route)).map((name) => `${name}: has two handlers`),
    ...missing(table, bound).map((name) => `${name}: has no handler`),
    ...strangers(table, bound).map((name) => `${name}: has a handler, but is not in the route table`),
  ]
  if (faults.length > 0) throw new RegistryError(`The route table is not complete:\n${faults.join('\n')}`)
}

export function routeName(route: RouteDefinition): string {
  return `${route.method} ${route.path}`
}

function recordFaults(route: RouteDefinition): readonly string[] {
  const parsed = recordSchema.safeParse(route)
  const faults = parsed.success
    ? ruleFaults(route)
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  return faults.map((fault) => `${routeName(route)}: ${fault}`)
}

function ruleFaults(route: RouteDefinition): readonly string[] {
  const faults: string[] = []
  if (route.method !== 'GET' && !route.changesState) faults.push('a method other than GET changes state')
  if (route.access === 'user' && (route.owner === 'manage' || route.owner === 'site') && route.changesState)
    faults.push('a plain user changes only what is theirs')
  if (route.byApiToken && (route.access !== 'public' || route.changesState))
    faults.push('a key of an API token only reads, on a public route')
  if (route.guardedWhen && signIns.indexOf(route.guardedWhen.signIn) <= signIns.indexOf(route.signIn))
    faults.push('its condition asks for no more than the route itself')
  if (namesInPath(route).join() !== namesInParams(route).join())
    faults.push('the parameters are not those of the path')
  return faults
}

function namesInPath({ path }: RouteDefinition): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '').toSorted()
}

function namesInParams({ params }: RouteDefinition): readonly string[] {
  return params instanceof z.ZodObject ? Object.keys(params.shape).toSorted() : ['?']
}

function duplicates(routes: readonly RouteDefinition[]): readonly string[] {
  const names = routes.map(routeName)
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}

function missing(table: readonly RouteDefinition[], bound: readonly BoundRoute[]): readonly string[] {
  const handled = new Set(bound.map(({ route }) => route))
  return table.filter((route) => !handled.has(route)).map(routeName)
}

function strangers(table: readonly RouteDefinition[], bound: readonly BoundRoute[]): readonly string[] {
  const known = new Set(table)
  return bound.filter(({ route }) => !known.has(route)).map(({ route }) => routeName(route))
}
